/** The list of events, and the form of a new one: only what applies is shown. */

import "./header.js";
import { localize } from "./follow.js";

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

if (form) {
  field("zone").value = String(new Date().getTimezoneOffset());
  form.addEventListener("change", refresh);
  refresh();
}
