/** Your games: filters, further games, titles, removal, and the next level. */

import "./header.js";
import { t } from "./i18n.js";
import { start } from "./start.js";
import { loadPage, request, visit } from "./transport.js";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {Element | null} row */
const gameOf = (row) => /** @type {HTMLElement} */ (row?.closest("[data-game]"));
/** @param {string} id @returns {HTMLElement} a copy of the template's content */
const copyOf = (id) =>
  /** @type {HTMLElement} */ (/** @type {HTMLTemplateElement} */ (get(id)).content.firstElementChild?.cloneNode(true));

// Debounce of the filters, in milliseconds
const FILTER_DEBOUNCE = 200;

const lists = document.getElementById("lists");
const filters = /** @type {HTMLFormElement | null} */ (document.getElementById("filters"));
const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });

/** Announce text to screen readers, which ignore an unchanged text. @param {string} text */
function say(text) {
  const said = get("said");
  said.textContent = said.textContent === text ? `${text}\u00a0` : text;
}

/** Announce a change of a game. @param {"removed" | "back" | "renamed"} what */
const sayChange = (what) => say(get("said").dataset[what] ?? "");

/** Show the buttons and local dates of new entries. @param {ParentNode} part */
function enable(part) {
  for (const button of part.querySelectorAll(/** @type {"button"} */ ("[data-do]"))) button.hidden = false;
  for (const time of part.querySelectorAll("time")) time.textContent = day.format(new Date(time.dateTime));
}

/** @param {HTMLElement} game @param {object} change @returns {Promise<string>} an error message, or "" */
async function change(game, change) {
  game.querySelector(":scope > .problem")?.remove();
  const body = JSON.stringify(change);
  const { ok, data } = await request(`/api/games/${game.dataset.game}/listing`, { body, type: "application/json" });
  return ok ? "" : (data?.message ?? t("offline"));
}

// Titles

/** @param {HTMLElement} game */
function rename(game) {
  const form = /** @type {HTMLFormElement} */ (copyOf("rename-form"));
  const [input, problem] = [form.querySelector("input"), form.querySelector(".problem")];
  if (!input || !problem) return;
  const close = () => {
    form.remove();
    game.classList.remove("editing");
    /** @type {HTMLElement | null} */ (game.querySelector("[data-do=rename]"))?.focus();
  };
  input.value = game.dataset.title ?? "";
  input.placeholder = game.dataset.rules ?? "";
  form.querySelector("[data-cancel]")?.addEventListener("click", close);
  form.addEventListener("keydown", (event) => event.key === "Escape" && close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = await change(game, { title: input.value });
    if (problem.textContent) return input.focus();
    showTitle(game, input.value.trim().replace(/\s+/g, " "));
    close();
    sayChange("renamed");
  });
  game.classList.add("editing");
  game.append(form);
  input.focus();
  input.select();
}

/** @param {HTMLElement} game @param {string} title "" for the name of the rules */
function showTitle(game, title) {
  const rules = game.dataset.rules ?? "";
  const [old, shown] = [game.dataset.title || rules, title || rules];
  game.dataset.title = title;
  const name = game.querySelector(".name");
  if (name) name.textContent = shown;
  game.querySelector(".kind")?.toggleAttribute("hidden", !title);
  for (const tool of game.querySelectorAll(".tools [aria-label]")) {
    const label = tool.getAttribute("aria-label") ?? "";
    if (label.endsWith(old)) tool.setAttribute("aria-label", label.slice(0, -old.length) + shown);
  }
}

// Removal

/** @param {HTMLElement} game */
async function remove(game) {
  if (game.ariaBusy) return;
  game.ariaBusy = "true";
  const error = await change(game, { removed: true });
  game.ariaBusy = null;
  if (error) return showProblem(game, error);
  const row = copyOf("removed-row");
  const button = row.querySelector("button");
  button?.addEventListener("click", async () => {
    const failed = await change(game, { removed: false });
    if (failed) return showProblem(game, failed);
    row.remove();
    game.classList.remove("gone");
    /** @type {HTMLElement | null} */ (game.querySelector("[data-do=remove]"))?.focus();
    sayChange("back");
  });
  game.classList.add("gone");
  game.append(row);
  button?.focus();
  sayChange("removed");
}

/** @param {HTMLElement} game @param {string} text */
function showProblem(game, text) {
  const problem = document.createElement("p");
  problem.className = "problem";
  problem.setAttribute("role", "alert");
  game.append(problem);
  problem.textContent = text;
}

// Filters and further games

/** @returns {string} path of the page with the chosen filters */
function chosenPath() {
  const chosen = [...new FormData(/** @type {HTMLFormElement} */ (filters))].filter(([, value]) => value);
  const query = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]));
  return chosen.length ? `/games?${query}` : "/games";
}

/** Number of the latest list: answers for older ones are ignored. */
let latest = 0;
let timer = 0;

async function applyFilters() {
  clearTimeout(timer);
  const number = ++latest;
  const path = chosenPath();
  const page = await loadPage(path);
  if (number !== latest || !lists) return;
  if (!page) return visit(path);
  lists.replaceChildren(...(page.getElementById("lists")?.childNodes ?? []));
  document.querySelector(".levels")?.replaceWith(...[page.querySelector(".levels") ?? emptyLevels()]);
  enable(lists);
  say([...lists.querySelectorAll("h2, .no-match")].map(({ textContent }) => textContent).join(", "));
  const query = path.split("?")[1];
  history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}`);
}

/** Keep the place of the results while no game matches. */
function emptyLevels() {
  const section = document.createElement("section");
  section.className = "levels";
  section.hidden = true;
  return section;
}

/** @param {HTMLElement} link */
async function showMore(link) {
  const key = link.dataset.more;
  const number = latest;
  const page = await loadPage(link.dataset.path ?? "");
  if (number !== latest) return;
  const list = document.querySelector(`[data-section="${key}"]`);
  if (!page || !list) return visit(link.dataset.path ?? "");
  const known = new Set([...list.children].map((game) => game.getAttribute("data-game")));
  // A game that has moved up in the meantime may come again.
  const more = [...page.querySelectorAll(`[data-section="${key}"] > li`)].filter(
    (game) => !known.has(game.getAttribute("data-game")),
  );
  list.append(...more);
  enable(list);
  const next = page.querySelector(`[data-more="${key}"]`);
  if (next) link.replaceWith(next);
  else link.remove();
  more[0]?.querySelector("a")?.focus();
}

lists?.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const tool = /** @type {HTMLElement | null} */ (target.closest("[data-do]"));
  const more = /** @type {HTMLElement | null} */ (target.closest("[data-more]"));
  if (tool?.dataset.do === "rename") rename(gameOf(tool));
  else if (tool) void remove(gameOf(tool));
  else if (more) {
    event.preventDefault();
    void showMore(more);
  }
});
filters?.addEventListener("submit", (event) => {
  event.preventDefault();
  void applyFilters();
});
filters?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => void applyFilters(), FILTER_DEBOUNCE);
});
filters?.querySelector("button")?.remove();

const next = /** @type {HTMLButtonElement | null} */ (document.getElementById("next"));
if (next) next.hidden = false;
next?.addEventListener("click", async () => {
  next.disabled = true;
  get("next-problem").textContent = await start("/api/games", next.dataset.request ?? "");
  next.disabled = false;
});
if (lists) enable(lists);
// A page restored from the back/forward cache may list outdated games.
addEventListener("pageshow", (event) => event.persisted && location.reload());
