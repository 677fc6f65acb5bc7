/** Dialog "Play from here": the form of a new game, which starts from the displayed position. */

import { gameOptions, get, refresh, restoreChoices, saveChoices } from "./opponent.js";
import { start } from "./start.js";

/**
 * Prepare the dialog; call this once.
 * @param {EditData} edit
 * @param {() => {position: EditPosition, fen: string}} current
 * @returns {() => void} opens the dialog
 */
export function offerGame({ rules, first, second, huffing }, current) {
  const sheet = /** @type {HTMLDialogElement} */ (get("playing"));
  const form = /** @type {HTMLFormElement} */ (get("play-form"));
  const button = /** @type {HTMLButtonElement} */ (get("play"));
  const huffRow = get("huff-row");
  huffRow.hidden = !huffing;

  /** Name the colours: the side to move is the first. */
  function show() {
    const { turn } = current().position;
    refresh(form, { first: first[turn], second: second[turn === "W" ? "B" : "W"] });
  }

  restoreChoices(form);
  form.addEventListener("input", show);
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    saveChoices(chosen);
    const obligation = huffing ? chosen.obligation : undefined;
    const order = { rules, ...gameOptions(form), rated: undefined, obligation, fen: current().fen };
    button.disabled = true;
    get("play-problem").textContent = await start("/api/games", JSON.stringify(order));
    button.disabled = false;
  });
  return () => {
    show();
    get("play-problem").textContent = "";
    sheet.showModal();
  };
}
