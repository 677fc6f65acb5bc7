/**
 * Page of a level: a board with a sentence above and stars below. The learner answers on the board
 * or by a number; a mistake is shown on the board, and the level starts again.
 */

import "./header.js";
import { confetti } from "./confetti.js";
import { copy } from "./copy.js";
import { page, t } from "./i18n.js";
import { autoAdvance } from "./lesson_advance.js";
import { enableNumbers, get, say, showNumbers, showRule, showStars, showTexts, toggle } from "./lesson_answers.js";
import { ask, board, mark, perform, show, sound } from "./lesson_board.js";
import { unfinished } from "./lesson_attempt.js";
import { progress, record, watchProgress } from "./lesson_progress.js";
import { LessonState } from "./lesson_state.js";
import { readAloud } from "./lesson_voice.js";
import { href, loadPage, visit } from "./transport.js";

/** Name of the page after the last level. */
const GAME = "game";
/** Time for which the copied link is confirmed, in milliseconds. */
const CONFIRMED = 2000;

const lesson = /** @type {LessonPage} */ (page.lesson);
const state = new LessonState(lesson);
/** @type {Record<"hint" | "check" | "again", HTMLButtonElement>} */
const buttons = { hint: get("hint"), check: get("check"), again: get("again") };
const next = /** @type {HTMLAnchorElement} */ (get("next"));
/** @param {string} id */
const innerText = (id) => /** @type {HTMLElement} */ (get(id)).innerText;
const voice = readAloud(get("aloud"), page.lang, () => `${innerText("speech")} ${innerText("note")}`);
const advance = autoAdvance(next, () => next.click());
/** Whether a verdict is awaited or shown: the board takes no answer. */
let busy = true;

/** @param {boolean} now */
function setBusy(now) {
  busy = now;
  document.body.toggleAttribute("data-asks", !now);
  enableHint();
}

function enableHint() {
  buttons.hint.disabled = busy || !state.moreHints;
}

// The level

/** Show the level from its beginning. */
async function start() {
  const { level } = state;
  advance.stop();
  voice.hush();
  get("stage").querySelector(".confetti")?.remove();
  document.title = [level.title, ...document.title.split(" · ").slice(1)].join(" · ");
  get("title").textContent = level.title;
  /** @type {HTMLAnchorElement} */ (get("back")).href = href(lesson.course);
  get("place").textContent = `${level.number}/${level.count}`;
  toggle("stars", !level.demonstration);
  document.body.classList.toggle("counting", level.goal.options.length > 0);
  showStars(progress(level.course)[level.id] ?? 0);
  next.href = href(state.path(level.next ?? GAME));
  next.textContent = t(level.next ? "next" : "game");
  const { squares } = unfinished(level);
  await restart();
  if (busy || level !== state.level || !state.choosesSquares || !squares.length) return;
  state.choose(squares);
  showChosen();
}

/** Ask the level's question, after a mistake again. */
async function restart() {
  const { level } = state;
  const { kind, options } = level.goal;
  setBusy(true);
  state.restart();
  showTexts(state.rule, level.lead?.length ? t("watch") : level.task);
  showRule(level.link);
  showNumbers(options, (number) => void answer(number));
  showButtons();
  enableNumbers(false);
  if (!(await show(level))) return;
  showTexts(state.rule, level.task);
  // The piece that the task names
  if (level.goal.piece) mark([level.goal.piece]);
  setBusy(false);
  if (kind === "count") enableNumbers(true);
  else ask(level, state.choosesSquares);
  void voice.read();
}

/** Show the buttons for what can be done now. @param {boolean} [isWrong] whether a mistake is shown */
function showButtons(isWrong = false) {
  const asks = !state.done && !isWrong;
  const { kind } = state.level.goal;
  toggle("hint", asks);
  toggle("check", asks && (kind === "select" || kind === "land"));
  toggle("again", isWrong);
  toggle("next", Boolean(state.done));
  enableHint();
  buttons.check.disabled = state.chosen.length === 0;
}

// Answers

/**
 * Send an answer and show what it leads to.
 * @param {number | number[]} value
 * @param {Chosen | null} [own] the move as it was played on the board
 */
async function answer(value, own = null) {
  if (busy) return;
  setBusy(true);
  voice.hush();
  board.allow(null);
  enableNumbers(false);
  const verdict = await state.answer(value);
  if (!verdict) return;
  if ("ok" in verdict) return offline(verdict.message);
  if (verdict.right) await succeed(verdict, own);
  else await explain(verdict, value, own);
}

/** @param {string} message */
function offline(message) {
  const text = message || t("offline");
  showTexts("", text, "oops");
  say(text);
  showButtons(true);
  focus(buttons.again);
}

/** Say that there is no answer to a request; the level stays as it is. @param {string} [message] */
function stay(message = "") {
  const text = message || t("offline");
  showTexts(state.rule, state.done ? state.done.sentence : state.level.task, "oops", text);
  say(text);
}

/** @param {LessonVerdict} verdict @param {Chosen | null} own */
async function succeed(verdict, own) {
  mark([]);
  if (verdict.done) {
    // The stars are kept even if the page is left during the moves.
    record(state.level.course, state.level.id, verdict.stars);
    showTexts(state.rule, verdict.sentence, "good");
    showButtons();
  }
  if (!(await perform(verdict.frames, own))) return;
  if (!verdict.done) {
    showTexts("", `${verdict.sentence} ${t("go_on")}`, "good");
    setBusy(false);
    void voice.read();
    return ask(state.question, false);
  }
  const read = voice.read();
  mark(verdict.squares.filter((square) => board.pieces[square - 1] !== undefined && state.choosesSquares));
  sound("end");
  showStars(verdict.stars, true);
  confetti(get("stage"));
  say(`${verdict.sentence} ${state.level.demonstration ? "" : (get("stars").getAttribute("aria-label") ?? "")}`);
  // With the keyboard, and at the end of a course, the learner presses the button.
  if (hasKeys || !state.level.next) return focus(next);
  await read;
  if (state.done === verdict) advance.start();
}

/** Show a mistake on the board. @param {LessonVerdict} verdict @param {number | number[]} value @param {Chosen | null} own */
async function explain(verdict, value, own) {
  const { id, sentence, frames, squares } = verdict;
  // Right squares stay chosen.
  const wrong = id === "square" ? squares : [];
  if (wrong.length) state.choose(state.chosen.filter((square) => !wrong.includes(square)));
  showTexts("", sentence, "oops");
  showRule(verdict.link);
  say(sentence);
  void voice.read();
  if (id === "refused") {
    sound("refuse");
    mark(squares);
    await board.refuse(/** @type {number[]} */ (value));
  } else if (id === "square" || id === "not_huffable") {
    sound("refuse");
    board.plan(state.chosen);
    mark(squares);
    await board.refuse(squares);
  } else await perform(frames, own);
  showButtons(true);
  focus(buttons.again);
}

async function again() {
  const { chosen } = state;
  voice.hush();
  await restart();
  if (busy) return;
  if (chosen.length) {
    state.choose(chosen);
    showChosen();
  }
  focusBoard();
}

/** Whether the learner uses the keyboard: then the focus leads on. */
let hasKeys = false;
addEventListener("keydown", () => (hasKeys = true), true);
addEventListener("pointerdown", () => (hasKeys = false), true);

/** @param {HTMLElement | SVGElement | null} element */
function focus(element) {
  if (hasKeys) element?.focus({ preventScroll: true });
}

/** Continue at the answers of the level. */
function focusBoard() {
  const answers = state.level.goal.options.length ? "#numbers button" : '#board [data-square][tabindex="0"]';
  focus(document.querySelector(/** @type {"button"} */ (answers)));
}

board.addEventListener("play", (event) => {
  const chosen = /** @type {CustomEvent<Chosen>} */ (event).detail;
  void answer(chosen.route, chosen);
});

board.addEventListener("attempt", (event) => {
  const { clicks } = /** @type {CustomEvent<{clicks: number[]}>} */ (event).detail;
  const [from, to] = [clicks[0], clicks[clicks.length - 1]];
  if (clicks.length < 3 && from === to) void explainPiece(from);
  else void answer(clicks);
});

/** Say why a piece cannot move; this is no mistake yet. @param {number} square */
async function explainPiece(square) {
  if (busy) return;
  const verdict = await state.answer([square], { trial: true });
  if (!verdict || busy || "ok" in verdict || verdict.id !== "refused") return;
  showTexts(state.rule, state.level.task, "oops", verdict.sentence);
  say(verdict.sentence);
  void voice.read();
  sound("refuse");
  await board.refuse([square]);
}

board.addEventListener("plan", (event) => {
  if (busy) return;
  const { clicks } = /** @type {CustomEvent<{clicks: number[]}>} */ (event).detail;
  const square = clicks[clicks.length - 1];
  const { kind } = state.level.goal;
  if (kind === "huff") return void answer(square);
  state.toggle(square);
  showChosen();
});

board.addEventListener("choosing", (event) => {
  const { resolution } = /** @type {CustomEvent<{resolution: Resolution | null}>} */ (event).detail;
  if (!resolution || resolution.walked.length < 2) return void (busy || say(""));
  // A jump of a longer capture
  sound("capture");
  say(t("go_on"));
});

// Escape cancels the choice on the board, wherever the focus is.
addEventListener("keydown", ({ key }) => key === "Escape" && !busy && board.back());

// Enter checks the squares, unless the focus is on the board or on a control.
addEventListener("keydown", ({ key, target }) => {
  if (key !== "Enter" || /** @type {Element} */ (target).closest("button, a, input, select, [data-square]")) return;
  if (!buttons.check.hidden) buttons.check.click();
});

function showChosen() {
  board.plan(state.chosen);
  showButtons();
}

// Buttons

buttons.check.addEventListener("click", () => void answer(state.chosen));
buttons.again.addEventListener("click", () => void again());
buttons.hint.addEventListener("click", async () => {
  const hint = await state.hint(() => !busy);
  if (!hint) return;
  if ("ok" in hint) return stay(hint.message);
  showTexts(state.rule, state.level.task, "hint", hint.hint);
  say(hint.hint);
  void voice.read();
  mark(hint.squares);
  showButtons();
});

get("copy-link").addEventListener("click", async () => {
  const button = get("copy-link");
  if (!(await copy(new URL(href(state.path(state.level.id)), location.href).href))) return;
  say(t("copied"));
  button.setAttribute("title", t("copied"));
  button.classList.add("copied");
  setTimeout(() => {
    button.classList.remove("copied");
    button.setAttribute("title", button.getAttribute("aria-label") ?? "");
  }, CONFIRMED);
});

// Other levels

/** Show a level on this page. @param {string} id @param {boolean} isNew whether it gets an entry in the history */
async function open(id, isNew) {
  const path = state.path(id);
  const outcome = await state.open(id);
  if (outcome === "superseded") return;
  if (outcome === "missing") return visit(path);
  if (outcome === "offline") {
    // The address is again that of the level that stays.
    if (!isNew) history.pushState(state.level.id, "", href(state.path(state.level.id)));
    return stay();
  }
  if (isNew) history.pushState(id, "", href(path));
  const back = /** @type {HTMLInputElement | null} */ (document.querySelector("#language [name=next]"));
  if (back) back.value = path;
  say(`${state.rule} ${state.level.task}`.trim());
  await start();
  if (isNew) focusBoard();
}

next.addEventListener("click", (event) => {
  const { next: id } = state.level;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (id) void open(id, true);
  else void leave(state.path(GAME));
});

/** Visit another page, unless there is no connection. @param {string} path */
async function leave(path) {
  if (await loadPage(path)) visit(path);
  else stay();
}

/** @type {HTMLAnchorElement} */ (get("back")).addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void leave(lesson.course);
});

watchProgress(() => {
  if (!state.done) showStars(progress(state.level.course)[state.level.id] ?? 0);
});

history.replaceState(state.level.id, "");
addEventListener("popstate", ({ state: id }) => {
  if (typeof id === "string") void open(id, false);
});

await start();
document.body.classList.add("ready");
