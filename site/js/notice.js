/** What the site says besides the page itself: at the foot of the window, one notice at a time. */

/** @type {HTMLElement | null} */
let shown = null;

/**
 * @param {string} text "" takes the notice away
 * @param {{label: string, act: () => void}} [answer]
 */
export function notice(text, answer) {
  shown?.remove();
  shown = null;
  if (!text) return;
  shown = document.createElement("p");
  shown.className = "site-notice";
  shown.setAttribute("role", "status");
  shown.append(text);
  if (answer) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = answer.label;
    button.addEventListener("click", answer.act);
    shown.append(" ", button);
  }
  document.body.append(shown);
}
