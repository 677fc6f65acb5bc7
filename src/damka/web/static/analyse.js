/**
 * Page Analyse: the board editor. `edit_state.js` has the position; this module shows it, writes it
 * into the address, and requests its description by the rules.
 */

import "./header.js";
import { EditBoard } from "./edit_board.js";
import { format, parse } from "./edit_fen.js";
import { Palette, TOOLS } from "./edit_palette.js";
import { savePng } from "./edit_picture.js";
import { offerGame } from "./edit_play.js";
import * as editing from "./edit_state.js";
import { copy, readText } from "./edit_text.js";
import { page, t } from "./i18n.js";
import { get, lastChoice } from "./opponent.js";
import { GREEN_AND_BUFF, paint } from "./pieces.js";
import { prefs } from "./prefs.js";
import { recent } from "./recent.js";
import { href, request, visit } from "./transport.js";

// Milliseconds: delay of the requests for a description, and of another one without an answer
const DEBOUNCE = 150;
const RETRY = 5000;

customElements.define("damka-board", EditBoard);

const rules = /** @type {RulesData} */ (page.rules);
const edit = /** @type {EditData} */ (page.edit);
const board = /** @type {EditBoard} */ (get("board"));
const status = get("status");
const announcement = get("announcement");
const action = /** @type {HTMLButtonElement} */ (get("status-action"));
const fens = [get("fen"), get("fen-library")].map((each) => /** @type {HTMLInputElement} */ (each));
const games = /** @type {HTMLSelectElement} */ (get("game"));
const buttons = /** @type {Record<string, HTMLButtonElement>} */ (
  Object.fromEntries(["undo", "redo", "start", "clear", "flip", "mirror"].map((id) => [id, get(id)]))
);

/** @type {EditPosition} */
const START = { pieces: edit.start, turn: rules.first };
let state = editing.begin(START);
/** Square of the piece to move with the next tap, 0 for none. */
let held = 0;
let requestCount = 0;
let timer = 0;

const hasLabels = edit.order !== undefined || rules.names !== undefined;
const libraryFen = () => format(state.position);
const boardFen = () => format(state.position, rules.names, edit.order);
const isStart = () => state.position.pieces === START.pieces && state.position.turn === START.turn;

/** Path of the page with a position. @param {string} path @param {string} fen "" for the start position */
const withFen = (path, fen) => (fen ? `${path}${path.includes("?") ? "&" : "?"}fen=${encodeFen(fen)}` : path);
/** Encode a position for a query; colons and commas stay readable. @param {string} fen */
const encodeFen = (fen) => encodeURIComponent(fen).replace(/%3A/g, ":").replace(/%2C/g, ",");
const currentPath = () => withFen(edit.path, isStart() ? "" : libraryFen());
const picturePath = () => `/position.svg?${edit.query}&fen=${encodeFen(libraryFen())}${board.flipped ? "&flip=1" : ""}`;

// Changes

/** @param {EditState} next @param {string} [words] announced to screen readers */
function become(next, words = "") {
  if (words) announcement.textContent = words;
  if (next === state) return;
  state = next;
  show();
}

/** @param {EditPosition} position @param {string} [words] */
const change = (position, words) => become(editing.change(state, position), words);

/** Put a piece on a square, or remove what is there. @param {number} square @param {string} piece */
function place(square, piece) {
  hold(0);
  const position = editing.use(state.position, square, piece);
  const now = editing.at(position, square);
  const square_name = board.name(square);
  change(
    position,
    now === "." ? t("edit.say.removed", { square: square_name }) : t("edit.say.placed", { square: square_name, piece: board.pieceName(now) }),
  );
}

/** @param {number} from @param {number} to 0 for off the board */
function slide(from, to) {
  if (from === to) return hold(0);
  const piece = board.pieceName(editing.at(state.position, from));
  const names = { piece, from: board.name(from), to: to ? board.name(to) : "", square: board.name(from) };
  hold(0);
  change(editing.move(state.position, from, to), t(to ? "edit.say.moved" : "edit.say.removed", names));
}

/** Choose the piece that the next tap moves. @param {number} square 0 for none */
function hold(square) {
  held = square;
  board.hold(square);
}

/** @param {number} square */
function tap(square) {
  const { tool } = palette;
  if (tool) return place(square, tool);
  if (held && held !== square) return slide(held, square);
  const piece = editing.at(state.position, square);
  hold(held || piece === "." ? 0 : square);
  if (held) announcement.textContent = t("edit.say.picked", { square: board.name(square), piece: board.pieceName(piece) });
}

/** Replace the position by that of a text. @param {import("./edit_text.js").ReadPosition} read */
function use({ path, fen, start, plies }) {
  if (path !== edit.path) return void visit(withFen(path, fen));
  showLoaded(fen, plies ? start : "", true);
}

/** Show a loaded position; `other` is the first or the last one of its game. @param {string} fen @param {string} other @param {boolean} isEnd */
function showLoaded(fen, other, isEnd) {
  const position = parse(fen, edit.start.length);
  if (!position) return;
  hold(0);
  const where = other ? t(isEnd ? "edit.say.at_end" : "edit.say.at_start") : "";
  change(position, `${t("edit.say.loaded")} ${where}`.trim());
  if (!other) return;
  offer(where, t(isEnd ? "edit.say.show_start" : "edit.say.show_end"), () => showLoaded(other, fen, !isEnd));
}

/** Show a sentence with a button in the status line until the next change. @param {string} words @param {string} label @param {() => void} act */
function offer(words, label, act) {
  get("note").textContent = words;
  action.textContent = label;
  action.hidden = false;
  action.onclick = act;
}

// Display

function show() {
  const { position, past, future } = state;
  board.show(position.pieces);
  board.blame([]);
  action.hidden = true;
  get("note").textContent = "";
  for (const radio of document.querySelectorAll(/** @type {"input"} */ ("[name=turn]"))) radio.checked = radio.value === position.turn;
  [fens[0].value, fens[1].value] = [boardFen(), libraryFen()];
  get("print-fen").textContent = fens[0].value;
  for (const field of fens) field.removeAttribute("aria-invalid");
  buttons.undo.disabled = !past.length;
  buttons.redo.disabled = !future.length;
  buttons.start.disabled = isStart();
  buttons.clear.disabled = !/[^.]/.test(position.pieces);
  get("svg").setAttribute("href", href(picturePath()));
  clearTimeout(timer);
  timer = setTimeout(() => void describe(), DEBOUNCE);
}

/** Write the position into the address, so that a reload or a change of language keeps it. */
function writeAddress() {
  const path = currentPath();
  history.replaceState(null, "", href(path));
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = path;
}

/** Request the description of the position; only the latest answer counts. */
async function describe() {
  const number = ++requestCount;
  writeAddress();
  const query = new URLSearchParams(edit.query);
  query.set("fen", libraryFen());
  query.set("lang", page.lang);
  const { ok, data } = await request(`/api/position?${query}`);
  if (number !== requestCount) return;
  if (!data) timer = setTimeout(() => void describe(), RETRY);
  const { problem = "offline", sentence = data?.message ?? t("offline"), squares = [] } = ok ? data : {};
  status.classList.toggle("no", problem !== null);
  get("say").textContent = sentence;
  /** @type {HTMLButtonElement} */ (get("open-play")).disabled = problem !== null;
  board.blame(squares);
  if (problem === "crowning_row") offer("", t("edit.say.crown"), () => change(editing.crown(state.position, squares)));
}

function flip() {
  board.flipped = !board.flipped;
  get("svg").setAttribute("href", href(picturePath()));
}

/** Add this browser's house rules to the games. */
function listOwn() {
  const own = recent().map(({ title, link }) => ({ title, path: link.replace("/box?", "/analyse?") }));
  const known = new Set([...games.options].map(({ value }) => value));
  const others = own.filter(({ path }) => !known.has(path));
  if (!others.length) return;
  const group = document.createElement("optgroup");
  group.label = games.dataset.own ?? "";
  group.append(...others.map(({ title, path }) => new Option(title, path)));
  games.append(group);
}

/** Open another game, with the same position if its board has the same squares. */
function changeGame() {
  const { value, selectedOptions } = games;
  const sameBoard = selectedOptions[0]?.dataset.board === edit.board;
  visit(withFen(value, sameBoard && !isStart() ? libraryFen() : ""));
}

// Start

paint(document.body, { ...rules.theme, ...(prefs.plain && GREEN_AND_BUFF) }, prefs.swap);
board.setup(rules, t);
board.label(prefs.numbers);
board.classList.toggle("crowned", prefs.crown);
const palette = new Palette(/** @type {HTMLFieldSetElement} */ (get("palette")), board, (square, piece) => {
  hold(0);
  change(editing.place(state.position, square, piece), t("edit.say.placed", { square: board.name(square), piece: board.pieceName(piece) }));
});
for (const side of /** @type {const} */ (["W", "B"])) get(`turn-${side}`).textContent = rules.colour_names[side];
document.body.classList.toggle("broad", rules.width > rules.height);
get("library-row").hidden = !hasLabels;

/** @param {string} type @param {(detail: any) => void} listen */
const on = (type, listen) => board.addEventListener(type, (event) => listen(/** @type {CustomEvent} */ (event).detail));
on("tap", ({ square }) => tap(square));
on("slide", ({ from, to }) => slide(from, to));
on("cancel", () => (held ? hold(0) : (palette.tool = "")));
on("key", ({ square, key }) => {
  const piece = key === "Delete" || key === "Backspace" || key === "0" ? "." : TOOLS[Number(key)];
  if (!piece) return;
  if (piece === "." && editing.at(state.position, square) === ".") return;
  place(square, piece);
});
get("palette").addEventListener("change", () => hold(0));
for (const radio of document.querySelectorAll(/** @type {"input"} */ ("[name=turn]"))) {
  radio.addEventListener("change", () => change({ ...state.position, turn: radio.value === "W" ? "W" : "B" }));
}
/** @type {Record<string, () => void>} */
const acts = {
  undo: () => become(editing.undo(state)),
  redo: () => become(editing.redo(state)),
  start: () => change(START),
  clear: () => change(editing.clear(state.position)),
  mirror: () => change(editing.mirror(state.position)),
  flip,
};
for (const [id, button] of Object.entries(buttons)) {
  button.addEventListener("click", () => {
    hold(0);
    acts[id]();
    if (button.disabled) board.querySelector(/** @type {"svg"} */ ("[tabindex='0']"))?.focus();
  });
}
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isField(event.target)) return;
  const key = event.key.toLowerCase();
  const act = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
  if (!act) return;
  event.preventDefault();
  hold(0);
  acts[act]();
});

/** @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLInputElement && target.type !== "radio";

/** Read a text. @param {string} text @param {boolean} labels whether its squares are the board's */
const read = (text, labels) => void readText(edit.query, text, use, { labels });

document.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  const i = fens.indexOf(/** @type {HTMLInputElement} */ (event.target));
  if (!text.trim() || (isField(event.target) && i < 0)) return;
  event.preventDefault();
  read(text, i < 1);
});
fens.forEach((field, i) => {
  field.form?.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("change", () => field.value.trim() && field.value !== [boardFen(), libraryFen()][i] && read(field.value, !i));
});
for (const button of document.querySelectorAll(/** @type {"button"} */ ("button[data-copies]"))) {
  const field = /** @type {HTMLInputElement} */ (get(button.dataset.copies ?? ""));
  const text = () => (field.id === "address" ? new URL(href(currentPath()), location.href).href : field.value);
  button.addEventListener("click", () => void copy(button, text(), field));
}
get("png").addEventListener("click", () => void savePng(picturePath(), `${edit.path.split("/")[2] ?? "damka"}.png`));
get("print").addEventListener("click", () => print());
offerGame(edit, () => ({ position: state.position, fen: libraryFen() }));
listOwn();
games.addEventListener("change", changeGame);
// A page restored from the back/forward cache still has the game that was left for.
addEventListener("pageshow", (event) => event.persisted && (games.value = edit.path));

// Without a game in its address, the page shows the one that was played last.
const last = lastChoice("rules");
const isPlain = /\/analyse(\.html)?$/.test(location.pathname) && !location.search;
if (isPlain && edit.path !== `/analyse/${last}` && [...games.options].some(({ value }) => value === `/analyse/${last}`)) {
  location.replace(href(`/analyse/${last}`));
}
const fen = new URLSearchParams(location.search).get("fen");
if (fen) {
  const position = parse(fen, edit.start.length);
  if (position) state = editing.begin(position);
  else read(fen, false);
}
show();
