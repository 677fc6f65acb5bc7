/** Rules page: the details open for a link to a paragraph, and for the printer. */

import "./header.js";

const details = /** @type {HTMLDetailsElement} */ (document.getElementById("details"));

/** Open the details if the address names a paragraph in them, and show it. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || !details.contains(target)) return;
  details.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", reveal);
// A second click on the same link does not change the hash.
document.addEventListener("click", ({ target }) => {
  if (/** @type {Element} */ (target).closest('a[href^="#"]')) setTimeout(reveal);
});
addEventListener("beforeprint", () => (details.open = true));
reveal();
