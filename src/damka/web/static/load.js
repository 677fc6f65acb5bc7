/** The dialog that loads a game: from a file or a pasted text, which may hold several to choose from. */

import { t } from "./i18n.js";
import { gameOptions, get } from "./opponent.js";
import { request, visit } from "./transport.js";

const PDN = "application/x-draughts-pdn";
const JSON_TYPE = "application/json";

/** @typedef {{number: number, error?: string, white: string, black: string, date: string, result: string, rules: string, plies: number}} Listed */

const sheet = /** @type {HTMLDialogElement} */ (get("loading"));
const problem = get("load-problem");
const found = get("load-found");
const which = get("load-which");
const games = get("load-games");
const more = get("load-more");
const file = /** @type {HTMLInputElement} */ (get("load"));
const pasted = /** @type {HTMLTextAreaElement} */ (get("pasted"));
const go = /** @type {HTMLButtonElement} */ (get("load-pasted"));
const most = Number(sheet.dataset.most);

/** A sentence of this dialog, with a number in it. @param {"which" | "more" | "unnamed" | "plies" | "tooLarge"} name @param {string | number} [n] */
const words = (name, n = "") => (sheet.dataset[name] ?? "").replace("{n}", String(n));

/** The latest request: the answer to an older one is not shown. */
let latest = 0;

/** @param {string} text */
function complain(text) {
  problem.textContent = text;
  if (text) problem.scrollIntoView({ block: "nearest" });
}

/**
 * Load a text, or its game with a number; list the games if there are several.
 * @param {Blob} text
 * @param {number} [number]
 */
async function load(text, number) {
  const mine = ++latest;
  complain("");
  if (number === undefined) found.hidden = true;
  if (text.size > most) {
    complain(words("tooLarge", Math.floor(most / 2 ** 20)));
    return;
  }
  // A game file is JSON; a comment may begin with a brace as well.
  const isFile = /^\s*\{\s*("|$)/.test(await text.slice(0, 100).text());
  const form = /** @type {HTMLFormElement} */ (get("new"));
  const { opponent, level } = gameOptions(form);
  const asked = new URLSearchParams({ opponent: String(opponent), level: String(level) });
  if (number !== undefined) asked.set("game", String(number));
  sheet.ariaBusy = "true";
  // As text it has no mark of the byte order; PDN may be in any encoding.
  const body = isFile ? await text.text() : text;
  const sent = { body, type: isFile ? JSON_TYPE : PDN };
  const { ok, told } = await request(`/api/games/load?${asked}`, sent);
  if (mine !== latest) return;
  sheet.ariaBusy = null;
  if (!ok) complain(told?.message ?? t("offline"));
  else if (told.games) list(text, told.games, told.more);
  else visit(told.url);
}

/**
 * @param {Blob} text
 * @param {Listed[]} listed
 * @param {boolean} cut whether there are more than are listed
 */
function list(text, listed, cut) {
  which.textContent = words("which", cut ? `${listed.length}+` : listed.length);
  games.replaceChildren(...listed.map((game) => entry(game, () => load(text, game.number))));
  more.textContent = cut ? words("more", listed.length) : "";
  found.hidden = false;
  which.focus();
  found.scrollIntoView({ block: "start" });
}

/** @param {Listed} game @param {() => void} choose */
function entry(game, choose) {
  const item = document.createElement("li");
  if (game.error !== undefined) {
    item.className = "wrong";
    item.textContent = game.error;
    return item;
  }
  const button = document.createElement("button");
  button.type = "button";
  const names = document.createElement("b");
  const known = game.white || game.black;
  names.textContent = known ? `${game.white || words("unnamed")} – ${game.black || words("unnamed")}` : game.rules;
  const about = document.createElement("small");
  const told = [game.date, game.result, known && game.rules, words("plies", game.plies)];
  about.textContent = told.filter(Boolean).join(" · ");
  button.append(names, about);
  button.addEventListener("click", choose);
  item.append(button);
  return item;
}

get("open-load").addEventListener("click", () => sheet.showModal());
// A click beside the dialog closes it.
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
sheet.addEventListener("close", () => {
  latest += 1;
  sheet.ariaBusy = null;
});
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  if (chosen) await load(chosen);
  file.value = "";
});
pasted.addEventListener("input", () => {
  go.disabled = !pasted.value.trim();
});
get("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!go.disabled) void load(new Blob([pasted.value]));
});
