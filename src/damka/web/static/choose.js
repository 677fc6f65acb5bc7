/** The choose page: finds a game by name, remembers the last choices, starts a game. */

import "./chrome.js";
import { get, keep, refresh as refreshHow, restore, wish } from "./how.js";
import { listRecent } from "./recent.js";
import { start } from "./start.js";

const form = /** @type {HTMLFormElement} */ (get("new"));
const button = /** @type {HTMLButtonElement} */ (get("play"));
const file = /** @type {HTMLInputElement} */ (get("load"));
const find = /** @type {HTMLInputElement} */ (get("find"));

/** @returns {Record<string, string>} */
const choices = () =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]),
  );

/** @type {Element | null} the box whose choice of obligation is shown */
let opened = null;

/** Show what follows from the choices; places stay reserved, so that nothing moves. */
function refresh() {
  const box = /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked"));
  refreshHow(form, box.dataset);
  const [forced, huffing] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  huffing.disabled = box.dataset.huffing !== "1";
  if (huffing.disabled) forced.checked = true;
  else if (opened && box !== opened) huffing.checked = true;
  opened = box;
  const { title = "", summary = "" } = box.dataset;
  const [name, about] = get("chosen").children;
  name.textContent = title;
  about.textContent = summary;
  /** @type {HTMLElement} */ (button.parentElement).dataset.what = title;
  /** @type {HTMLAnchorElement} */ (get("read-rules")).href = `/rules/${box.value}`;
}

/** @param {string} text as it is compared: without marks on letters, in small letters */
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Show the games that the search names; a chosen one stays in sight. */
function narrow() {
  const words = bare(find.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const kind of form.querySelectorAll(".kind")) {
    const heading = kind.querySelector("h3")?.textContent ?? "";
    let some = false;
    for (const chip of kind.querySelectorAll(".chip")) {
      const { value, checked, dataset } = /** @type {HTMLInputElement} */ (chip.firstElementChild);
      const told = bare(`${heading} ${value} ${dataset.title} ${dataset.summary}`);
      const fits = words.every((word) => told.includes(word));
      chip.toggleAttribute("hidden", !fits && !checked);
      some ||= fits || checked;
      if (fits) shown += 1;
    }
    kind.toggleAttribute("hidden", !some);
  }
  get("none").hidden = shown > 0;
}

/** @param {string} address @param {string} body */
async function open(address, body) {
  button.disabled = true;
  get("problem").textContent = "";
  get("problem").textContent = await start(address, body);
  button.disabled = false;
}

form.addEventListener("input", (event) => (event.target === find ? narrow() : refresh()));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  // Enter in the search takes the first game of that name, or the first that it found.
  if (document.activeElement === find && find.value) {
    const found = [...form.querySelectorAll(/** @type {"input"} */ (".chip:not([hidden]) input"))];
    const named = found.find(({ dataset }) => bare(dataset.title ?? "").includes(bare(find.value)));
    const first = named ?? found[0];
    if (first) first.checked = true;
    refresh();
    return;
  }
  const chosen = choices();
  keep(chosen);
  const { rules, obligation } = chosen;
  void open("/api/games", JSON.stringify({ rules, ...wish(form), obligation }));
});
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  const { opponent, level } = wish(form);
  const asked = new URLSearchParams({ opponent: String(opponent), level: String(level) });
  if (chosen) await open(`/api/games/load?${asked}`, await chosen.text());
  file.value = "";
});
// A page that comes back from the browser's memory may show a game list of long ago.
addEventListener("pageshow", (event) => event.persisted && location.reload());

/** @type {HTMLElement} */ (find.parentElement).hidden = false;
restore(form);
refresh();
listRecent(get("recent"));
