/** Settings dialog: switches stored in this browser, and the theme. */

import { setTheme, theme } from "./header.js";
import { prefer, prefs } from "./prefs.js";
import { byId } from "./status.js";

const sheet = /** @type {HTMLDialogElement} */ (byId("settings"));
/** @param {string} which @returns {NodeListOf<HTMLInputElement>} */
const inputs = (which) => sheet.querySelectorAll(`input${which}`);
let notify = () => {};

for (const input of inputs("[data-pref]")) {
  const name = /** @type {keyof typeof prefs} */ (input.dataset.pref);
  input.checked = prefs[name];
  input.addEventListener("change", () => {
    prefer(name, input.checked);
    notify();
  });
}
for (const input of inputs("[name=theme]")) {
  input.addEventListener("change", () => setTheme(input.value));
}
// A click outside the dialog closes it.
sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());

/** @param {() => void} onChange called after every change */
export function open(onChange) {
  notify = onChange;
  for (const input of inputs("[name=theme]")) input.checked = input.value === theme();
  sheet.showModal();
}
