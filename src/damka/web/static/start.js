/** Start of a game, from any page. */

import { request, visit } from "./transport.js";
import { t } from "./i18n.js";

// Milliseconds in which the page is left: the second click of a double-click starts no other game
const LEAVING = 2000;

let isLeaving = false;

/**
 * Request a game and open it.
 * @param {string} address
 * @param {string} body JSON
 * @param {() => void} [leave] opens another page instead of the game
 * @returns {Promise<string>} an error message; "" when the game opens
 */
export async function start(address, body, leave) {
  if (isLeaving) return "";
  const { ok, data } = await request(address, { body, type: "application/json" });
  if (!ok) return data?.message ?? t("offline");
  // A rematch is only offered if the other side has withdrawn its offer in the meantime.
  if (!leave && !data.url) return "";
  isLeaving = true;
  setTimeout(() => (isLeaving = false), LEAVING);
  if (leave) leave();
  else visit(data.url + (data.lot?.drawn ? "#lot" : ""));
  return "";
}
