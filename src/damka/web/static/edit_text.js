/** Pasted texts: FEN, PDN or game files. */

import { t } from "./i18n.js";
import { get } from "./opponent.js";
import { request } from "./transport.js";

const PDN = "application/x-draughts-pdn";
const JSON_TYPE = "application/json";

/** @typedef {{path: string, title: string, fen: string, start: string, plies: number}} ReadPosition */
/** @typedef {{number: number, error?: string, white: string, black: string, date: string, result: string, rules: string, plies: number}} ListedGame */
/** @typedef {{number: number, sentence: string, named: string, chosen: string, error: string | null}} Choice */
/** @typedef {{game?: number, read_as?: "named" | "chosen", partial?: boolean, after?: number, labels?: boolean}} ReadOptions */

const sheet = /** @type {HTMLDialogElement} */ (get("reading"));
const problem = get("reading-problem");
const list = get("reading-list");
const form = /** @type {HTMLFormElement} */ (get("load-form"));
const area = /** @type {HTMLTextAreaElement} */ (get("load-text"));
const file = /** @type {HTMLInputElement} */ (get("load-file"));

/** Length of a text that is too long to correct in the field. */
const TOO_LONG = 200_000;

/** Number of the latest request: answers to older ones are ignored. */
let latest = 0;

/**
 * Read a text by the rules of a query; several games or rules are shown in a dialog.
 * @param {string} query
 * @param {string} text
 * @param {(read: any) => void} use receives a ReadPosition, or what the request of another path returns
 * @param {ReadOptions} [options]
 * @param {string} [path] of the request: it decides what is read
 * @returns {Promise<void>}
 */
export async function readText(query, text, use, options = {}, path = "/api/position") {
  const number = ++latest;
  const parameters = new URLSearchParams(query);
  parameters.set("lang", document.documentElement.lang);
  for (const [name, value] of Object.entries(options)) if (value !== undefined) parameters.set(name, String(value));
  // A game file is JSON; a PDN comment also begins with a brace.
  const type = /^\s*\{\s*("|$)/.test(text.slice(0, 100)) ? JSON_TYPE : PDN;
  const { ok, data } = await request(`${path}?${parameters}`, { body: text, type });
  if (number !== latest) return;
  /** @param {ReadOptions} more */
  const again = (more) => () => readText(query, text, use, { ...options, ...more }, path);
  if (!ok) {
    const { message = t("offline"), plies, line, column } = data ?? {};
    ask(message, plies === undefined ? [] : [[partialWords(plies), again({ partial: true })]]);
    receive = (corrected) => void readText(query, corrected, use, { labels: options.labels }, path);
    return showText(text, line, column);
  }
  if (data.choice) {
    const { number: game, sentence, named, chosen, error } = /** @type {Choice} */ (data.choice);
    const asNamed = again({ game, read_as: "named" });
    // The file says which game it is, and nothing else is possible.
    if (error !== null) return asNamed();
    return ask(sentence, [
      [t("edit.say.keep", { title: chosen }), again({ game, read_as: "chosen" })],
      [t("edit.say.switch", { title: named }), asNamed],
    ]);
  }
  if (data.games) {
    const games = /** @type {ListedGame[]} */ (data.games);
    /** @type {[string, () => void][]} */
    const more = data.more ? [[sheet.dataset.more ?? "", again({ after: games[games.length - 1].number })]] : [];
    const words = (sheet.dataset.which ?? "").replace("{n}", `${games.length}${data.more ? "+" : ""}`);
    return ask(words, [...games.map((game) => offer(game, again({ game: game.number, after: undefined }))), ...more]);
  }
  sheet.close();
  use(data);
}

/** @param {number} plies */
const partialWords = (plies) => (sheet.dataset.partial ?? "").replace("{n}", String(Math.ceil(plies / 2)));

/** @param {ListedGame} game @param {() => void} act @returns {[string, () => void]} */
function offer({ white, black, date, result, rules, plies }, act) {
  const names = white || black ? `${white || "?"} – ${black || "?"}` : rules;
  const moves = (sheet.dataset.plies ?? "").replace("{n}", String(Math.ceil(plies / 2)));
  return [[names, date, result, moves].filter(Boolean).join(" · "), act];
}

/** @param {string} words @param {[string, () => void][]} offers */
function ask(words, offers) {
  form.hidden = true;
  problem.className = "";
  if (!sheet.open) sheet.showModal();
  problem.textContent = words;
  list.replaceChildren(
    ...offers.map(([label, act]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button quiet", textContent: label });
      button.addEventListener("click", act);
      return button;
    }),
  );
  /** @type {HTMLElement | null} */ (list.querySelector("button"))?.focus();
}

/**
 * Show a text that cannot be read in the field, with the word of the fault selected.
 * @param {string} text @param {number} [line] @param {number} [column] in characters
 */
function showText(text, line, column = 1) {
  if (area.value !== text) area.value = text.length > TOO_LONG ? "" : text;
  form.hidden = false;
  problem.className = "problem";
  area.setAttribute("aria-invalid", String(area.value !== ""));
  area.focus();
  if (!line || !area.value) return;
  // The field has its own line breaks.
  const shown = area.value;
  const lines = shown.split("\n");
  const before = [...lines.slice(0, line - 1), [...(lines[line - 1] ?? "")].slice(0, column - 1).join("")].join("\n");
  const [word] = /^\S*/.exec(shown.slice(before.length)) ?? [""];
  // The height of the text before the fault is where to scroll to.
  area.value = before;
  const { scrollHeight } = area;
  area.value = shown;
  area.setSelectionRange(before.length, before.length + word.length);
  area.scrollTop = scrollHeight - area.clientHeight / 2;
}

/** Receives a text of the dialog. @type {(text: string) => void} */
let receive = () => {};
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (area.value.trim()) receive(area.value);
});
area.addEventListener("input", () => area.setAttribute("aria-invalid", "false"));
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  if (chosen) receive(await chosen.text());
  file.value = "";
});

/** Open the dialog for a text or a file. @param {(text: string) => void} read */
export function openLoad(read) {
  receive = read;
  [area.value, problem.textContent] = ["", ""];
  problem.className = "problem";
  area.removeAttribute("aria-invalid");
  list.replaceChildren();
  form.hidden = false;
  sheet.showModal();
  area.focus();
}

// A click outside the dialog closes it.
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
sheet.addEventListener("close", () => {
  latest += 1;
  problem.textContent = "";
});
