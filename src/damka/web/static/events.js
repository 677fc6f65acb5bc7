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
  const on = [field("kind").value, field("play").value, arena ? "" : field("pace").value];
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for]"))) {
    each.hidden = !(each.dataset.for ?? "").split(" ").some((name) => on.includes(name));
  }
}

// Fields that a club rarely changes: a new form starts with their last values.
const KEPT = ["arbiter", "kind", "rules", "play", "clock", "rounds", "cycles", "minutes", "pace", "break", "place"];
const STORED = "damka.event";

function fillIn() {
  const kept = recall(STORED, /** @type {Record<string, unknown>} */ ({}));
  for (const name of KEPT) {
    const input = field(name);
    const value = kept[name];
    if (!input || typeof value !== "string") continue;
    const known = !(input instanceof HTMLSelectElement) || [...input.options].some((each) => each.value === value);
    if (known) input.value = value;
  }
}

if (form) {
  field("zone").value = String(new Date().getTimezoneOffset());
  if (!form.querySelector(".problem")) fillIn();
  form.addEventListener("change", refresh);
  form.addEventListener("submit", () => {
    const shown = KEPT.filter((name) => field(name)).map((name) => [name, field(name).value]);
    remember(STORED, Object.fromEntries(shown));
  });
  refresh();
}
