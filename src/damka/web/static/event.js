/** Event page and arbiter page: follow the event and redirect players to their boards. */

import "./header.js";
import { follow } from "./follow.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-event]"));
const boardLink = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-mine]"));
// Do not redirect players who have come back from their board.
let lastHref = boardLink()?.href;

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.dataset.sure && !confirm(form.dataset.sure)) event.preventDefault();
});

const draw = document.getElementById("board-data") ? (await import("./mini.js")).show : () => {};

follow(main, {
  showBoards: draw,
  onChange() {
    const link = boardLink();
    if (link && link.href !== lastHref) {
      lastHref = link.href;
      const typing = document.activeElement?.matches("input, select, textarea");
      if (!typing) location.assign(link.href);
    }
  },
});
