/** The header of every page: the language menu, and the light, dark or automatic theme. */

const YEAR = 60 * 60 * 24 * 365;
const root = document.documentElement;

/** @returns {string} "light", "dark" or "auto" */
export const theme = () => root.dataset.theme ?? "auto";

/** @param {string} name */
export function setTheme(name) {
  root.dataset.theme = name;
  document.cookie = `damka_theme=${name};path=/;max-age=${YEAR};samesite=lax`;
}

const languages = /** @type {HTMLSelectElement | null} */ (document.querySelector("#language select"));
languages?.addEventListener("change", () => languages.form?.submit());

document.querySelector("#theme")?.addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = theme() === "auto" ? (dark ? "dark" : "light") : theme();
  setTheme(now === "dark" ? "light" : "dark");
});
