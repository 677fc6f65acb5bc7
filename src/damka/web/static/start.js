/** Start of a game, from any page. */

import { request, visit } from "./transport.js";
import { t } from "./i18n.js";

/**
 * Request a game and open it.
 * @param {string} address
 * @param {string} body JSON
 * @param {() => void} [leave] opens another page instead of the game
 * @returns {Promise<string>} an error message; "" when the game opens
 */
export async function start(address, body, leave) {
  const { ok, data } = await request(address, { body, type: "application/json" });
  if (!ok) return data?.message ?? t("offline");
  if (leave) leave();
  else visit(data.url + (data.lot?.drawn ? "#lot" : ""));
  return "";
}
