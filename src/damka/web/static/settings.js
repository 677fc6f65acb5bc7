// @ts-check
/** The sheet of settings: switches kept in this browser, and the theme. */

import { setTheme, theme } from "./chrome.js";
import { prefer, prefs } from "./prefs.js";
import { byId } from "./status.js";

const sheet = /** @type {HTMLDialogElement} */ (byId("settings"));

/** @param {() => void} changed */
export function openable(changed) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const switches = sheet.querySelectorAll("input[data-pref]");
  for (const input of switches) {
    const name = /** @type {keyof typeof prefs} */ (input.dataset.pref);
    input.checked = prefs[name];
    input.addEventListener("change", () => {
      prefer(name, input.checked);
      changed();
    });
  }
  /** @type {NodeListOf<HTMLInputElement>} */
  const themes = sheet.querySelectorAll("input[name=theme]");
  const mark = () => themes.forEach((input) => (input.checked = input.value === theme()));
  themes.forEach((input) => input.addEventListener("change", () => setTheme(input.value)));
  document.addEventListener("themechange", mark);
  mark();
  byId("open-settings").addEventListener("click", () => sheet.showModal());
  // A click beside the sheet closes it.
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
}
