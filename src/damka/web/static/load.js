/** Dialog that loads a game from a file or a pasted text, with a choice among several games. */

import { t } from "./i18n.js";
import { gameOptions, get } from "./opponent.js";
import { request, visit } from "./transport.js";

const PDN = "application/x-draughts-pdn";
const JSON_TYPE = "application/json";
// Debounce of the search, in milliseconds
const SEARCH_DEBOUNCE = 250;
// Lists up to this length have no search
const SEARCH_FROM = 8;

/** @typedef {{number: number, error?: string, white: string, black: string, date: string, result: string, rules: string, plies: number}} ListedGame */
/** @typedef {{number: number, sentence: string, named: string, chosen: string, error: string | null}} Choice */
/** @typedef {{game?: number, read_as?: "named" | "chosen", partial?: boolean, after?: number, find?: string}} LoadOptions */

const sheet = /** @type {HTMLDialogElement} */ (get("loading"));
const problem = get("load-problem");
const options = get("load-ways");
const listSection = get("load-found");
const countLine = get("load-which");
const search = /** @type {HTMLInputElement} */ (get("load-find"));
const games = get("load-games");
const moreButton = get("load-more");
const file = /** @type {HTMLInputElement} */ (get("load"));
const pasted = /** @type {HTMLTextAreaElement} */ (get("pasted"));
const loadButton = /** @type {HTMLButtonElement} */ (get("load-pasted"));
const form = /** @type {HTMLFormElement} */ (get("new"));
const maxBytes = Number(sheet.dataset.most);

/** Sentence of this dialog, with an optional number. @param {"which" | "found" | "unnamed" | "plies" | "tooLarge" | "partial"} name @param {string | number} [n] */
const sentenceOf = (name, n = "") => (sheet.dataset[name] ?? "").replace("{n}", String(n));

/** Number of the latest request: answers to older ones are ignored. */
let latestRequest = 0;
/** @type {Blob} text of the listed games */
let listed = new Blob();
let last = 0; // number of the last listed game
let searching = 0;

/** @param {string} text @param {[label: string, act: () => void][]} [offers] @param {boolean} [asks] whether the text is a question, not an error */
function showProblem(text, offers = [], asks = false) {
  problem.textContent = text;
  problem.classList.toggle("asks", asks);
  options.hidden = !offers.length;
  options.replaceChildren(
    ...offers.map(([label, act]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button quiet", textContent: label });
      button.addEventListener("click", act);
      return button;
    }),
  );
  if (text) (offers.length ? options : problem).scrollIntoView({ block: "nearest" });
}

/** Choices on the start page: game and opponent. */
function chosen() {
  const { rules, obligation } = Object.fromEntries(new FormData(form));
  const { opponent, level } = gameOptions(form);
  // An opponent on another device is invited from the game page.
  return { rules, obligation, level, opponent: opponent === "computer" ? opponent : "person" };
}

/**
 * Load PDN text, or one of its games; list them if there are several.
 * @param {Blob} text
 * @param {LoadOptions} [loadOptions]
 */
async function load(text, loadOptions = {}) {
  const number = ++latestRequest;
  const listing = loadOptions.find !== undefined;
  showProblem("");
  if (!listing && loadOptions.game === undefined) listSection.hidden = true;
  if (text.size > maxBytes) {
    showProblem(sentenceOf("tooLarge", Math.floor(maxBytes / 2 ** 20)));
    return;
  }
  // A game file is JSON; a PDN comment also begins with a brace.
  const isFile = /^\s*\{\s*("|$)/.test(await text.slice(0, 100).text());
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...chosen(), ...loadOptions })) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  sheet.ariaBusy = "true";
  // As text it has no byte order mark; PDN may be in any encoding.
  const body = isFile ? await text.text() : text;
  const content = { body, type: isFile ? JSON_TYPE : PDN };
  const { ok, data } = await request(`/api/games/load?${query}`, content);
  if (number !== latestRequest) return;
  sheet.ariaBusy = null;
  if (!ok) {
    const { message = t("offline"), plies } = data ?? {};
    const loadPartially = () => load(text, { ...loadOptions, partial: true });
    showProblem(message, plies === undefined ? [] : [[sentenceOf("partial", Math.ceil(plies / 2)), loadPartially]]);
  } else if (data.choice) choose(text, loadOptions, data.choice);
  else if (data.games) list(text, data.games, data.more, loadOptions);
  else visit(data.url);
}

/** Ask for the rules to use if the text names other rules than the chosen ones. @param {Blob} text @param {LoadOptions} loadOptions @param {Choice} choice */
function choose(text, loadOptions, { number, sentence, named, chosen, error }) {
  /** @type {(title: string, read_as: "named" | "chosen") => [string, () => void]} */
  const option = (title, read_as) => [
    (sheet.dataset.as ?? "").replace("{title}", title),
    () => load(text, { ...loadOptions, game: number, read_as }),
  ];
  const fits = error === null;
  showProblem(fits ? sentence : `${sentence} ${chosen}: ${error}`, [option(named, "named"), ...(fits ? [option(chosen, "chosen")] : [])], fits);
  /** @type {HTMLElement | null} */ (options.querySelector("button"))?.focus();
}

/**
 * @param {Blob} text
 * @param {ListedGame[]} entries
 * @param {boolean} hasMore whether there are more games
 * @param {LoadOptions} loadOptions
 */
function list(text, entries, hasMore, { after, find }) {
  const items = entries.map((game) => entry(game, () => load(text, { game: game.number })));
  listed = text;
  last = entries.at(-1)?.number ?? last;
  if (after) games.append(...items);
  else games.replaceChildren(...items);
  const n = games.children.length;
  countLine.textContent = sentenceOf(find ? "found" : "which", hasMore ? `${n}+` : n);
  moreButton.hidden = !hasMore;
  if (find === undefined) {
    search.value = "";
    search.hidden = !hasMore && n <= SEARCH_FROM;
    listSection.hidden = false;
    countLine.focus();
    listSection.scrollIntoView({ block: "start" });
  } else if (after) items[0]?.querySelector("button")?.focus();
}

/** @param {ListedGame} game @param {() => void} choose */
function entry(game, choose) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const names = document.createElement("b");
  const hasNames = game.white || game.black;
  names.textContent = hasNames ? `${game.white || sentenceOf("unnamed")} – ${game.black || sentenceOf("unnamed")}` : game.rules;
  const about = document.createElement("small");
  const details = [game.date, game.result, hasNames && game.rules, sentenceOf("plies", Math.ceil(game.plies / 2))];
  about.textContent = details.filter(Boolean).join(" · ");
  button.append(names, about);
  if (game.error !== undefined) {
    const error = document.createElement("small");
    error.className = "wrong";
    error.textContent = game.error;
    button.append(error);
  }
  button.addEventListener("click", choose);
  item.append(button);
  return item;
}

get("open-load").addEventListener("click", () => {
  const box = /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked"));
  const note = get("load-chosen");
  note.textContent = (note.dataset.words ?? "").replace("{title}", box.dataset.title ?? "");
  sheet.showModal();
});
// A click outside the dialog closes it.
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
sheet.addEventListener("close", () => {
  latestRequest += 1;
  clearTimeout(searching);
  sheet.ariaBusy = null;
});
file.addEventListener("change", async () => {
  const [first] = file.files ?? [];
  if (first) await load(first);
  file.value = "";
});
pasted.addEventListener("input", () => {
  loadButton.disabled = !pasted.value.trim();
});
search.addEventListener("input", () => {
  clearTimeout(searching);
  searching = setTimeout(() => load(listed, { find: search.value.trim(), after: 0 }), SEARCH_DEBOUNCE);
});
search.addEventListener("keydown", (event) => {
  // Enter would load the pasted text again.
  if (event.key === "Enter") event.preventDefault();
});
moreButton.addEventListener("click", () => load(listed, { find: search.value.trim(), after: last }));
get("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!loadButton.disabled) void load(new Blob([pasted.value]));
});
