/** Dialog of all games: search by name, size and kind. */

import { matches } from "./name_search.js";
import { get } from "./opponent.js";
import { listRecent } from "./recent.js";

const sheet = /** @type {HTMLDialogElement} */ (get("more"));
const search = /** @type {HTMLInputElement} */ (get("find"));
const sizes = get("sizes");
const chips = [...sheet.querySelectorAll(/** @type {"button"} */ (".chip"))];

/** Show the games of the chosen size that match the search. */
function filter() {
  const size = sizes.querySelector("[aria-pressed=true]")?.getAttribute("value") ?? "";
  /** @param {HTMLElement} each @param {string} text */
  const fits = (each, text) => matches(text, search.value) && (!size || (each.dataset.size ?? size) === size);
  let hasAny = false;
  for (const kind of sheet.querySelectorAll(/** @type {"div"} */ (".kind"))) {
    const heading = kind.querySelector("h3")?.textContent ?? "";
    const inKind = chips.filter((chip) => kind.contains(chip));
    for (const chip of inKind) {
      const { find, title, summary } = chip.dataset;
      chip.hidden = !fits(chip, `${heading} ${find} ${title} ${summary}`);
    }
    kind.hidden = inKind.every((chip) => chip.hidden);
    hasAny ||= !kind.hidden;
  }
  for (const list of get("own").querySelectorAll("ul")) {
    const entries = [...list.querySelectorAll("li")];
    for (const entry of entries) entry.hidden = !fits(entry, entry.textContent ?? "");
    list.hidden = entries.every((entry) => entry.hidden);
    list.previousElementSibling?.toggleAttribute("hidden", list.hidden);
    hasAny ||= !list.hidden;
  }
  get("none").hidden = hasAny;
}

/** @param {string} rules @returns {HTMLButtonElement | undefined} entry of a rule set */
export const findChip = (rules) => chips.find((chip) => chip.value === rules);

/**
 * Open the dialog at a click on the button "More games".
 * @param {() => string} chosen name of the chosen rule set
 * @param {(chip: HTMLButtonElement) => void} choose receives the entry that is chosen next
 */
export function listenForMore(chosen, choose) {
  /** @param {HTMLButtonElement} chip */
  const pick = (chip) => {
    choose(chip);
    sheet.close();
  };
  get("open-more").addEventListener("click", () => {
    const rules = chosen();
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.value === rules));
    search.value = "";
    filter();
    sheet.showModal();
    // A phone's keyboard would cover the games.
    if (matchMedia("(pointer: fine)").matches) search.focus();
    else findChip(rules)?.focus();
  });
  sheet.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.classList.contains("chip")) pick(button);
    else if (target === sheet || button?.hasAttribute("data-close")) sheet.close();
    else if (button && sizes.contains(button)) {
      for (const each of sizes.children) each.setAttribute("aria-pressed", String(each === button));
      filter();
    }
  });
  search.addEventListener("input", filter);
  // Enter chooses the first game with a matching name, else the first match.
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !search.value) return;
    event.preventDefault();
    const found = chips.filter((chip) => !chip.hidden);
    const first = found.find(({ dataset }) => matches(dataset.title ?? "", search.value)) ?? found[0];
    if (first) pick(first);
  });
  listRecent(get("recent"));
}
