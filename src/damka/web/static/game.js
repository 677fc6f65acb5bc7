/**
 * Game page: `reduce` handles the messages from the server, the board and the player; this module
 * renders the view and runs the effects.
 */

import "./header.js";
import { celebrate, closeShare, isOpen, listen, showEnd } from "./end.js";
import { showButtons, showCounters, showPlayers } from "./panel.js";
import { DamkaBoard } from "./board.js";
import { Log } from "./log.js";
import { GREEN_AND_BUFF, paint } from "./pieces.js";
import { explainOnce } from "./explained.js";
import { showConnection } from "./connection_badge.js";
import { NONE, guideSquares } from "./guide.js";
import { prefs, recall, remember } from "./prefs.js";
import { hotseat, initial, reduce } from "./reduce.js";
import { resolve, typedSquares } from "./resolve.js";
import { cancelled, choices, confirmed, name, orientation, listedMoves, sentence, status } from "./selectors.js";
import { start } from "./start.js";
import { byId, showStatus, speak } from "./status.js";
import { embedded, join, visit } from "./transport.js";
import { page, t } from "./i18n.js";

const ASK_BUTTONS = /** @type {const} */ (["undo", "draw", "resign", "hint", "abort", "give_time"]);
const STUCK_DELAY = 60_000; // milliseconds
// Milliseconds between a move and the computer's reply
const REPLY_PAUSE = 450;
// The latest confirmed notices of a guided game, so that a reload does not show them again
const CONFIRMED = "damka.guide";

customElements.define("damka-board", DamkaBoard);

const rules = /** @type {RulesData} */ (page.rules);
const board = /** @type {DamkaBoard} */ (byId("board"));
const log = new Log((position) => dispatch({ t: "look", position }));

let view = initial(embedded("state"), prefs, confirmedNotices(embedded("state").id));
let isRecorded = false;
/** @type {ViewMessage[]} */
const queue = [];
let dispatching = false;
let stuckTimer = 0;
/** @type {import("./online.js").Online | null} parts of an online game only */
let online = null;
let endedAt = 0; // when the last animation ended

if (view.game.online) {
  online = new (await import("./online.js")).Online(view, (message) => live.send(message), speak);
}

const live = await join(view.game.id, page.lang, {
  onMessage: (message) => {
    // The spectator of this page has become a player.
    if (message.t === "state" && message.online && !view.game.online) return void location.reload();
    online?.onMessage(message);
    if (message.t === "chat" || message.t === "watchers") return;
    dispatch(message.t === "refusal" ? explainOnce(message) : message);
    showDrawOfLots();
  },
  onConnect: () => {
    dispatch({ t: "connection", up: true });
    online?.onConnect();
  },
  onDisconnect: (retrying = false) => dispatch({ t: "connection", up: false, retrying }),
  onSilence: () => dispatch({ t: "silence" }),
  onStarting: (saved, waiting) => dispatch({ t: "starting", saved, waiting }),
  onUnknownGame: () => visit("/"),
});

/** Update the view; messages sent meanwhile are queued. @param {ViewMessage} message */
function dispatch(message) {
  queue.push(message);
  if (dispatching) return;
  dispatching = true;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [now, effects] = reduce(view, next);
    view = now;
    for (const effect of effects) runEffect(effect);
    render();
  }
  dispatching = false;
}

/** @param {Effect} effect */
function runEffect(effect) {
  switch (effect.do) {
    case "send":
      // Moves are sent again after a reconnection.
      if (!live.send(effect.message) && !view.own) dispatch({ t: "unsent" });
      break;
    case "stage":
      void perform(effect.stage, effect.steps);
      break;
    case "show":
      board.show(view.pieces, view.last);
      break;
    case "select":
      // The board needs the current choices first.
      board.allow(choices(view));
      board.plan([]);
      board.select(effect.clicks);
      break;
    case "refuse":
      void board.refuse(effect.clicks);
      break;
    case "urge":
      board.urge();
      break;
    case "speak":
      speak(sentence(effect.words));
      break;
    case "sound":
      // Without a connection the module may be missing, and the game continues in silence.
      if (view.prefs.sound) import("./sound.js").then(({ play }) => play(effect.name), () => {});
      break;
    case "idle":
      // Show the compulsory capture to a player who hesitates for a minute.
      clearTimeout(stuckTimer);
      if (effect.on) stuckTimer = setTimeout(() => dispatch({ t: "idle" }), STUCK_DELAY);
      break;
    case "focus":
      setTimeout(() => focusOn(effect.on));
      break;
    case "confirmed":
      remember(CONFIRMED, { game: view.game.id, ...effect.confirmed });
      break;
    case "rematch":
      void rematch();
      break;
    case "celebrate":
      setTimeout(celebrate);
  }
}

/** Focus the answer without consequences, the result, or the button that shows it. @param {"answers" | "end" | "result"} where */
function focusOn(where) {
  const place = { answers: "#answers button:last-child", end: "#end-result", result: "#open-end" }[where];
  /** @type {HTMLElement | null} */ (document.querySelector(place))?.focus();
}

/** Animate steps on the board, one after the other. @param {number} stage @param {Step[]} steps */
async function perform(stage, steps) {
  for (const step of steps) {
    dispatch({ t: "step", stage, step });
    if (step.kind === "pause") await new Promise((done) => setTimeout(done, endedAt + REPLY_PAUSE - performance.now()));
    if (view.stage !== stage) return;
    if (step.kind === "ring") await board.ring(step.square, step.side);
    if (step.kind === "huff") await board.huff(step.square, step.pieces);
    if (step.kind === "move") await board.perform(step.move, step.route, step.pieces, step.legs);
    if (view.stage !== stage) return;
    if ("pieces" in step && board.pieces !== step.pieces) board.show(view.pieces, view.last);
    endedAt = performance.now();
  }
  dispatch({ t: "staged", stage });
}

async function rematch() {
  const { id, next } = view.game;
  if (next) visit(next.url);
  else if (view.game.online && !view.game.can.answer_rematch) live.send({ t: "rematch" });
  else {
    const error = await start(`/api/games/${id}/rematch`, "{}");
    if (error) dispatch({ t: "failed", text: error });
  }
}

/** @param {string} text */
function playTypedMove(text) {
  const clicks = typedSquares(text, rules.cells.map((_, i) => name(i + 1)), rules.cells) ?? [];
  const open = choices(view);
  const legal = resolve(open?.legal ?? [], clicks);
  const { move, route } = legal.moves.length ? legal : resolve(open?.offences ?? [], clicks);
  if (move) board.release();
  dispatch(move ? { t: "chosen", move, route, legs: 0 } : { t: "why", text });
  return Boolean(move);
}

function render() {
  const { game, own, past, drawing, connected } = view;
  const focused = document.activeElement;
  const line = status(view);
  document.body.classList.toggle("drawing", drawing);
  showConnection(connected);
  document.body.classList.toggle("looking", past !== null);
  board.flipped = orientation(view) === "B" && !drawing;
  board.quick = view.prefs.quick;
  board.allow(choices(view));
  board.point(view.arrow, view.arrow.length ? view.noted : guideSquares(view));
  board.plan(past === null ? view.plan : []);
  showStatus(line, dispatch);
  const [example] = choices(view)?.legal ?? [];
  const input = /** @type {HTMLInputElement} */ (byId("typed-move"));
  input.ariaLabel = input.placeholder = t("type_move", { move: example?.text ?? "…" });
  showPlayers(view);
  log.show(listedMoves(view), past ?? listedMoves(view).length, name);
  showCounters(game);
  /** @type {HTMLButtonElement} */ (byId("why")).disabled = !(past ?? game.history.length) || Boolean(own);
  byId("hint").ariaBusy = view.hinting ? "true" : null;
  for (const name of ASK_BUTTONS) {
    const button = /** @type {HTMLButtonElement | null} */ (document.getElementById(name));
    if (button) button.disabled = !game.can[name] || Boolean(own);
  }
  showButtons(view);
  showEnd(view, line.text, focused);
  online?.render(view);
  void recordGuidedGame();
}

/** @param {string} id @returns {Confirmed} */
function confirmedNotices(id) {
  const { game, ply, n } = recall(CONFIRMED, { ...NONE, game: "" });
  return game === id ? { ply, n } : NONE;
}

/** Store the finished guided game in the progress of the lessons. */
async function recordGuidedGame() {
  const { guide } = view.game;
  if (!guide?.end || isRecorded || !view.game.you.length) return;
  isRecorded = true;
  const { record, MAX_STARS } = await import("./lesson_progress.js");
  record(guide.course, "game", MAX_STARS);
}

/** Apply the settings. */
function applyPrefs() {
  const theme = prefs.plain ? { ...rules.theme, ...GREEN_AND_BUFF } : rules.theme;
  paint(document.body, theme, prefs.swap);
  board.label(prefs.numbers);
  board.classList.toggle("crowned", prefs.crown);
  dispatch({ t: "prefs", prefs: { ...prefs } });
}

/** @template T @param {string} type @param {(detail: T) => void} act */
const on = (type, act) =>
  board.addEventListener(type, (event) => act(/** @type {CustomEvent<T>} */ (event).detail));

on("play", (/** @type {Chosen} */ chosen) => {
  // A refused text may be left in the field
  /** @type {HTMLInputElement} */ (byId("typed-move")).value = "";
  dispatch({ t: "chosen", ...chosen });
});
on("attempt", (/** @type {{clicks: number[]}} */ { clicks }) => dispatch({ t: "attempt", clicks }));
on("huff", (/** @type {{square: number}} */ { square }) => dispatch({ t: "huff", square }));
on("plan", (/** @type {{clicks: number[]}} */ { clicks }) => dispatch({ t: "plan", clicks }));
on("choosing", (/** @type {{resolution: Resolution | null}} */ { resolution }) => dispatch({ t: "choosing", resolution }));

document.addEventListener("keydown", ({ key, target }) => {
  if (key !== "Escape" || /** @type {Element} */ (target).closest("dialog[open]") || board.back()) return;
  if (isOpen(view) && !closeShare()) dispatch({ t: "dismiss" });
});
// Enter confirms and Escape cancels a question of the page, wherever the focus is.
document.addEventListener(
  "keydown",
  (event) => {
    const { key, target } = event;
    const answer = key === "Enter" ? confirmed(view) : key === "Escape" ? cancelled(view) : null;
    const at = /** @type {Element} */ (target);
    if (!answer || at.closest(key === "Enter" ? "button, a, input, select, dialog" : "dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    dispatch(answer);
  },
  { capture: true },
);
for (const what of ASK_BUTTONS) {
  document.getElementById(what)?.addEventListener("click", () => dispatch({ t: "ask", what }));
}
byId("flip").addEventListener("click", () => dispatch({ t: "flip" }));
byId("close-end").addEventListener("click", () => closeShare() || dispatch({ t: "dismiss" }));
byId("open-end").addEventListener("click", () => dispatch({ t: isOpen(view) ? "dismiss" : "reopen" }));
listen((text) => dispatch({ t: "failed", text }));
for (const button of document.querySelectorAll("[data-rematch]")) button.addEventListener("click", rematch);
for (const button of byId("steps").querySelectorAll("[data-go]")) {
  const go = /** @type {"first" | "back" | "on" | "last"} */ (/** @type {HTMLElement} */ (button).dataset.go);
  button.addEventListener("click", () => log.step(go));
}
byId("why").addEventListener("click", () => {
  if (!live.send({ t: "why_allowed", ply: view.past ?? view.game.history.length })) dispatch({ t: "unsent" });
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (byId("typed-move"));
  if (input.value.trim() && playTypedMove(input.value.trim())) input.value = "";
});
byId("open-settings").addEventListener("click", async () => (await import("./settings.js")).open(applyPrefs));

async function showDrawOfLots() {
  const { lot } = view.game;
  // Show the invitation first, and the drawing of lots once the opponent has joined.
  if (!lot?.drawn || view.game.invitation || location.hash !== "#lot") return;
  history.replaceState(null, "", location.pathname + location.search);
  // An opening may give the move to the other side.
  const first = view.game.history[0]?.side ?? view.game.turn;
  const both = hotseat(view);
  const side = both ? first : lot.you;
  const key = both ? "lot_named" : side === first ? "lot_first" : "lot_second";
  const text = t(key, { name: view.game.players[side].name, colour: rules.colour_names[side] });
  dispatch({ t: "drawing", on: true });
  // At one screen the strips keep their colours, and the lot decides the names.
  const parts = ["top", "bottom"].map((id) => /** @type {HTMLElement} */ (byId(id).querySelector(both ? "b" : "span")));
  for (const part of parts) part.classList.add("covered");
  const reveal = () => {
    for (const part of parts) part.classList.remove("covered");
    dispatch({ t: "drawn", text });
  };
  await import("./draw_lots.js").then(({ drawLots }) => drawLots(parts, reveal)).catch(reveal);
}

byId("open-settings").addEventListener("click", () => {
  const free = document.getElementById("free");
  if (free) free.hidden = Boolean(view.game.result) || view.game.you.length < 2;
});
document.getElementById("free")?.addEventListener("click", async () => {
  const side = orientation(view) === "W" ? "B" : "W";
  const error = await start(`/api/games/${view.game.id}/invite`, JSON.stringify({ side }));
  if (error) dispatch({ t: "failed", text: error });
});
board.setup(rules, t);
board.show(view.pieces, view.last);
applyPrefs();
speak(view.game.announce);
runEffect({ do: "idle", on: view.game.must.length > 0 });
void showDrawOfLots();
dispatch({ t: "ready" });
document.body.classList.add("ready");
