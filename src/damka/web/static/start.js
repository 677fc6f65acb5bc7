/** Starting a game, from any page. */

import { t } from "./i18n.js";

/**
 * Request a game from the server and open it.
 * @param {string} address
 * @param {string} body JSON
 * @returns {Promise<string>} an error message; "" when the game opens
 */
export async function start(address, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) return told?.message ?? t("offline");
  location.assign(told.url + (told.lot?.drawn ? "#lot" : ""));
  return "";
}
