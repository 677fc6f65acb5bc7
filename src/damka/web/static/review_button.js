/** Button "Review" of the page Analyse, for a tree with moves; the panel is loaded on demand. */

import { analysis } from "./analysis_board.js";
import { loadStyles } from "./styles.js";
import * as trees from "./tree_state.js";

const section = /** @type {HTMLElement} */ (document.getElementById("review"));
const opener = /** @type {HTMLButtonElement} */ (document.getElementById("open-review"));
const query = new URLSearchParams(location.search);
const side = query.get("side");
const board = /** @type {HTMLElement & {flipped: boolean}} */ (document.getElementById("board"));
/** Whether the address asks for the review of a game that is still being loaded. */
let isWanted = query.has("review");
/** Moves of the game in the address, once it has been loaded. @type {string | null} */
let loaded = null;

const line = () => trees.lineAfter(analysis.state, trees.ROOT).map(({ key }) => key).join(" ");

async function open() {
  // After a game, the reader's pieces stay at the bottom.
  if (isWanted && side === "B" && !board.flipped) document.getElementById("turn-board")?.click();
  isWanted = false;
  const [{ openReview }] = await Promise.all([import("./review.js"), loadStyles("review.css")]);
  if (!section.hidden) return;
  // Another game in the same window has another reader.
  const reader = line() === loaded && (side === "W" || side === "B") ? side : null;
  openReview(section, reader, () => {
    update();
    opener.focus();
  });
  update();
}

function update() {
  const isOpen = !section.hidden;
  opener.setAttribute("aria-expanded", String(isOpen));
  opener.disabled = !isOpen && !line();
}

opener.addEventListener("click", () => {
  if (section.hidden) void open();
  else section.dispatchEvent(new Event("close"));
});
analysis.onTree(() => {
  update();
  if (!line()) return;
  loaded ??= line();
  if (isWanted) void open();
});
