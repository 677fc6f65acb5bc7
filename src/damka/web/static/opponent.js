/** The form of opponent, level and colour; remembers the last choices. */

import { recall, remember } from "./prefs.js";
import { page } from "./i18n.js";

const KEY = "damka.choice";

/** @template {HTMLElement} T @param {string} id */
export const get = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * Restore the last choices, as far as they still exist.
 * @param {HTMLFormElement} form
 */
export function restoreChoices(form) {
  for (const [name, value] of Object.entries(recall(KEY, {}))) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = String(value);
    else if (field instanceof HTMLInputElement && ["range", "text"].includes(field.type)) field.value = String(value);
    else if (field instanceof HTMLSelectElement) pick(field, String(value));
  }
}

/** @returns {HTMLSelectElement | null} the menu of engines, if there are any besides Damka */
const engines = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("engine"));

/** @param {HTMLSelectElement} field @param {string} value chosen if the field has it */
function pick(field, value) {
  if ([...field.options].some((option) => option.value === value)) field.value = value;
}

/**
 * Offer the engines that play the rules; return whether one is chosen instead of a level.
 * @param {FormData} chosen
 */
function refreshEngines(chosen) {
  const field = engines();
  if (!field) return false;
  const rules = String(chosen.get("rules"));
  for (const option of field.options) {
    const { rules: played } = option.dataset;
    option.disabled = option.hidden = played !== undefined && !played.split(" ").includes(rules);
  }
  if (field.selectedOptions[0]?.disabled) field.value = "";
  const alone = chosen.get("opponent") === "computer";
  field.disabled = !alone || [...field.options].filter((option) => !option.disabled).length < 2;
  get("engine-row").classList.toggle("idle", field.disabled);
  return !field.disabled && field.value !== "";
}

/**
 * Remember the choices for the next time.
 * @param {Record<string, string>} chosen
 */
export const saveChoices = (chosen) => remember(KEY, { ...recall(KEY, {}), ...chosen });

/**
 * Update what depends on the choices. Space stays reserved, so that nothing moves.
 * @param {HTMLFormElement} form
 * @param {DOMStringMap} colours `first` and `second`: the names of the colour that begins and of the other
 */
export function refresh(form, colours) {
  const level = /** @type {HTMLInputElement} */ (get("level"));
  const { name, sentence } = page.levels[Number(level.value) - 1] ?? { name: "", sentence: "" };
  get("level-number").textContent = `${level.value} · ${name}`;
  get("level-words").textContent = sentence;
  level.setAttribute("aria-valuetext", `${level.value}, ${name}: ${sentence}`);
  const chosen = new FormData(form);
  const alone = chosen.get("opponent") === "computer";
  const external = refreshEngines(chosen);
  for (const [id, off] of /** @type {[string, boolean][]} */ ([
    ["level-row", !alone || external],
    ["colour-row", !alone],
  ])) {
    get(id).classList.toggle("idle", off);
    for (const field of get(id).querySelectorAll("input")) field.disabled = off;
  }
  get("level-row").hidden = !alone;
  get("names-row").hidden = alone;
  for (const which of ["first", "second"]) {
    const label = form.querySelector(`input[value=${which}] + span`);
    if (label) label.textContent = colours[which] ?? "";
  }
}

/**
 * The options of the game that the form describes, without its rules.
 * @param {HTMLFormElement} form
 */
export function gameOptions(form) {
  const { opponent, colour = "first", name1, name2 } = Object.fromEntries(new FormData(form));
  const names = opponent === "person" && (name1 || name2) ? [name1, name2] : undefined;
  const level = /** @type {HTMLInputElement} */ (get("level"));
  const field = engines();
  const engine = field && !field.disabled && field.value ? field.value : undefined;
  return { opponent, level: Number(level.value), engine, colour, names };
}
