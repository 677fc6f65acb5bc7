/** Invitation panel: the copy button, and the other actions for an open seat. */

import "./copy.js";
import { recall } from "./prefs.js";
import { start } from "./start.js";
import { byId } from "./status.js";
import { visit } from "./transport.js";

const panel = byId("invite");
const { game = "" } = panel.dataset;
// The panel, with this line in it, is removed as soon as the seat is no longer open.
const problem = byId("invite-problem");
// The link is for another device; here a click only copies it.
byId("invite-link").addEventListener("click", (event) => {
  event.preventDefault();
  byId("invite-copy").click();
});
panel.addEventListener("click", async ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest(/** @type {"button"} */ ("[data-act]"));
  const act = button?.dataset.act;
  if (!button || !act) return;
  button.disabled = true;
  const level = Number(recall("damka.choice", { level: "" }).level) || undefined;
  // A game that was moved here from one screen continues at it; any other is over.
  const leads = act === "cancel" && !("freed" in panel.dataset) ? () => visit("/") : undefined;
  const error = await start(`/api/games/${game}/${act}`, JSON.stringify(act === "computer" ? { level } : {}), leads);
  problem.textContent = error;
  button.disabled = !error;
});

/** Load the page again: a server that was restarted may be in reach of other devices now. */
export const refresh = () => "unreachable" in panel.dataset && location.reload();
