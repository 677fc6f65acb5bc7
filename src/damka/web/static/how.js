/** How to play: against whom, how strong, with which colour; remembered from one time to the next. */

import { recall, remember } from "./prefs.js";
import { page } from "./words.js";

const KEY = "damka.choice";

/** @template {HTMLElement} T @param {string} id */
export const get = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * Put back what was chosen last time, as far as it still exists.
 * @param {HTMLFormElement} form
 */
export function restore(form) {
  for (const [name, value] of Object.entries(recall(KEY, {}))) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = String(value);
    else if (field instanceof HTMLInputElement && field.type === "range") field.value = String(value);
  }
}

/**
 * Keep what was chosen for the next time.
 * @param {Record<string, string>} chosen
 */
export const keep = (chosen) => remember(KEY, { ...recall(KEY, {}), ...chosen });

/**
 * Show what follows from the choices; places stay reserved, so that nothing moves.
 * @param {HTMLFormElement} form
 * @param {DOMStringMap} colours `first` and `second`: who begins and who does not
 */
export function refresh(form, colours) {
  const level = /** @type {HTMLInputElement} */ (get("level"));
  const sentence = page.levels[Number(level.value) - 1]?.sentence ?? "";
  get("level-number").textContent = level.value;
  get("level-words").textContent = sentence;
  level.setAttribute("aria-valuetext", `${level.value}: ${sentence}`);
  const alone = new FormData(form).get("opponent") === "computer";
  for (const id of ["level-row", "colour-row"]) {
    get(id).classList.toggle("idle", !alone);
    for (const field of get(id).querySelectorAll("input")) field.disabled = !alone;
  }
  for (const which of ["first", "second"]) {
    const label = form.querySelector(`input[value=${which}] + span`);
    if (label) label.textContent = colours[which] ?? "";
  }
}

/**
 * The order for a game that the form describes, but for its rules.
 * @param {HTMLFormElement} form
 */
export function wish(form) {
  const { opponent, colour = "first" } = Object.fromEntries(new FormData(form));
  const level = /** @type {HTMLInputElement} */ (get("level"));
  return { opponent, level: Number(level.value), colour };
}
