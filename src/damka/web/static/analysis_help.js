/** Dialog of the keyboard shortcuts. */

import { shortcuts } from "./analysis_keys.js";
import { page } from "./i18n.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("help"));
/** @type {Record<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣", Escape: "Esc", Delete: "Del" };

sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});

/** List the shortcuts; those of one action are in one row. */
export function showHelp() {
  const rows = new Map(/** @type {[string, string[]][]} */ ([]));
  for (const { key, words } of shortcuts) {
    const shown = key.split(/(?<=Ctrl|Shift)\+/).map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" + ");
    rows.set(words, [...(rows.get(words) ?? []), shown]);
  }
  const list = /** @type {HTMLElement} */ (sheet.querySelector("dl"));
  list.replaceChildren(
    ...[...rows].flatMap(([words, keys]) => {
      const [name, meaning] = [document.createElement("dt"), document.createElement("dd")];
      name.append(...keys.flatMap((key, i) => {
        const kbd = document.createElement("kbd");
        kbd.textContent = key;
        return i ? [" ", kbd] : [kbd];
      }));
      meaning.textContent = page.strings[`analysis.say.key.${words}`] ?? words;
      return [name, meaning];
    }),
  );
  if (!sheet.open) sheet.showModal();
}
