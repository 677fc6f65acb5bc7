/** The choose page: remembers the last choices, says in words what a level is like, starts a game. */

import "./chrome.js";
import { recall, remember } from "./prefs.js";
import { start } from "./start.js";
import { page } from "./words.js";

const KEY = "damka.choice";

/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));

const form = /** @type {HTMLFormElement} */ (get("new"));
const level = /** @type {HTMLInputElement} */ (get("level"));
const button = /** @type {HTMLButtonElement} */ (get("play"));
const file = /** @type {HTMLInputElement} */ (get("load"));

/** @returns {Record<string, string>} */
const choices = () =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** @type {Element | null} the box whose choice of obligation is shown */
let opened = null;

/** Put back what was chosen last time, as far as it still exists. */
function restore() {
  for (const [name, value] of Object.entries(recall(KEY, {}))) {
    const field = form.elements.namedItem(name);
    if (field === level) level.value = String(value);
    else if (field instanceof RadioNodeList) field.value = String(value);
  }
}

/** Show what follows from the choices; places stay reserved, so that nothing moves. */
function refresh() {
  const { rules, opponent } = choices();
  const box = /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked"));
  get("level-number").textContent = level.value;
  const sentence = page.levels[Number(level.value) - 1]?.sentence ?? "";
  get("level-words").textContent = sentence;
  level.setAttribute("aria-valuetext", `${level.value}: ${sentence}`);
  const alone = opponent === "computer";
  for (const [id, shown] of /** @type {[string, boolean][]} */ ([
    ["level-row", alone],
    ["colour-row", alone],
  ])) {
    get(id).classList.toggle("idle", !shown);
    for (const field of get(id).querySelectorAll("input")) field.disabled = !shown;
  }
  const [forced, huffing] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  huffing.disabled = box.dataset.huffing !== "1";
  if (huffing.disabled) forced.checked = true;
  else if (opened && box !== opened) huffing.checked = true;
  opened = box;
  for (const which of ["first", "second"]) {
    const label = form.querySelector(`input[value=${which}] + span`);
    if (label) label.textContent = box.dataset[which] ?? "";
  }
  /** @type {HTMLAnchorElement} */ (get("read-rules")).href = `/rules/${rules}`;
}

/** @param {string} address @param {string} body */
async function open(address, body) {
  button.disabled = true;
  get("problem").textContent = "";
  get("problem").textContent = await start(address, body);
  button.disabled = false;
}

form.addEventListener("input", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = choices();
  remember(KEY, { ...recall(KEY, {}), ...chosen });
  const { rules, opponent, colour = "first", obligation } = chosen;
  const order = { rules, opponent, level: Number(level.value), colour, obligation };
  void open("/api/games", JSON.stringify(order));
});
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  const { opponent } = choices();
  const wish = new URLSearchParams({ opponent, level: level.value });
  if (chosen) await open(`/api/games/load?${wish}`, await chosen.text());
  file.value = "";
});
// A page that comes back from the browser's memory may show a game list of long ago.
addEventListener("pageshow", (event) => event.persisted && location.reload());

restore();
refresh();
