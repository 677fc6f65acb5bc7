/**
 * Mode "Set up position" of the page Analyse: the board editor. `edit_state.js` has the position;
 * this module shows it, writes it into the address, and requests its description by the rules.
 */

import { editorPath, isStart, START, withQuery } from "./analyse_address.js";
import { EditBoard } from "./edit_board.js";
import { parse } from "./edit_fen.js";
import { Palette, TOOLS } from "./edit_palette.js";
import * as editing from "./edit_state.js";
import { readText } from "./edit_text.js";
import { page, t } from "./i18n.js";
import { isText, libraryFen, showTexts } from "./position_texts.js";
import { prefs } from "./prefs.js";
import { href, request, visit } from "./transport.js";

// Milliseconds: delay of the requests for a description, and of another one without an answer
const DEBOUNCE = 150;
const RETRY = 5000;

customElements.define("damka-editor", EditBoard);

const rules = /** @type {RulesData} */ (page.rules);
const edit = /** @type {EditData} */ (page.edit);
/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));
const board = /** @type {EditBoard} */ (document.createElement("damka-editor"));
const status = get("status");
const announcement = get("announcement");
const action = /** @type {HTMLButtonElement} */ (get("status-action"));
const ready = [get("open-play"), get("analyse-this")].map((each) => /** @type {HTMLButtonElement} */ (each));
const buttons = /** @type {Record<string, HTMLButtonElement>} */ (
  Object.fromEntries(["undo", "redo", "start", "clear", "flip", "mirror"].map((id) => [id, get(id)]))
);

let state = editing.begin(START);
let isOpen = false;
/** Square of the piece to move with the next tap, 0 for none. */
let held = 0;
let requestCount = 0;
let timer = 0;

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

/** Put a piece on a square, or remove the one on it. @param {number} square @param {string} piece */
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
  if (path !== edit.path) return void visit(withQuery(path, { setup: "1", fen }));
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
  showTexts(position, board.flipped);
  buttons.undo.disabled = !past.length;
  buttons.redo.disabled = !future.length;
  buttons.start.disabled = isStart(position);
  buttons.clear.disabled = !/[^.]/.test(position.pieces);
  clearTimeout(timer);
  timer = setTimeout(() => void describe(), DEBOUNCE);
}

/** Write the position into the address, so that a reload or a change of language keeps it. */
function writeAddress() {
  const path = editorPath(state.position);
  history.replaceState(history.state, "", href(path));
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = path;
}

/** Request the description of the position; only the latest answer counts. */
async function describe() {
  const number = ++requestCount;
  if (!isOpen) return;
  writeAddress();
  const query = new URLSearchParams(edit.query);
  query.set("fen", libraryFen(state.position));
  query.set("lang", page.lang);
  const { ok, data } = await request(`/api/position?${query}`);
  if (number !== requestCount || !isOpen) return;
  if (!data) timer = setTimeout(() => void describe(), RETRY);
  const { problem = "offline", sentence = data?.message ?? t("offline"), squares = [] } = ok ? data : {};
  status.classList.toggle("no", problem !== null);
  get("say").textContent = sentence;
  for (const button of ready) button.disabled = problem !== null;
  board.blame(squares);
  if (problem === "crowning_row") offer("", t("edit.say.crown"), () => change(editing.crown(state.position, squares)));
}

function flip() {
  board.flipped = !board.flipped;
  showTexts(state.position, board.flipped);
}

// Start

board.setAttribute("aria-describedby", "keys");
board.setup(rules, t);
board.label(prefs.numbers);
board.classList.toggle("crowned", prefs.crown);
const palette = new Palette(/** @type {HTMLFieldSetElement} */ (get("palette")), board, (square, piece) => {
  hold(0);
  change(editing.place(state.position, square, piece), t("edit.say.placed", { square: board.name(square), piece: board.pieceName(piece) }));
});
for (const side of /** @type {const} */ (["W", "B"])) get(`turn-${side}`).textContent = rules.colour_names[side];

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
  if (!isOpen || !(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
  const key = event.key.toLowerCase();
  const act = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
  if (!act) return;
  event.preventDefault();
  hold(0);
  acts[act]();
});

/** The editor, for the page. */
export const editor = {
  /** Show the editor. @param {EditPosition} position @param {boolean} flipped */
  open(position, flipped) {
    isOpen = true;
    get("stage").lastElementChild?.replaceWith(board);
    board.flipped = flipped;
    status.classList.remove("no");
    state = editing.begin(position);
    show();
  },

  /** Hide the editor; return its position and orientation. */
  close() {
    isOpen = false;
    clearTimeout(timer);
    hold(0);
    action.hidden = true;
    get("note").textContent = "";
    status.classList.remove("no");
    for (const button of ready) button.disabled = false;
    return { position: state.position, flipped: board.flipped };
  },

  /** Read a text into the editor. @param {string} text @param {boolean} labels whether its squares are the board's */
  read: (text, labels) => void readText(edit.query, text, use, { labels }),

  get position() {
    return state.position;
  },
};
