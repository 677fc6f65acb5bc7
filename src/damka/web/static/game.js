/**
 * The game page: it shows what the server says and sends what the player chooses. A chosen move is
 * shown at once; the server's next state confirms it, or takes it back.
 */

import "./chrome.js";
import { counters, ending, strips } from "./beside.js";
import { DamkaBoard } from "./board.js";
import { Live } from "./live.js";
import { Log } from "./log.js";
import { GREEN_AND_BUFF, paint } from "./pieces.js";
import { prefs } from "./prefs.js";
import { resolve, typedSquares } from "./resolve.js";
import { start } from "./start.js";
import { byId, say, speak } from "./status.js";
import { embedded, page, t } from "./words.js";

const STUCK_TAPS = 3;
const STUCK_WAIT = 60_000; // milliseconds
const QUIET = 300; // the opponent is not said to think before it has taken so long

const rules = /** @type {RulesData} */ (page.rules);
const board = /** @type {DamkaBoard} */ (byId("board"));
const log = new Log(look);

/** @type {State} */
let state = embedded("state");
/** @type {State | null} */
let next = null;
let busy = false;
let performing = Promise.resolve(); // our own move on its way over the board
/** The moves the board shows, as hub texts: the game's, perhaps with one of ours ahead of it. */
/** @type {string[]} */
let line = [];
/** @type {number | null} the position looked back at, null: the game itself */
let viewing = null;
/** @type {{move: Move, ply: number} | null} our move on its way to the server */
let sent = null;
/** @type {{move: Move, ply: number, line: Line} | null} our move while we are asked whether we mean it */
let held = null;
/** @type {Line | null} a question of the page itself */
let question = null;
/** @type {Line | null} what was just said: a refusal, a hint */
let notice = null;
let playOn = -1; // the version at which the player chose not to huff
let turned = false;
let ended = false; // the end sheet was put away
let taps = 0;
let patience = 0;
let thinkingSince = 0;
let drawing = false; // lots are being drawn: nothing tells yet who has which colour

const live = new Live(`/live/${state.id}?lang=${page.lang}`, {
  message: heard,
  up: () => (document.body.classList.remove("offline"), resend()),
  down: () => document.body.classList.add("offline"),
  gone: () => location.assign("/"),
});

const both = () => state.you.length === 2;
/** @param {import("./sound.js").Sound} name */
const sound = (name) => void (prefs.sound && import("./sound.js").then(({ play }) => play(name)));
const mine = () => !state.result && state.you.includes(state.turn);
const count = () => state.history.length;

/** Who acts when two people sit here: the one whose turn it is. */
const actor = () => (both() ? { side: state.turn } : {});

/** Say something that nobody asked for, until the player goes on. @param {Line} what */
function tell(what) {
  notice = what;
  speak(what.text);
  render();
}

/** @param {object} message */
function send(message) {
  if (!live.send(message)) tell({ kind: "no", text: t("offline") });
}

// From the server

/** @param {Incoming} message */
function heard(message) {
  byId("hint").ariaBusy = null;
  if (message.t === "state") {
    if (message.version < (next ?? state).version) return;
    next = message;
    void follow();
  } else if (message.t === "refusal") {
    takeBack();
    if (message.code === "none") render(); // what was asked about can be played after all
    else if (taps >= STUCK_TAPS && state.must.length && mine()) stuck();
    else tell({ kind: "no", text: message.sentence, rule: message.rule });
  } else if (message.t === "hint") {
    if (message.ply !== state.ply) return;
    const { move, huff: first } = message;
    if (move) board.point(move.route);
    tell({ text: move ? t(message.won ? "hint_wins" : "hint_is", { move: move.text }) : t("hint_huff", { square: board.name(first ?? 0) }) });
  } else if (message.t === "error") {
    takeBack();
    // A stale frame is nobody's fault: the fresh state that comes with it says all.
    if (message.code === "stale") render();
    else tell({ kind: "no", text: message.message });
  }
}

/** Show the newest state; one at a time, so that moves are seen one after the other. */
async function follow() {
  if (busy) return;
  busy = true;
  while (next) {
    const before = state;
    state = next;
    next = null;
    await arrive(before);
  }
  busy = false;
}

/** @param {State} before */
async function arrive(before) {
  const moved = state.ply !== before.ply;
  if (state.version !== before.version) notice = null;
  if (moved || (state.result && !before.result)) {
    [question, taps] = [null, 0];
    if (state.result) board.point([]); // no hint for a game that is over
    if (sent && state.ply > sent.ply) sent = null;
    if (held) held = null;
  }
  if (!state.result) ended = false;
  if (viewing !== null && viewing > count()) viewing = null;
  await performing;
  if (viewing === null && !sent && !held) await catchUp();
  if (state.version !== before.version) speak(state.announce);
  if (state.result && !before.result) sound("end");
  else if (state.can.answer_draw || state.can.answer_undo || (state.can.huff && moved)) sound("ask");
  if (state.thinking && !before.thinking) {
    thinkingSince = Date.now();
    setTimeout(render, QUIET);
  }
  wait();
  render();
}

/** Bring the board to the state: play what is new, or else just show it. */
async function catchUp() {
  const hubs = state.history.map(({ move }) => move.hub);
  const fresh = hubs.length - line.length;
  if (fresh > 0 && fresh <= 2 && line.every((hub, i) => hub === hubs[i])) {
    for (const { move, huff, pieces } of state.history.slice(-fresh)) {
      if (huff && board.at(huff) !== ".") board.show(without(board.pieces, huff), []);
      board.allow(null);
      knock(move);
      await board.perform(move, move.route);
      if (board.pieces !== pieces) board.show(pieces, [move.from, move.to]);
    }
  }
  line = hubs;
  if (board.pieces !== state.pieces || fresh < 0) reset();
}

/** Show the game as it is now, at once. */
function reset() {
  line = state.history.map(({ move }) => move.hub);
  board.show(state.pieces, lastSquares(count()));
}

/** @param {string} pieces @param {number} square */
const without = (pieces, square) => `${pieces.slice(0, square - 1)}.${pieces.slice(square)}`;

/** @param {number} position */
function lastSquares(position) {
  const entry = state.history[position - 1];
  return entry ? [entry.move.from, entry.move.to] : [];
}

/** @param {Move} move */
function knock(move) {
  sound(move.crowns ? "crown" : move.captures.length ? "capture" : "step");
}

/** Our move was not accepted, or we thought better of it: the board shows the game again. */
function takeBack() {
  if (!sent && !held) return;
  [sent, held] = [null, null];
  reset();
}

// From the player

/** @param {Chosen} chosen */
async function chosen({ move, route, legs }) {
  const offence = !state.legal.some(({ hub }) => hub === move.hub);
  const warning = offence && prefs.warn && state.warn?.sentence;
  [notice, question] = [null, null];
  if (warning || prefs.confirm) {
    const text = warning || t("confirm_move", { move: move.text });
    const answers = [
      { label: t(warning ? "play_anyway" : "play_move"), main: !warning, act: commit },
      { label: t("take_back"), main: Boolean(warning), act: () => (takeBack(), render()) },
    ];
    held = { move, ply: state.ply, line: { kind: "ask", text, answers } };
    speak(text);
  } else {
    sent = { move, ply: state.ply };
    resend();
  }
  line = [...line, move.hub];
  render();
  knock(move);
  performing = board.perform(move, route, legs);
  await performing;
}

function commit() {
  if (!held) return;
  [sent, held] = [{ move: held.move, ply: held.ply }, null];
  resend();
  render();
}

/** Send our move, or send it again after a break; the ply keeps it from counting twice. */
function resend() {
  if (!sent) return;
  const { ply, move } = sent;
  live.send({ t: "move", ply, move: move.hub, version: state.version, ...actor() });
}

/** @param {number[]} clicks */
function attempted(clicks) {
  if (held || sent) return;
  if (viewing !== null) {
    look(count());
    return;
  }
  if (clicks.length === 1 && mine()) taps += 1;
  void board.refuse(clicks);
  sound("refuse");
  send({ t: "why", clicks });
}

function stuck() {
  taps = 0;
  const { sentence, rule } = state.status;
  tell({ kind: "must", text: `${t("stuck")} ${sentence}`, rule });
  board.urge();
}

/** Who sits a minute before a compulsory capture is told of it. */
function wait() {
  clearTimeout(patience);
  if (!mine() || !state.must.length) return;
  patience = setTimeout(() => {
    if (viewing === null && !held && !sent) stuck();
  }, STUCK_WAIT);
}

/** @param {number} square */
function huff(square) {
  send({ t: "huff", ply: state.ply, square, version: state.version, ...actor() });
}

/** Look at the position after so many moves. @param {number} position */
function look(position) {
  if (held || sent) return;
  if (position === count()) {
    viewing = null;
    reset();
  } else {
    viewing = position;
    board.show(position ? state.history[position - 1].pieces : state.start, lastSquares(position));
  }
  notice = null;
  render();
}

function resign() {
  const put = () => ((question = null), render());
  question = {
    kind: "ask",
    text: t("resign_sure"),
    answers: [
      { label: t("resign_yes"), act: () => (put(), send({ t: "resign", ...actor() })) },
      { label: t("resign_no"), main: true, act: put },
    ],
  };
  render();
  /** @type {HTMLElement | null} */ (byId("answers").lastElementChild)?.focus();
}

async function rematch() {
  const wrong = await start(`/api/games/${state.id}/rematch`, "{}");
  if (wrong) tell({ kind: "no", text: wrong });
}

/** @param {string} text */
function typed(text) {
  const clicks = typedSquares(text, rules.cells.map((_, i) => board.name(i + 1)), rules.cells) ?? [];
  const choices = mine() && viewing === null && !sent && !held ? state : null;
  const legal = resolve(choices?.legal ?? [], clicks);
  const found = legal.moves.length ? legal : resolve(choices?.offences ?? [], clicks);
  if (found.move) {
    board.release();
    void chosen({ move: found.move, route: found.route, legs: 0 });
    return true;
  }
  send({ t: "why", text });
  return false;
}

// What is shown

/** What the status line says now. @returns {Line} */
function current() {
  if (held) return held.line;
  if (question) return question;
  const asked = asking();
  if (notice) return { ...notice, answers: asked?.answers };
  if (viewing !== null) {
    const entry = state.history[viewing - 1];
    const text = entry ? t("looking_at", { n: Math.ceil(viewing / 2), move: entry.text }) : t("looking_at_start");
    return { text, answers: [{ label: t("back_to_game"), main: true, act: () => look(count()) }] };
  }
  if (asked) return asked;
  const { sentence, rule } = state.status;
  const kind = state.thinking ? "wait" : mine() && state.must.length ? "must" : "";
  return { text: sentence, rule, kind };
}

/** A question of the game's that waits for an answer: draw, undo, huff. @returns {Line | null} */
function asking() {
  for (const what of /** @type {const} */ (["draw", "undo"])) {
    const text = state[`${what}_asks`];
    if (!state.can[`answer_${what}`] || !text) continue;
    /** @param {boolean} ok */
    const answer = (ok) => () => send({ t: `${what}_answer`, ok });
    return {
      kind: "ask",
      text,
      answers: [
        { label: t("agree"), main: true, act: answer(true) },
        { label: t("decline"), act: answer(false) },
      ],
    };
  }
  if (!state.can.huff || !state.huffable.length || playOn === state.version) return null;
  const take = state.huffable.map((square) => ({
    label: t("huff_take", { square: board.name(square) }),
    main: true,
    act: () => huff(square),
  }));
  const leave = { label: t("huff_leave"), act: () => ((playOn = state.version), render()) };
  return { kind: "ask", text: state.status.sentence, rule: state.status.rule, answers: [...take, leave] };
}

function render() {
  const free = mine() && viewing === null && !held && !sent && !state.thinking && !drawing;
  document.body.classList.toggle("drawing", drawing);
  board.flipped = orientation() === "B";
  board.quick = prefs.quick;
  board.allow(
    free
      ? {
          legal: state.legal,
          offences: state.offences,
          must: state.must,
          huffable: state.can.huff ? state.huffable : [],
          side: state.turn,
        }
      : null,
  );
  const quiet = state.thinking && Date.now() - thinkingSince < QUIET;
  if (!quiet) say(current());
  strips(state, orientation(), state.thinking && !quiet);
  log.show(state.history, viewing ?? count(), (square) => board.name(square));
  counters(state);
  for (const name of /** @type {const} */ (["undo", "draw", "resign", "hint"])) {
    /** @type {HTMLButtonElement} */ (byId(name)).disabled = !state.can[name] || Boolean(held || sent);
  }
  ending(state, ended || viewing !== null);
}

/** The side at the bottom. @returns {Side} */
function orientation() {
  const home = drawing ? "W" : both() ? (prefs.turn ? state.turn : "W") : (state.you[0] ?? "W");
  return turned ? (home === "W" ? "B" : "W") : home;
}

/** What the settings change at once. */
function dress() {
  const theme = prefs.plain ? { ...rules.theme, ...GREEN_AND_BUFF } : rules.theme;
  paint(document.body, theme, prefs.swap);
  board.label(prefs.numbers);
  board.classList.toggle("crowned", prefs.crown);
  render();
}

/** @template T @param {string} type @param {(detail: T) => void} act */
const on = (type, act) =>
  board.addEventListener(type, (event) => act(/** @type {CustomEvent<T>} */ (event).detail));

on("play", (/** @type {Chosen} */ detail) => void chosen(detail));
on("attempt", (/** @type {{clicks: number[]}} */ { clicks }) => attempted(clicks));
on("huff", (/** @type {{square: number}} */ { square }) => huff(square));
on("choosing", (/** @type {{resolution: Resolution | null}} */ { resolution }) => {
  if (busy || held || sent) return;
  notice = null;
  question = null;
  if (resolution && resolution.branches.length && resolution.ends.length === 1) {
    tell({ kind: "ask", text: t("choose_way") });
  } else say(current());
});

document.addEventListener("keydown", ({ key }) => key === "Escape" && board.back());
byId("undo").addEventListener("click", () => send({ t: "undo" }));
byId("draw").addEventListener("click", () => send({ t: "draw" }));
byId("hint").addEventListener("click", () => {
  byId("hint").ariaBusy = "true";
  send({ t: "hint" });
});
byId("resign").addEventListener("click", resign);
byId("flip").addEventListener("click", () => {
  turned = !turned;
  render();
});
byId("rematch").addEventListener("click", () => (state.next ? location.assign(state.next.url) : void rematch()));
byId("look").addEventListener("click", () => {
  ended = true;
  render();
  byId("moves").querySelector("button")?.focus();
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (byId("typed-move"));
  if (input.value.trim() && typed(input.value.trim())) input.value = "";
});
byId("open-settings").addEventListener("click", async () => (await import("./settings.js")).open(dress));

async function lots() {
  history.replaceState(null, "", location.pathname);
  if (!state.lot?.drawn) return;
  const { you } = state.lot;
  const words = t(you === rules.first ? "lot_first" : "lot_second", { colour: rules.colour_names[you] });
  const over = () => ((drawing = false), render());
  busy = drawing = true; // the opponent's first move is shown after the lot
  render();
  await import("./lot.js").then(({ drawLot }) => drawLot(byId("stage"), you, words, over)).catch(over);
  busy = false;
  void follow();
}

board.setup(rules);
reset();
dress();
wait();
if (location.hash === "#lot") void lots();
speak(state.announce);
document.body.classList.add("ready");
