/** Form of opponent, level and colour; restores the last choices. */

import { recall, remember } from "./prefs.js";
import { page } from "./i18n.js";

const KEY = "damka.choice";

/** @template {HTMLElement} T @param {string} id */
export const get = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * Restore the last choices that still exist, except in fields that the player used before this
 * script was loaded.
 * @param {HTMLFormElement} form
 */
export function restoreChoices(form) {
  for (const [name, value] of Object.entries(recall(KEY, {}))) {
    if (form.querySelector(`[name="${CSS.escape(name)}"][data-used]`)) continue;
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = String(value);
    else if (field instanceof HTMLInputElement && ["range", "text", "number"].includes(field.type)) field.value = String(value);
    else if (field instanceof HTMLSelectElement) pick(field, String(value));
  }
}

/** @param {string} name @returns {string} last choice of a field; "" if there is none */
export const lastChoice = (name) => String(recall(KEY, /** @type {Record<string, unknown>} */ ({}))[name] ?? "");

/** @returns {HTMLSelectElement | null} menu of engines, if there are others than Damka */
const engines = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("engine"));

/** @param {HTMLSelectElement} field @param {string} value chosen if the field has it */
function pick(field, value) {
  if ([...field.options].some((option) => option.value === value)) field.value = value;
}

/**
 * List the engines that play the rules; return whether one is chosen instead of a level.
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
  const againstComputer = chosen.get("opponent") === "computer";
  field.disabled = !againstComputer || [...field.options].filter((option) => !option.disabled).length < 2;
  get("engine-row").classList.toggle("idle", field.disabled);
  return !field.disabled && field.value !== "";
}

/**
 * Store the choices for the next visit.
 * @param {Record<string, string>} chosen
 */
export const saveChoices = (chosen) => remember(KEY, { ...recall(KEY, {}), ...chosen });

/**
 * Update the parts that depend on the choices.
 * @param {HTMLFormElement} form
 * @param {DOMStringMap} colours `first` and `second`: names of the beginning colour and of the
 * other
 */
export function refresh(form, colours) {
  const level = /** @type {HTMLInputElement} */ (get("level"));
  const { name, sentence } = page.levels[Number(level.value) - 1] ?? { name: "", sentence: "" };
  get("level-number").textContent = `${level.value} · ${name}`;
  get("level-words").textContent = sentence;
  level.setAttribute("aria-valuetext", `${level.value}, ${name}: ${sentence}`);
  const chosen = new FormData(form);
  const againstComputer = chosen.get("opponent") === "computer";
  const external = refreshEngines(chosen);
  for (const [id, isOff] of /** @type {[string, boolean][]} */ ([
    ["level-row", !againstComputer || external],
    ["colour-row", chosen.get("opponent") === "person"],
  ])) {
    get(id).classList.toggle("idle", isOff);
    for (const field of get(id).querySelectorAll("input")) field.disabled = isOff;
  }
  document.documentElement.dataset.opponent = String(chosen.get("opponent"));
  refreshOnline(form, chosen.get("opponent") === "invite");
  for (const which of ["first", "second"]) {
    const label = form.querySelector(`input[value=${which}] + span`);
    if (label) label.textContent = colours[which] ?? "";
  }
}

/**
 * Show the clock, and the inviting player's name in place of two names.
 * @param {HTMLFormElement} form
 * @param {boolean} online
 */
function refreshOnline(form, online) {
  const [legend, first] = get("names-row").children;
  const { one, two } = /** @type {HTMLElement} */ (legend).dataset;
  legend.textContent = (online ? one : two) ?? "";
  const name = /** @type {HTMLInputElement} */ (first);
  name.dataset.player ??= name.placeholder;
  name.placeholder = online ? "" : name.dataset.player;
  name.ariaLabel = online ? (one ?? "") : name.dataset.player;
  const play = form.querySelector(/** @type {"button"} */ ("#play"));
  if (play?.dataset.invite) play.textContent = (online ? play.dataset.invite : play.dataset.play) ?? "";
  if (document.getElementById("seek")) play?.classList.toggle("quiet", online);
  if (!document.getElementById("clock-row")) return;
  const isCustom = /** @type {HTMLSelectElement} */ (get("clock")).value === "own";
  get("own-clock").hidden = !isCustom;
  get("clock-more").hidden = new FormData(form).get("clock-kind") === "sudden";
}

/** Clock chosen in the form. @param {HTMLFormElement} form */
export function clock(form) {
  const chosen = Object.fromEntries(new FormData(form));
  if (!chosen.clock) return undefined;
  if (chosen.clock !== "own") return JSON.parse(String(chosen.clock));
  const kind = chosen["clock-kind"];
  const seconds = Math.round(60 * Number(chosen["clock-minutes"]));
  return { kind, seconds, increment: kind === "sudden" ? 0 : Math.round(Number(chosen["clock-seconds"])) };
}

/**
 * Game options chosen in the form, without the rules.
 * @param {HTMLFormElement} form
 */
export function gameOptions(form) {
  const { opponent, colour = "first", name1, name2, rated } = Object.fromEntries(new FormData(form));
  const hasNames = opponent === "person" && (name1 || name2);
  const names = hasNames ? [name1, name2] : opponent === "invite" && name1 && !("member" in get("names-row").dataset) ? [name1, ""] : undefined;
  const level = /** @type {HTMLInputElement} */ (get("level"));
  const field = engines();
  const engine = field && !field.disabled && field.value ? field.value : undefined;
  const online = opponent === "invite" && {
    clock: clock(form),
    rated: rated === "rated" || undefined,
    no_draw_before: Number(new FormData(form).get("no-draw")) || undefined,
  };
  return { opponent, level: Number(level.value), engine, colour, names, ...online };
}
