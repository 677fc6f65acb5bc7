/** Page header: language menu, and light, dark or automatic theme. */

import { changeLanguage, saveTheme } from "./transport.js";

const root = document.documentElement;

/** @returns {string} "light", "dark" or "auto" */
export const theme = () => root.dataset.theme ?? "auto";

/** @param {string} name */
export function setTheme(name) {
  root.dataset.theme = name;
  saveTheme(name);
}

const languages = /** @type {HTMLSelectElement | null} */ (document.querySelector("#language select"));
languages?.addEventListener("change", () => changeLanguage(languages));

document.querySelector("#theme")?.addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = theme() === "auto" ? (dark ? "dark" : "light") : theme();
  setTheme(now === "dark" ? "light" : "dark");
});
