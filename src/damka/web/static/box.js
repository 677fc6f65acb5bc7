/**
 * House box page: after every answer the server sends the rules or the conflicts. A valid box can
 * be played, and shared by its link. The page does not implement the rules.
 */

import "./header.js";
import { get, saveChoices, refresh as refreshOptions, restoreChoices, gameOptions } from "./opponent.js";
import { rememberRecent, listRecent } from "./recent.js";
import { start } from "./start.js";
import { embedded, href, request, visit } from "./transport.js";
import { t } from "./i18n.js";

const DEBOUNCE = 200;

/**
 * @typedef {object} BoxState
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

/** @type {BoxState} */
let now = embedded("box-now");
let requestCount = 0;
let timer = 0;
/** Whether the latest answers are not sent or not confirmed yet. */
let isOutdated = false;

/** @param {string} name the first answer to a question */
const answerTo = (name) => new FormData(form).get(name) ?? "";

/**
 * Whether a condition from the server holds. Each clause needs one true alternative: a field name
 * and the answers that make it true, or if negated, false.
 *
 * @param {string | undefined} condition
 */
function holds(condition) {
  /** @type {[string, string[], boolean][][]} */
  const clauses = JSON.parse(condition ?? "[]");
  return clauses.every((clause) => clause.some(([name, values, negated]) => values.includes(String(answerTo(name))) !== negated));
}

/** Questions whose answers have conditions. */
const conditional = [...form.querySelectorAll("select")].filter((select) => select.querySelector("option[data-fits]"));
/** Their chosen answers, including those that are not available now. */
const chosenAnswers = new Map(conditional.map((select) => [select, select.value]));

/** Disable unavailable answers and show only the relevant questions. */
function fitAnswers() {
  for (const select of conditional) {
    for (const option of select.options) option.disabled = !holds(option.dataset.fits);
    // Restore the chosen answer when it is available again.
    const fitting = [...select.options].filter((option) => !option.disabled);
    const replacement = fitting.find((option) => option.value === chosenAnswers.get(select)) ?? fitting[0];
    if (replacement) select.value = replacement.value;
  }
  for (const group of form.querySelectorAll("details")) {
    const fields = [...group.querySelectorAll(".field")].filter((field) => field instanceof HTMLElement);
    for (const field of fields) field.hidden = !holds(field.dataset.relevant);
    group.hidden = fields.every((field) => field.hidden);
  }
  // An order has one more menu than chosen keys, for the next key. Hidden menus are not sent, and
  // retain their values until they are shown again.
  for (const order of form.querySelectorAll('[data-kind="order"]')) {
    const places = [...order.querySelectorAll("select")];
    const firstNone = places.findIndex((place) => place.value === "none");
    places.forEach((place, index) => {
      const label = /** @type {HTMLElement} */ (place.parentElement);
      label.hidden = place.disabled = firstNone >= 0 && index > firstNone;
    });
  }
}

/** Show the server's answer. */
function show() {
  const { heading, link, html, problems = {} } = now;
  if (html !== undefined) get("preview").innerHTML = html;
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
  button.disabled = !link;
  copy.disabled = !link;
  const file = /** @type {HTMLAnchorElement} */ (get("download"));
  const lessons = /** @type {HTMLAnchorElement} */ (get("learn"));
  for (const each of [file, lessons]) each.toggleAttribute("hidden", !link);
  if (!link) return;
  lessons.href = href(link.replace("/box?", "/learn/-?"));
  file.href = now.file ?? "";
  address.value = new URL(href(link), location.href).href;
  refreshOptions(playing, { first: now.first, second: now.second });
}

/** @returns {URLSearchParams} answers in the form */
function answers() {
  return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Send the answers to the server; only its latest reply counts. @returns {Promise<boolean>} false without a reply */
async function requestRules() {
  const number = ++requestCount;
  const query = answers();
  query.set("lang", document.documentElement.lang);
  const { ok, data } = await request(`/api/box?${query}`);
  if (number !== requestCount) return true;
  if (!ok) {
    get("problem").textContent = data?.message ?? t("offline");
    button.disabled = true;
    return false;
  }
  isOutdated = false;
  get("problem").textContent = "";
  now = data;
  show();
  get("announcement").textContent = now.differences ?? Object.values(now.problems ?? {}).join(" ");
  if (!now.link) return true;
  // A reload or a change of language then shows the same box.
  history.replaceState(null, "", href(now.link));
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = now.link;
  return true;
}

/** @param {Event} [event] the change of an answer */
function requestSoon(event) {
  const select = conditional.find((each) => each === event?.target);
  if (select) chosenAnswers.set(select, select.value);
  fitAnswers();
  isOutdated = true;
  clearTimeout(timer);
  timer = setTimeout(requestRules, DEBOUNCE);
}

/** Wait for the rules of the latest answers; return whether they are a box. */
async function upToDate() {
  while (isOutdated) {
    clearTimeout(timer);
    if (!(await requestRules())) return false;
  }
  return Boolean(now.link);
}

function rememberBox() {
  if (now.link) rememberRecent({ title: now.heading, link: now.link, size: now.size });
}

form.addEventListener("input", requestSoon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  requestSoon();
});
// Answers survive a change of the base rule set. The form's link is sent too, because only the link
// has the lists of the box.
base.addEventListener("change", () => {
  const query = answers();
  const touched = !isUnchosen || query.toString() !== untouched;
  query.set("was", was);
  query.set("lang", document.documentElement.lang);
  query.set("base", base.value);
  visit(`/box?${touched ? query : new URLSearchParams({ base: base.value })}`);
});
playing.addEventListener("input", () => refreshOptions(playing, { first: now.first, second: now.second }));
playing.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  if (!(await upToDate())) return;
  rememberBox();
  const order = gameOptions(playing);
  saveChoices(Object.fromEntries(Object.entries(order).map(([name, value]) => [name, String(value)])));
  get("problem").textContent = await start("/api/games", JSON.stringify({ rules: now.rules, ...order }));
  button.disabled = false;
});
const copyWords = copy.textContent;
copy.addEventListener("click", async () => {
  if (!(await upToDate())) return;
  rememberBox();
  try {
    await navigator.clipboard.writeText(address.value);
  } catch {
    // Without clipboard permission, show the address for copying by hand.
    address.hidden = false;
    address.select();
    return;
  }
  copy.textContent = copy.dataset.done ?? "";
  get("announcement").textContent = copy.textContent;
  setTimeout(() => (copy.textContent = copyWords), 2000);
});
for (const id of ["download", "learn"]) {
  const link = get(id);
  link.addEventListener("click", async (event) => {
    if (!isOutdated) return rememberBox();
    event.preventDefault();
    if (await upToDate()) link.click();
  });
}

// On a small screen only the first group of questions is open.
if (matchMedia("(max-width: 760px)").matches) {
  for (const group of form.querySelectorAll("details:not(:first-of-type)")) group.removeAttribute("open");
}
restoreChoices(playing);
fitAnswers();
show();
const was = [...base.options].find((option) => option.defaultSelected)?.value ?? base.value;
const untouched = answers().toString();
const isUnchosen = location.search === "" || /^\?base=[a-z0-9-]+$/.test(location.search);
if (now.link && new URLSearchParams(location.search).has("was")) history.replaceState(null, "", href(now.link));
listRecent(get("recent"));
