/**
 * A box of one's own: whatever is answered, the server says what it means, or what does not fit;
 * then it can be played, and a link carries it. The page knows no rules.
 */

import "./header.js";
import { get, saveChoices, refresh as refreshOptions, restoreChoices, gameOptions } from "./opponent.js";
import { keepBox, listRecent } from "./recent.js";
import { start } from "./start.js";
import { embedded, t } from "./i18n.js";

const WAIT = 200;

/**
 * @typedef {object} Now
 * @property {string} heading
 * @property {string | null} link
 * @property {string} [file]
 * @property {string} [size]
 * @property {object | null} rules
 * @property {string} [first]
 * @property {string} [second]
 * @property {string} [differences]
 * @property {Record<string, string>} [problems]
 * @property {string} [html]
 */

const form = /** @type {HTMLFormElement} */ (get("box"));
const playing = /** @type {HTMLFormElement} */ (get("play-form"));
const button = /** @type {HTMLButtonElement} */ (get("play"));
const copy = /** @type {HTMLButtonElement} */ (get("copy"));
const address = /** @type {HTMLInputElement} */ (get("address"));
const base = /** @type {HTMLSelectElement} */ (get("base"));

/** @type {Now} */
let now = embedded("box-now");
let asked = 0;
let timer = 0;

/** @param {string} name @returns {HTMLSelectElement[]} */
const selects = (name) => [...form.querySelectorAll(`select[name="${name}"]`)].filter((each) => each instanceof HTMLSelectElement);

/**
 * Whether a condition of the server holds: all of its clauses do, each by one alternative, the name of a
 * field and the answers that will do.
 *
 * @param {string | undefined} condition
 */
function holds(condition) {
  /** @type {[string, string[]][][]} */
  const clauses = JSON.parse(condition ?? "[]");
  return clauses.every((clause) => clause.some(([name, values]) => values.includes(selects(name)[0]?.value ?? "")));
}

/** The questions whose answers do not always fit. */
const picky = [...form.querySelectorAll("select")].filter((select) => select.querySelector("option[data-fits]"));
/** What was answered to them, also while it does not fit. */
const wanted = new Map(picky.map((select) => [select, select.value]));

/** Make the answers fit, and show only the questions that make a difference. */
function tidy() {
  for (const select of picky) {
    for (const option of select.options) option.disabled = !holds(option.dataset.fits);
    // Whoever comes back to a board finds the answers as they were for it.
    const fitting = [...select.options].filter((option) => !option.disabled);
    const found = fitting.find((option) => option.value === wanted.get(select)) ?? fitting[0];
    if (found) select.value = found.value;
  }
  for (const group of form.querySelectorAll("details")) {
    const fields = [...group.querySelectorAll(".field")].filter((field) => field instanceof HTMLElement);
    for (const field of fields) field.hidden = !holds(field.dataset.relevant);
    group.hidden = fields.every((field) => field.hidden);
  }
  // One place more than is taken, for the next key of an order; what is out of sight is not sent,
  // and is there again when the place before it is taken again.
  for (const order of form.querySelectorAll('[data-kind="order"]')) {
    const places = [...order.querySelectorAll("select")];
    const taken = places.findIndex((place) => place.value === "none");
    places.forEach((place, index) => {
      const label = /** @type {HTMLElement} */ (place.parentElement);
      label.hidden = place.disabled = taken >= 0 && index > taken;
    });
  }
}

/** Show what the server said. */
function show() {
  const { heading, link, html, problems = {} } = now;
  if (html !== undefined) get("says").innerHTML = html;
  for (const field of form.querySelectorAll(".field")) {
    const key = field.id.replace("field-", "");
    field.toggleAttribute("data-wrong", key in problems);
    const words = field.querySelector(".wrong");
    if (words && words.textContent !== (problems[key] ?? "")) words.textContent = problems[key] ?? "";
    for (const each of field.querySelectorAll("input, select")) each.setAttribute("aria-invalid", String(key in problems));
    if (key in problems) field.closest("details")?.setAttribute("open", "");
  }
  get("heading").textContent = heading;
  document.title = `${heading} · Damka`;
  const where = document.querySelector(".where");
  if (where) where.textContent = heading;
  button.disabled = !link;
  copy.disabled = !link;
  const file = /** @type {HTMLAnchorElement} */ (get("download"));
  file.toggleAttribute("hidden", !link);
  if (!link) return;
  file.href = now.file ?? "";
  address.value = location.origin + link;
  refreshOptions(playing, { first: now.first, second: now.second });
}

/** @returns {URLSearchParams} what the form says now */
function answers() {
  return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Ask the server what the answers mean; only the latest answer counts. */
async function ask() {
  const mine = ++asked;
  const query = answers();
  query.set("lang", document.documentElement.lang);
  const answer = await fetch(`/api/box?${query}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (mine !== asked) return;
  if (!answer?.ok) {
    get("problem").textContent = told?.message ?? t("offline");
    button.disabled = true;
    return;
  }
  get("problem").textContent = "";
  now = told;
  show();
  get("told").textContent = now.differences ?? Object.values(now.problems ?? {}).join(" ");
  if (!now.link) return;
  // So that a reload, or another language, finds the box as it is.
  history.replaceState(null, "", now.link);
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = now.link;
}

/** @param {Event} [event] what was answered */
function soon(event) {
  const select = picky.find((each) => each === event?.target);
  if (select) wanted.set(select, select.value);
  tidy();
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT);
}

function kept() {
  if (now.link) keepBox({ title: now.heading, link: now.link, size: now.size });
}

form.addEventListener("input", soon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  soon();
});
// What was answered stays where another rule set is chosen to start from; a link that is in the form
// goes along, for it alone has the lists of the box.
base.addEventListener("change", () => {
  const query = answers();
  const touched = !fresh || query.toString() !== untouched;
  query.set("was", was);
  query.set("lang", document.documentElement.lang);
  query.set("base", base.value);
  location.assign(`/box?${touched ? query : new URLSearchParams({ base: base.value })}`);
});
playing.addEventListener("input", () => refreshOptions(playing, { first: now.first, second: now.second }));
playing.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  clearTimeout(timer);
  await ask();
  if (!now.rules) return;
  kept();
  const order = gameOptions(playing);
  saveChoices(Object.fromEntries(Object.entries(order).map(([name, value]) => [name, String(value)])));
  get("problem").textContent = await start("/api/games", JSON.stringify({ rules: now.rules, ...order }));
  button.disabled = false;
});
copy.addEventListener("click", async () => {
  kept();
  const words = copy.textContent;
  try {
    await navigator.clipboard.writeText(address.value);
  } catch {
    // Without the right to copy, the address is there to be copied by hand.
    address.hidden = false;
    address.select();
    return;
  }
  copy.textContent = copy.dataset.done ?? "";
  get("told").textContent = copy.textContent;
  setTimeout(() => (copy.textContent = words), 2000);
});
get("download").addEventListener("click", kept);

// On a small screen only what is asked first is unfolded.
if (matchMedia("(max-width: 760px)").matches) {
  for (const group of form.querySelectorAll("details:not(:first-of-type)")) group.removeAttribute("open");
}
restoreChoices(playing);
tidy();
show();
const was = [...base.options].find((option) => option.defaultSelected)?.value ?? base.value;
const untouched = answers().toString();
const fresh = location.search === "" || /^\?base=[a-z0-9-]+$/.test(location.search);
if (now.link && new URLSearchParams(location.search).has("was")) history.replaceState(null, "", now.link);
listRecent(get("recent"));
