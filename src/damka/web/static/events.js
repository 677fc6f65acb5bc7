/** Event list, and the form of a new event, which shows only the fields that apply. */

import "./header.js";
import { localize } from "./follow.js";
import { recall, remember } from "./prefs.js";

localize(document);

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("make"));

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement | HTMLSelectElement} */ (form?.elements.namedItem(name));

function refresh() {
  if (!form) return;
  const arena = field("kind").value === "arena";
  if (arena) field("play").value = "online";
  const active = [field("kind").value, field("play").value, arena ? "" : field("pace").value];
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for]"))) {
    each.hidden = !(each.dataset.for ?? "").split(" ").some((name) => active.includes(name));
  }
}

// Fields that a club rarely changes: a new form starts with their last values.
const SAVED_FIELDS = ["arbiter", "kind", "rules", "play", "clock", "rounds", "cycles", "minutes", "pace", "break", "place"];
const STORAGE_KEY = "damka.event";

function fillIn() {
  const saved = recall(STORAGE_KEY, /** @type {Record<string, unknown>} */ ({}));
  for (const name of SAVED_FIELDS) {
    const input = field(name);
    const value = saved[name];
    if (!input || typeof value !== "string") continue;
    const isAvailable = !(input instanceof HTMLSelectElement) || [...input.options].some((each) => each.value === value);
    if (isAvailable) input.value = value;
  }
}

if (form) {
  field("zone").value = String(new Date().getTimezoneOffset());
  if (!form.querySelector(".problem")) fillIn();
  form.addEventListener("change", refresh);
  form.addEventListener("submit", () => {
    const shown = SAVED_FIELDS.filter((name) => field(name)).map((name) => [name, field(name).value]);
    remember(STORAGE_KEY, Object.fromEntries(shown));
  });
  refresh();
}
