/**
 * Page Analyse: shows the position of `analysis_board.js` on the board and in the texts, the tree
 * of moves, and the mode "Set up position" (`setup.js`), which is loaded on demand.
 */

import "./header.js";
import { fenOf, positionPath, START, withQuery } from "./analyse_address.js";
import { analysis } from "./analysis_board.js";
import { addKeys } from "./analysis_keys.js";
import { COLOURS, drawMark, handleMarks } from "./annotate.js";
import { DamkaBoard } from "./board.js";
import { parse } from "./edit_fen.js";
import { explainOnce } from "./explained.js";
import { page, t } from "./i18n.js";
import { GREEN_AND_BUFF, paint } from "./pieces.js";
import { handleTexts, libraryFen, showTexts } from "./position_texts.js";
import { prefs, recall, remember } from "./prefs.js";
import "./review_button.js";
import { loadStyles } from "./styles.js";
import { href, visit } from "./transport.js";
import * as trees from "./tree_state.js";
import { TreeView } from "./tree_view.js";

/** Time that a position of a preview stays, in milliseconds. */
const PREVIEW = 700;

customElements.define("damka-board", DamkaBoard);

const rules = /** @type {RulesData} */ (page.rules);
const edit = /** @type {EditData} */ (page.edit);
/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));
const board = /** @type {DamkaBoard} */ (get("board"));
const status = get("status");
const games = /** @type {HTMLSelectElement} */ (get("game"));
const power = /** @type {HTMLButtonElement} */ (get("lines").querySelector(".power"));
const notes = () => import("./tree_notes.js");
const view = new TreeView(
  get("tree"),
  (id) => analysis.show(id),
  () => void notes().then(({ toggleNotes }) => {
    toggleNotes(true);
    view.reveal();
  }),
);

/** The editor, once it has been opened. @type {typeof import("./setup.js").editor | null} */
let editor = null;
const isStudy = document.body.classList.contains("study");
const isSettingUp = () => document.body.classList.contains("setup");

/** Position of the displayed mode. @returns {EditPosition} */
const current = () => (isSettingUp() && editor ? editor.position : analysis.position);

// The board

/** Id of the node on the board. */
let shown = 0;
/** Route and shown legs of the move that was just played on the board. @type {Chosen | null} */
let chosen = null;
/** Number of the latest change of the board. */
let stage = 0;
let previewing = false;
/** Whether the board shows a huff whose move is due. */
let huffShown = false;
/** Squares clicked before the moves of the position were known. @type {number[]} */
let early = [];

/** @param {AnalysisPosition} position */
async function showPosition({ node, pieces, turn }) {
  const number = ++stage;
  const isNext = node.parent === shown && shown > 0;
  const hasHuff = node.key.startsWith("(");
  const own = chosen;
  [chosen, shown, previewing, huffShown, explained] = [null, node.id, false, false, 0];
  showTexts({ pieces, turn }, board.flipped);
  board.annotate(() => []);
  awaitMoves();
  const last = node.route.length ? [node.route[0], node.route[node.route.length - 1]] : [];
  if (isNext && (own || !hasHuff) && node.route.length) {
    const move = /** @type {Move} */ ({ from: last[0], to: last[1], captures: node.captures, crowns: node.crowns });
    await board.perform(move, own?.route ?? node.route, pieces, own?.legs ?? 0);
    if (number !== stage) return;
  }
  if (!isNext || board.pieces !== pieces) board.show(pieces, last);
  showMarks();
  allow();
}

/** Draw the marks of the displayed node. @param {TreeMark | null} [sketch] the one that is being drawn */
function showMarks(sketch = null) {
  const { marks } = analysis.position.node;
  board.annotate((layout) => [...marks, ...(sketch ? [sketch] : [])].map((mark) => drawMark(layout, mark)));
}

/** Let the player choose among the possible moves, and choose what was clicked before they were known. */
function allow() {
  const { answer } = analysis;
  if (previewing) return forbid();
  if (!answer) return awaitMoves(early);
  const { legal, offences, must, huffable, turn } = answer;
  const clicks = early;
  keep([]);
  board.allow({ legal, offences, must, huffable, side: turn });
  if (clicks.length) board.select(clicks);
}

/** Keep the player's clicks until the moves are known. @param {number[]} [clicks] those so far */
function awaitMoves(clicks = []) {
  keep(clicks);
  board.allow({ legal: [], offences: [], must: [], huffable: [], side: analysis.position.turn, plan: true });
}

/** Let the player choose nothing. */
function forbid() {
  keep([]);
  board.allow(null);
}

/** @param {number[]} clicks */
function keep(clicks) {
  early = clicks;
  board.plan(clicks);
}

/** Handle a click or a drag before the moves are known: a piece, or where the clicked piece goes. @param {number[]} clicks */
function keepClick([square, to]) {
  const isPiece = analysis.position.pieces[square - 1] !== ".";
  if (isPiece) keep(to ? [square, to] : [square]);
  else if (early.length) keep([early[0], square]);
}

/** Show positions one after the other, or the displayed one again. @param {import("./analysis_board.js").ShownPosition[] | null} positions */
async function showPreview(positions) {
  const number = ++stage;
  const { node, pieces } = analysis.position;
  if (!positions) {
    if (previewing) board.show(analysis.answer?.pieces ?? pieces, node.route.length ? [node.route[0], node.route[node.route.length - 1]] : []);
    previewing = false;
    return allow();
  }
  previewing = true;
  forbid();
  for (const [i, { pieces: next, from, to }] of positions.entries()) {
    if (i) await new Promise((done) => setTimeout(done, PREVIEW));
    if (number !== stage) return;
    board.show(next, from && to ? [from, to] : []);
  }
}

/** @param {LineAnswer | null} answer @param {{error?: string, message: string}} [error] */
function showAnswer(answer, error = { message: "" }) {
  if (isSettingUp()) return;
  // The editor explains what is wrong with a position.
  if (error.error === "bad_position") return void setUp(analysis.position);
  status.classList.toggle("no", !answer);
  const isExplained = explained === analysis.position.node.id;
  explained = 0;
  const counters = answer?.counters.map(({ sentence }) => `${sentence}.`) ?? [];
  if (!answer || !isExplained) showSentence(answer ? [answer.status, ...counters].join(" ") : error.message);
  if (!answer) return forbid();
  if (analysis.huffed || huffShown) board.show(answer.pieces, []);
  huffShown = analysis.huffed > 0;
  // A huff may end the game before a move.
  if (analysis.huffed && answer.result) {
    const name = rules.names?.[analysis.huffed - 1] ?? analysis.huffed;
    const { pieces, turn } = answer;
    const huff = { key: `(${analysis.huffed})`, text: `(${name})`, pieces, turn };
    return analysis.edit(trees.add(analysis.state, analysis.state.current, [huff]));
  }
  if (!view.hasFocus) get("announcement").textContent = answer.spoken;
  allow();
}

/** Show a sentence, with its rule if it explains a move. @param {string} sentence @param {Partial<LineExplanation>} [explanation] */
function showSentence(sentence, { rule, more } = {}) {
  get("note").textContent = "";
  get("say").textContent = sentence;
  get("more").textContent = more ?? "";
  const link = /** @type {HTMLAnchorElement} */ (get("rule"));
  link.hidden = !rule;
  if (!rule) return;
  link.href = href(rule.url);
  link.textContent = t("rule", { n: rule.number });
}

/** Number of the latest request for a sentence: answers to earlier ones are dropped. */
let asked = 0;
/** Node whose move was explained before the answer about its position, which does not replace the explanation; 0 for none. */
let explained = 0;

/** Explain why clicks are no move. @param {number[]} clicks */
async function refuse(clicks) {
  const number = ++asked;
  const { moves, node } = analysis.position;
  const huff = analysis.huffed ? [`(${analysis.huffed})`] : [];
  void board.refuse(clicks);
  const { ok, data } = await analysis.ask({ moves: [...moves, ...huff], after: moves.length, attempt: clicks });
  if (number !== asked || analysis.position.node.id !== node.id || isSettingUp()) return;
  const refusal = ok ? data.refusal && explainOnce(data.refusal) : { sentence: data?.message ?? t("offline") };
  if (!refusal) return;
  status.classList.add("no");
  showSentence(refusal.sentence, refusal);
}

/** Explain why the displayed move is possible. */
async function explainMove() {
  const number = ++asked;
  const { moves, node } = analysis.position;
  const { ok, data } = await analysis.ask({ moves, after: moves.length, why: true });
  if (number !== asked || analysis.position.node.id !== node.id || isSettingUp()) return;
  if (!ok || !data.why) return showSentence(data?.message ?? t("offline"));
  if (!analysis.answer) explained = node.id;
  showSentence(data.why.sentence, data.why);
  board.point(node.route, data.why.squares);
}

function flip() {
  board.flipped = !board.flipped;
  board.dispatchEvent(new Event("flip"));
  const { pieces, turn } = analysis.position;
  showTexts({ pieces, turn }, board.flipped);
}

// Modes

/** Resolves when the editor is open. */
let opened = Promise.resolve();

/** Set up a position on the board. @param {EditPosition} position */
function setUp({ pieces, turn }) {
  document.body.classList.add("setup");
  get("say").textContent = "";
  opened = import("./setup.js").then((setup) => {
    ({ editor } = setup);
    editor.open({ pieces, turn }, board.flipped);
  });
  return opened;
}

/** Show the engine's lines, if there is an engine; while it is off, only its switch. */
function openLines() {
  if (!page.kernel && !page.analysis?.server) return;
  if (!document.documentElement.classList.contains("no-engine")) return void import("./engine_lines.js");
  power.setAttribute("aria-checked", "false");
  get("lines").querySelector(".note-line")?.replaceChildren(t("analysis.lines.off"));
  power.addEventListener("click", () => {
    remember("damka.lines", { ...recall("damka.lines", {}), on: true });
    void import("./engine_lines.js");
  }, { once: true });
}

/** Analyse the position of the editor: the node that has it, or a new tree. */
async function analyse() {
  await opened;
  if (!editor || !isSettingUp()) return;
  const { position, flipped } = editor.close();
  document.body.classList.remove("setup");
  get("stage").lastElementChild?.replaceWith(board);
  board.flipped = flipped;
  const { pieces, turn } = analysis.position;
  if (pieces !== position.pieces || turn !== position.turn) begin(position);
  else if (analysis.answer) showAnswer(analysis.answer);
  analysis.start();
  openLines();
  writeAddress();
  showTexts(position, flipped);
}

/** Begin a tree at a position. @param {EditPosition} position */
function begin({ pieces, turn }) {
  const { fen, nodes, current, tags } = trees.begin(libraryFen({ pieces, turn }), pieces, turn);
  analysis.edit(trees.replace(analysis.state, { fen, nodes, current, tags }, analysis.state.next));
}

/** Write the start position into the address, so that a reload or a change of language keeps it. */
function writeAddress() {
  // The address of a study is that of its chapter.
  if (isStudy || new URLSearchParams(location.search).get("game")) return;
  const path = positionPath(trees.nodeOf(analysis.state, trees.ROOT));
  history.replaceState(history.state, "", href(path));
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = path;
}

// Games

/** Add this browser's house rules to the games. */
async function listOwn() {
  const { recent } = await import("./recent.js");
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
  visit(withQuery(value, { setup: isSettingUp() ? "1" : "", fen: sameBoard ? fenOf(current()) : "" }));
}

// Start

paint(document.body, { ...rules.theme, ...(prefs.plain && GREEN_AND_BUFF) }, prefs.swap);
board.setup(rules, t);
board.label(prefs.numbers);
board.quick = prefs.quick;
board.classList.toggle("crowned", prefs.crown);
document.body.classList.toggle("broad", rules.width > rules.height);

/** @template T @param {string} type @param {(detail: T) => void} act */
const on = (type, act) => board.addEventListener(type, (event) => act(/** @type {CustomEvent<T>} */ (event).detail));
on("play", (/** @type {Chosen} */ played) => {
  chosen = played;
  analysis.play(played.move);
});
on("attempt", (/** @type {{clicks: number[]}} */ { clicks }) => void refuse(clicks));
on("plan", (/** @type {{clicks: number[]}} */ { clicks }) => keepClick(clicks));
on("huff", (/** @type {{square: number}} */ { square }) => analysis.huff(square));
on("choosing", () => {
  if (status.classList.contains("no") && analysis.answer) showAnswer(analysis.answer);
});

handleMarks(board, {
  colour: () => COLOURS.find((each) => each === document.querySelector("#colours input:checked")?.getAttribute("value")) ?? "G",
  toggle(mark) {
    if (previewing) return;
    const before = analysis.position.node.marks.length;
    analysis.edit(trees.toggleMark(analysis.state, analysis.state.current, mark));
    const names = { square: board.name(mark[1]), to: board.name(mark[2]) };
    const added = analysis.position.node.marks.length >= before;
    get("announcement").textContent = t(added ? (mark[1] === mark[2] ? "analysis.say.marked" : "analysis.say.arrow") : "analysis.say.unmarked", names);
  },
  sketch: showMarks,
  say: (key, square) => (get("announcement").textContent = t(`analysis.say.${key}`, { square: board.name(square) })),
});

/** @type {Record<string, () => void>} */
const steps = {
  first: () => analysis.show(trees.ROOT),
  back: () => analysis.unhuff() || analysis.show(analysis.position.node.parent || trees.ROOT),
  on: () => analysis.show(analysis.position.node.children[0] ?? analysis.state.current),
  last: () => analysis.show(trees.lineAfter(analysis.state, analysis.state.current).at(-1)?.id ?? analysis.state.current),
};
/** Show the next or the previous variation of the displayed move. @param {number} by */
function cycle(by) {
  const { node } = analysis.position;
  const { children } = trees.nodeOf(analysis.state, node.parent);
  if (node.parent) analysis.show(children[(children.indexOf(node.id) + by + children.length) % children.length]);
}
const stepButtons = /** @type {NodeListOf<HTMLButtonElement>} */ (get("steps").querySelectorAll("[data-go]"));
for (const button of stepButtons) button.addEventListener("click", () => steps[button.dataset.go ?? ""]());
get("why").addEventListener("click", () => void explainMove());
addKeys(
  { key: "ArrowLeft", words: "back", act: steps.back },
  { key: "ArrowRight", words: "on", act: steps.on },
  { key: "Home", words: "first", act: steps.first },
  { key: "End", words: "last", act: steps.last },
  { key: "ArrowDown", words: "next_variation", act: () => cycle(1) },
  { key: "ArrowUp", words: "previous_variation", act: () => cycle(-1) },
  { key: "f", words: "flip", act: flip },
  { key: "Escape", words: "cancel", act: () => (early.length ? keep([]) : board.back() || analysis.unhuff()) },
  { key: "c", words: "comment", act: () => void notes().then(({ writeComment }) => writeComment()) },
  ...[1, 2, 3, 4, 5, 6].map((nag) => ({ key: String(nag), words: `nag`, act: () => change((state, id) => trees.toggleGlyph(state, id, nag)) })),
  { key: "p", words: "promote", act: () => change(trees.promote) },
  { key: "d", words: "demote", act: () => change(trees.demote) },
  { key: "m", words: "main", act: () => change(trees.makeMain) },
  { key: "Delete", words: "delete", act: () => change(trees.remove) },
  { key: "Ctrl+z", words: "undo", act: () => change(trees.undo) },
  { key: "Ctrl+y", words: "redo", act: () => change(trees.redo) },
  { key: "Ctrl+Shift+z", words: "redo", act: () => change(trees.redo) },
  ...(power.closest("[hidden]") ? [] : [{ key: "l", words: "engine", act: () => power.click() }]),
  { key: "?", words: "help", act: () => void import("./analysis_help.js").then(({ showHelp }) => showHelp()) },
);
get("open-help").addEventListener("click", () => void import("./analysis_help.js").then(({ showHelp }) => showHelp()));
get("annotate").addEventListener("click", async () => {
  (await notes()).toggleNotes();
  view.reveal();
});
/** Change the displayed node. @param {(state: TreeState, id: number) => TreeState} by */
function change(by) {
  if (analysis.state.current === trees.ROOT && by !== trees.undo && by !== trees.redo) return;
  analysis.edit(by(analysis.state, analysis.state.current));
}
get("turn-board").addEventListener("click", flip);
get("set-up").addEventListener("click", () => void setUp(current()));
get("analyse-this").addEventListener("click", analyse);
/** Opens the dialog of a new game, once it is loaded. @type {(() => void) | null} */
let offer = null;
get("open-play").addEventListener("click", async () => {
  const [{ offerGame }] = await Promise.all([import("./edit_play.js"), loadStyles("opponent.css")]);
  offer ??= offerGame(edit, () => ({ position: current(), fen: libraryFen(current()) }));
  offer();
});
document.getElementById("save-study")?.addEventListener("click", async () => (await import("./study_save.js")).offerSaving());
// A study has its rules.
if (!isStudy) void listOwn();
games.addEventListener("change", changeGame);
// A page restored from the back/forward cache still has the game that was left for.
addEventListener("pageshow", (event) => event.persisted && (games.value = edit.path));

/** Show what has been loaded: a game, or why it cannot be. @param {string} error @param {number} [dropped] lines that are not possible */
function showLoaded(error, dropped = 0) {
  writeAddress();
  const words = error || t("analysis.say.loaded", { n: analysis.state.nodes.size - 1 });
  const rest = dropped ? ` ${t("analysis.say.dropped")}` : "";
  get("announcement").textContent = words + rest;
  if (error || dropped) get("note").textContent = (error || rest).trim();
}

/** Read a text into the displayed mode. @param {string} text @param {boolean} labels whether its squares are the board's */
async function read(text, labels) {
  if (isSettingUp()) return (await import("./setup.js")).editor.read(text, labels);
  if (isStudy) return void document.dispatchEvent(new CustomEvent("paste-text", { detail: text }));
  const [{ readText }, { load }, { carry }] = await Promise.all([import("./edit_text.js"), import("./tree_files.js"), import("./analysis_draft.js")]);
  await readText(edit.query, text, ({ path, tree }) => {
    if (path !== edit.path) return void carry(path, tree);
    load(tree);
    showLoaded("", tree.dropped);
  }, { labels }, "/api/tree");
}
handleTexts((text, labels) => void read(text, labels));
get("open-load").addEventListener("click", async () => (await import("./edit_text.js")).openLoad((text) => void read(text, true)));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  await read(await file.text(), true);
});
/** @param {(share: typeof import("./analysis_share.js")) => void} act */
const share = (act) => () => void import("./analysis_share.js").then(act);
get("copy-line").addEventListener("click", share(({ copyLine }) => copyLine()));
get("save-pdn").addEventListener("click", share(({ savePdn }) => savePdn()));
get("save-replay").addEventListener("click", share(({ saveReplay }) => saveReplay(board.flipped)));
get("open-diagrams").addEventListener("click", share(({ openDiagrams }) => openDiagrams(board.flipped)));

// Without a game in its address, the page shows the one that was played last.
const last = recall("damka.choice", { rules: "" }).rules;
const isPlain = /\/analyse(\.html)?$/.test(location.pathname) && !location.search;
if (isPlain && edit.path !== `/analyse/${last}` && [...games.options].some(({ value }) => value === `/analyse/${last}`)) {
  location.replace(href(`/analyse/${last}`));
}

const query = new URLSearchParams(location.search);
const [fen, game] = [query.get("fen"), query.get("game")];
// Before anything is loaded: texts that are pasted meanwhile are for this mode.
document.body.classList.toggle("setup", query.has("setup"));
const given = fen ? parse(fen, edit.start.length) : START;
if (given) begin(given);
if (!query.has("setup")) openLines();
analysis.onTree((state) => {
  view.show(state);
  const { node } = analysis.position;
  /** @type {HTMLButtonElement} */ (get("why")).disabled = !node.parent;
  for (const button of stepButtons) {
    button.disabled = ["first", "back"].includes(button.dataset.go ?? "") ? !node.parent : !node.children.length;
  }
  if (node.id === shown) showMarks();
});
analysis.onAnswer(showAnswer);
analysis.onPreview((positions) => void showPreview(positions));
analysis.onPosition((position) => void showPosition(position));
const draft = isStudy ? null : await import("./analysis_draft.js");
const isRestored = draft?.restoreDraft() ?? false;
if (query.get("setup")) await setUp(given ?? START);
else if (!isRestored && game) {
  const { loadGame } = await import("./tree_files.js");
  const error = await loadGame(game);
  if (error) get("note").textContent = error;
} else if (!isRestored && query.get("moves")) await analysis.goTo((query.get("moves") ?? "").split(","));
if (!isSettingUp()) analysis.start();
if (!given && !(isRestored && !isSettingUp())) await read(fen ?? "", false);
draft?.keepDraft();
document.body.classList.add("ready");
