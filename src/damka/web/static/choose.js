/** Start page: search games by name, restore the last choices, start a game. */

import "./header.js";
import { matches } from "./name_search.js";
import { clock, get, saveChoices, refresh as refreshOptions, restoreChoices, gameOptions } from "./opponent.js";
import { listRecent } from "./recent.js";
import "./load.js";
import { start } from "./start.js";
import { dismiss, href } from "./transport.js";

const form = /** @type {HTMLFormElement} */ (get("new"));
const button = /** @type {HTMLButtonElement} */ (get("play"));
const find = /** @type {HTMLInputElement} */ (get("find"));
const sizes = get("sizes");

/** @returns {Record<string, string>} */
const choices = () =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]),
  );

/** @type {Element | null} the box whose choice of obligation is shown */
let shownBox = null;

/** Update the parts that depend on the choices. Space stays reserved to avoid layout shift. */
function refresh() {
  const box = /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked"));
  refreshOptions(form, box.dataset);
  const [forced, huffing] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  huffing.disabled = box.dataset.huffing !== "1";
  if (huffing.disabled) forced.checked = true;
  else if (shownBox && box !== shownBox) huffing.checked = true;
  shownBox = box;
  const { forced: forcedText, huff } = get("obligation-words").dataset;
  get("obligation-words").textContent = (huffing.checked ? huff : forcedText) ?? "";
  for (const label of form.querySelectorAll(/** @type {"label"} */ (".card, .chip"))) {
    label.classList.toggle("on", choice(label) === box);
  }
  const { title = "", summary = "" } = box.dataset;
  const [name, about] = get("chosen").children;
  name.textContent = title;
  about.textContent = summary;
  /** @type {HTMLElement} */ (button.parentElement).dataset.what = title;
  /** @type {HTMLAnchorElement} */ (get("read-rules")).href = href(`/rules/${box.value}`);
}

/** @param {HTMLLabelElement} chip @returns {HTMLInputElement} its radio button; a box has it in its card */
const choice = (chip) => /** @type {HTMLInputElement} */ (chip.control);

/** Show the games of the chosen size that match the search, and the chosen game in any case. */
function filter() {
  const size = sizes.querySelector("[aria-pressed=true]")?.getAttribute("value") ?? "";
  /** @param {HTMLElement} each @param {string} text */
  const fits = (each, text) => matches(text, find.value) && (!size || (each.dataset.size ?? size) === size);
  let visibleCount = 0;
  for (const kind of form.querySelectorAll(".kind")) {
    const heading = kind.querySelector("h3")?.textContent ?? "";
    let hasVisible = false;
    for (const chip of kind.querySelectorAll(/** @type {"label"} */ (".chip"))) {
      const card = !chip.contains(choice(chip));
      const { checked, dataset } = choice(chip);
      const isMatch = fits(chip, `${heading} ${chip.dataset.find} ${dataset.title} ${dataset.summary}`);
      const isFiltered = Boolean(size || find.value.trim());
      const isVisible = card ? isMatch && isFiltered : isMatch || (checked && !size);
      chip.hidden = !isVisible;
      hasVisible ||= isVisible;
      if (isMatch) visibleCount += 1;
    }
    kind.toggleAttribute("hidden", !hasVisible);
  }
  for (const list of get("own").querySelectorAll("ul")) {
    const entries = [...list.querySelectorAll("li")];
    for (const entry of entries) entry.hidden = !fits(entry, entry.textContent ?? "");
    const hasVisible = entries.some((entry) => !entry.hidden);
    list.hidden = !hasVisible;
    list.previousElementSibling?.toggleAttribute("hidden", !hasVisible);
    if (hasVisible) visibleCount += 1;
  }
  get("none").hidden = visibleCount > 0;
}

/** @param {string} address @param {string} body */
async function open(address, body) {
  button.disabled = true;
  get("problem").textContent = "";
  get("problem").textContent = await start(address, body);
  button.disabled = false;
}

form.addEventListener("input", (event) => (event.target === find ? filter() : refresh()));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  // Enter in the search chooses the first game with a matching name, else the first match.
  if (document.activeElement === find && find.value) {
    const found = [...form.querySelectorAll(/** @type {"label"} */ (".chip:not([hidden])"))].map(choice);
    const first = found.find(({ dataset }) => matches(dataset.title ?? "", find.value)) ?? found[0];
    if (first) first.checked = true;
    refresh();
    return;
  }
  const chosen = choices();
  saveChoices(chosen);
  const { rules, obligation } = chosen;
  void open("/api/games", JSON.stringify({ rules, ...gameOptions(form), obligation }));
});
sizes.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  for (const each of sizes.children) each.setAttribute("aria-pressed", String(each === target));
  filter();
});
for (const button of document.querySelectorAll(/** @type {"button"} */ ("[data-dismiss]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await dismiss(button.dataset.dismiss ?? "");
    const game = button.closest(".run");
    const list = game?.parentElement;
    game?.remove();
    list?.toggleAttribute("hidden", !list.children.length);
  });
}
/** @type {import("./seek.js").Lobby | null} */
let lobby = null;
const connect = async () => (lobby ??= new (await import("./seek.js")).Lobby(() => {}));
const seek = /** @type {HTMLButtonElement | null} */ (document.getElementById("seek"));
seek?.addEventListener("click", async () => {
  const chosen = choices();
  saveChoices(chosen);
  const { rules, rated } = chosen;
  const [forced] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  const { huffing } = /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked")).dataset;
  const other = huffing === "1" && forced.checked;
  seek.disabled = true;
  const options = { rules, clock: clock(form), rated: rated === "rated" };
  const error = other ? seek.dataset.standard : await (await connect()).send("/api/lobby/pool", options);
  get("problem").textContent = error ?? "";
  seek.disabled = false;
});
// Players with an open challenge or seek are redirected to the game from here too.
if (document.querySelector("#seeking[data-seeks]")) void connect();
// A page restored from the back/forward cache may list outdated games.
addEventListener("pageshow", (event) => event.persisted && location.reload());

/** @type {HTMLElement} */ (find.parentElement).hidden = sizes.hidden = false;
restoreChoices(form);
refresh();
listRecent(get("recent"));
