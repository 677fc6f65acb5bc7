/** Badge in the header: the connection is lost, or back again for a moment. */

// Milliseconds
const SHOWN = 4000;

const badge = /** @type {HTMLElement} */ (document.querySelector(".lost"));
const { back = "" } = badge.dataset;
const { classList } = document.body;
const lost = badge.textContent;
let timer = 0;

/** @param {boolean} up */
export function showConnection(up) {
  const wasUp = !classList.contains("offline");
  if (up === wasUp) return;
  classList.toggle("offline", !up);
  clearTimeout(timer);
  if (back) badge.textContent = up ? back : lost;
  classList.toggle("back", up && back !== "");
  if (up) timer = setTimeout(() => classList.remove("back"), SHOWN);
}
