/** Dialog that loads a game from a file or a pasted text, with a choice among several games. */

import { t } from "./i18n.js";
import { gameOptions, get } from "./opponent.js";
import { request, visit } from "./transport.js";

const PDN = "application/x-draughts-pdn";
const JSON_TYPE = "application/json";
// Debounce of the search, in milliseconds
const SEARCH_PAUSE = 250;
// Lists up to this length have no search
const SHORT = 8;

/** @typedef {{number: number, error?: string, white: string, black: string, date: string, result: string, rules: string, plies: number}} Listed */
/** @typedef {{number: number, sentence: string, named: string, chosen: string, error: string | null}} Choice */
/** @typedef {{game?: number, read_as?: "named" | "chosen", partial?: boolean, after?: number, find?: string}} Wanted */

const sheet = /** @type {HTMLDialogElement} */ (get("loading"));
const problem = get("load-problem");
const ways = get("load-ways");
const found = get("load-found");
const which = get("load-which");
const search = /** @type {HTMLInputElement} */ (get("load-find"));
const games = get("load-games");
const more = get("load-more");
const file = /** @type {HTMLInputElement} */ (get("load"));
const pasted = /** @type {HTMLTextAreaElement} */ (get("pasted"));
const go = /** @type {HTMLButtonElement} */ (get("load-pasted"));
const form = /** @type {HTMLFormElement} */ (get("new"));
const most = Number(sheet.dataset.most);

/** Sentence of this dialog, with an optional number. @param {"which" | "found" | "unnamed" | "plies" | "tooLarge" | "partial"} name @param {string | number} [n] */
const words = (name, n = "") => (sheet.dataset[name] ?? "").replace("{n}", String(n));

/** Number of the latest request: answers to older ones are ignored. */
let latest = 0;
/** @type {Blob} text of the listed games */
let listed = new Blob();
let last = 0; // number of the last listed game
let searching = 0;

/** @param {string} text @param {[label: string, act: () => void][]} [offers] @param {boolean} [asks] whether the text is a question, not an error */
function complain(text, offers = [], asks = false) {
  problem.textContent = text;
  problem.classList.toggle("asks", asks);
  ways.hidden = !offers.length;
  ways.replaceChildren(
    ...offers.map(([label, act]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button quiet", textContent: label });
      button.addEventListener("click", act);
      return button;
    }),
  );
  if (text) (offers.length ? ways : problem).scrollIntoView({ block: "nearest" });
}

/** Choices on the start page: game and opponent. */
function chosen() {
  const { rules, obligation } = Object.fromEntries(new FormData(form));
  const { opponent, level } = gameOptions(form);
  // An opponent at another device is invited from the game page.
  return { rules, obligation, level, opponent: opponent === "computer" ? opponent : "person" };
}

/**
 * Load a text, or one of its games; list them if there are several.
 * @param {Blob} text
 * @param {Wanted} [wanted]
 */
async function load(text, wanted = {}) {
  const mine = ++latest;
  const listing = wanted.find !== undefined;
  complain("");
  if (!listing && wanted.game === undefined) found.hidden = true;
  if (text.size > most) {
    complain(words("tooLarge", Math.floor(most / 2 ** 20)));
    return;
  }
  // A game file is JSON; a PDN comment also begins with a brace.
  const isFile = /^\s*\{\s*("|$)/.test(await text.slice(0, 100).text());
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...chosen(), ...wanted })) {
    if (value !== undefined && value !== "") asked.set(name, String(value));
  }
  sheet.ariaBusy = "true";
  // As text it has no byte order mark; PDN may be in any encoding.
  const body = isFile ? await text.text() : text;
  const sent = { body, type: isFile ? JSON_TYPE : PDN };
  const { ok, told } = await request(`/api/games/load?${asked}`, sent);
  if (mine !== latest) return;
  sheet.ariaBusy = null;
  if (!ok) {
    const { message = t("offline"), plies } = told ?? {};
    const rest = () => load(text, { ...wanted, partial: true });
    complain(message, plies === undefined ? [] : [[words("partial", plies), rest]]);
  } else if (told.choice) choose(text, wanted, told.choice);
  else if (told.games) list(text, told.games, told.more, wanted);
  else visit(told.url);
}

/** Ask for the rules to use if the text names other rules than the chosen ones. @param {Blob} text @param {Wanted} wanted @param {Choice} choice */
function choose(text, wanted, { number, sentence, named, chosen, error }) {
  /** @type {(title: string, read_as: "named" | "chosen") => [string, () => void]} */
  const way = (title, read_as) => [
    (sheet.dataset.as ?? "").replace("{title}", title),
    () => load(text, { ...wanted, game: number, read_as }),
  ];
  const fits = error === null;
  complain(fits ? sentence : `${sentence} ${chosen}: ${error}`, [way(named, "named"), ...(fits ? [way(chosen, "chosen")] : [])], fits);
  /** @type {HTMLElement | null} */ (ways.querySelector("button"))?.focus();
}

/**
 * @param {Blob} text
 * @param {Listed[]} entries
 * @param {boolean} goesOn whether there are more games
 * @param {Wanted} wanted
 */
function list(text, entries, goesOn, { after, find }) {
  const items = entries.map((game) => entry(game, () => load(text, { game: game.number })));
  listed = text;
  last = entries.at(-1)?.number ?? last;
  if (after) games.append(...items);
  else games.replaceChildren(...items);
  const n = games.children.length;
  which.textContent = words(find ? "found" : "which", goesOn ? `${n}+` : n);
  more.hidden = !goesOn;
  if (find === undefined) {
    search.value = "";
    search.hidden = !goesOn && n <= SHORT;
    found.hidden = false;
    which.focus();
    found.scrollIntoView({ block: "start" });
  } else if (after) items[0]?.querySelector("button")?.focus();
}

/** @param {Listed} game @param {() => void} choose */
function entry(game, choose) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const names = document.createElement("b");
  const known = game.white || game.black;
  names.textContent = known ? `${game.white || words("unnamed")} – ${game.black || words("unnamed")}` : game.rules;
  const about = document.createElement("small");
  const told = [game.date, game.result, known && game.rules, words("plies", game.plies)];
  about.textContent = told.filter(Boolean).join(" · ");
  button.append(names, about);
  if (game.error !== undefined) {
    const wrong = document.createElement("small");
    wrong.className = "wrong";
    wrong.textContent = game.error;
    button.append(wrong);
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
  latest += 1;
  clearTimeout(searching);
  sheet.ariaBusy = null;
});
file.addEventListener("change", async () => {
  const [first] = file.files ?? [];
  if (first) await load(first);
  file.value = "";
});
pasted.addEventListener("input", () => {
  go.disabled = !pasted.value.trim();
});
search.addEventListener("input", () => {
  clearTimeout(searching);
  searching = setTimeout(() => load(listed, { find: search.value.trim(), after: 0 }), SEARCH_PAUSE);
});
search.addEventListener("keydown", (event) => {
  // Enter would load the pasted text again.
  if (event.key === "Enter") event.preventDefault();
});
more.addEventListener("click", () => load(listed, { find: search.value.trim(), after: last }));
get("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!go.disabled) void load(new Blob([pasted.value]));
});
