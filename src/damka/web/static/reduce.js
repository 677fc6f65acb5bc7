/**
 * State machine of the game page. `reduce` takes the view and a message from the server, the board
 * or the player, and returns the next view and the effects to run. It is a pure function: no
 * document, no connection, no clock.
 *
 * A chosen move is shown at once; the server's next state confirms or reverts it. States that
 * arrive during an animation wait, so that moves are shown one after the other.
 */

import { confirmNotice, NONE, openNotice } from "./guide.js";
import { resolve } from "./resolve.js";

const STUCK_TAPS = 3;
/** @type {Words} */
const PREMOVE_IMPOSSIBLE = { key: "plan_gone" };
/** @type {Words} */
const OFFLINE = { key: "offline" };
// More plies are shown at once, without animation
const MAX_STEPS = 2;

/** @param {State} game @param {Prefs} prefs @param {Confirmed} [confirmed] @returns {ViewState} */
export function initial(game, prefs, confirmed = NONE) {
  return {
    game,
    next: null,
    prefs,
    ...(beginsWithReply(game) ? { pieces: game.start, last: [], line: [], next: game } : boardOf(game)),
    stage: 0,
    stages: 0,
    step: null,
    from: null,
    own: null,
    plan: [],
    sentAt: -1,
    past: null,
    question: null,
    notice: null,
    arrow: [],
    noted: [],
    hinting: false,
    declinedAt: -1,
    confirmed,
    turned: false,
    dismissed: false,
    taps: 0,
    drawing: false,
    lot: "",
    connected: true,
    retrying: false,
    silent: false,
    starting: null,
  };
}

/** Whether the opponent has made the only move so far, which is animated when the page opens. @param {State} game */
const beginsWithReply = ({ history, you, result }) =>
  !result && history.length === 1 && you.length === 1 && history[0].side !== you[0];

/**
 * @param {ViewState} view
 * @param {ViewMessage} message
 * @returns {[ViewState, Effect[]]}
 */
export function reduce(view, message) {
  /** @type {Effect[]} */
  const effects = [];
  return [update(view, message, effects), effects];
}

/** Whether two people play at this screen. @param {ViewState} view */
export const hotseat = ({ game }) => game.you.length === 2;

/** Whether a player at this screen is to move. @param {ViewState} view */
export const myTurn = ({ game }) => !game.result && game.you.includes(game.turn);

/** Whether a premove is possible: the computer or an opponent at another device is to move. @param {ViewState} view */
export const canPremove = ({ game }) =>
  !game.result && !game.invitation && game.you.length === 1 && game.you[0] !== game.turn;

/** Whether the opponent's move is being animated; the current premove is played after it. @param {ViewState} view */
export const isOpponentMoving = (view) =>
  Boolean(view.stage) && !view.own && view.game.you.length === 1 && myTurn(view);

/**
 * State of the game and of the last move while there is no connection or no answer;
 * null if nothing is wrong.
 * @param {ViewState} view
 * @returns {Words[] | null}
 */
export function withoutConnection(view) {
  const { game, own, retrying, silent } = view;
  if (game.result) return null;
  if (!retrying) return silent && own ? [{ key: "unconfirmed" }] : null;
  const words = [{ key: own?.phase === "sent" ? "offline_sent" : myTurn(view) ? "offline_turn" : "offline_wait" }];
  const clock = game.clock?.kind === "days" ? null : game.clock?.running;
  if (clock && game.you.includes(clock)) words.push({ key: "offline_clock" });
  return words;
}

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "W" ? "B" : "W");

/**
 * @param {ViewState} view
 * @param {ViewMessage} message
 * @param {Effect[]} effects
 * @returns {ViewState}
 */
function update(view, message, effects) {
  switch (message.t) {
    case "state":
      return receiveState(view, message, effects);
    case "refusal":
      return showRefusal({ ...view, hinting: false }, message, effects);
    case "allowed":
      return showAllowed(view, message, effects);
    case "hint":
      return showHint({ ...view, hinting: false }, message, effects);
    case "error": {
      const back = revertMove({ ...view, hinting: false, sentAt: -1 }, effects);
      // A stale message needs no notice: the error includes the current state.
      return message.code === "stale" ? back : notify(back, { kind: "no", words: [{ text: message.message }] }, effects);
    }
    case "pong":
      return view;
    case "failed":
      return notify(view, { kind: "no", words: [{ text: message.text }] }, effects);
    case "connection": {
      if (message.up) send(view, effects);
      const now = { ...view, retrying: Boolean(message.retrying), silent: false };
      const words = view.retrying ? null : withoutConnection(now);
      if (words) effects.push({ do: "speak", words });
      return {
        ...now,
        connected: message.up,
        starting: null,
        sentAt: -1,
        notice: message.up && view.notice?.words[0] === OFFLINE ? null : view.notice,
      };
    }
    case "silence": {
      const now = { ...view, silent: true };
      const words = withoutConnection(now);
      if (words) effects.push({ do: "speak", words });
      return now;
    }
    case "starting":
      if (!view.starting && !myTurn(view)) effects.push({ do: "speak", words: [{ text: message.waiting }] });
      return { ...view, starting: { saved: message.saved, waiting: message.waiting } };
    case "unsent":
      return notify({ ...view, hinting: false }, { kind: "no", words: [OFFLINE] }, effects);
    case "chosen":
      return chooseMove(view, message, effects);
    case "attempt":
      return handleAttempt(view, message.clicks, effects);
    case "why":
      effects.push({ do: "send", message: { t: "why", text: message.text } });
      return view;
    case "huff": {
      const { ply, version } = view.game;
      const { square } = message;
      effects.push({ do: "send", message: { t: "huff", ply, square, version, ...actor(view) } });
      return view;
    }
    case "plan":
      return setPremove(view, message.clicks, effects);
    case "claim":
      effects.push({ do: "send", message });
      return view;
    case "choosing":
      return updateSelection(view, message.resolution, effects);
    case "step":
      return message.stage === view.stage ? showStep(view, message.step, effects) : view;
    case "staged":
      return message.stage === view.stage ? proceed(endStage(view, effects), effects) : view;
    case "commit": {
      if (view.own?.phase !== "unconfirmed") return view;
      const sent = { ...view, own: { ...view.own, phase: /** @type {const} */ ("sent") } };
      send(sent, effects);
      return sent;
    }
    case "take_back":
      return proceed(revertMove(view, effects), effects);
    case "got_it":
      return confirmGuide(view, confirmNotice(view), effects);
    case "explain_again":
      return confirmGuide(view, NONE, effects);
    case "decline_huff":
      return { ...view, declinedAt: view.game.version };
    case "answer":
      if (message.what === "rematch" && message.ok) effects.push({ do: "rematch" });
      else effects.push({ do: "send", message: { t: `${message.what}_answer`, ok: message.ok } });
      return view;
    case "ask":
      return handleAsk(view, message.what, effects);
    case "confirm":
      return confirmQuestion(view, message.what, effects);
    case "cancel":
      return { ...view, question: null };
    case "look":
      // The moves would be below the result.
      return view.own ? view : { ...lookAt(view, message.position, effects), dismissed: Boolean(view.game.result) };
    case "flip":
      return { ...view, turned: !view.turned };
    case "dismiss":
      effects.push({ do: "focus", on: "result" });
      return { ...view, dismissed: true };
    case "reopen":
      effects.push({ do: "focus", on: "end" });
      return { ...lookAt(view, view.game.history.length, effects), dismissed: false };
    case "prefs":
      return { ...view, prefs: message.prefs };
    case "ready":
      return proceed(view, effects);
    case "drawing":
      return { ...view, drawing: true };
    case "drawn":
      effects.push({ do: "speak", words: [{ text: message.text }] });
      return proceed({ ...view, drawing: false, lot: message.text }, effects);
    case "idle":
      return view.past === null && !view.own && !view.stage && myTurn(view) && view.game.must.length
        ? showStuck(view, effects)
        : view;
  }
}

// From the server

/** @param {ViewState} view @param {State} state @param {Effect[]} effects */
function receiveState(view, state, effects) {
  if (state.version < (view.next ?? view.game).version) return view;
  return proceed(sendPremove({ ...view, hinting: false, next: state }, state, effects), effects);
}

/** Send the premove as soon as it is this player's turn. @param {ViewState} view @param {State} state @param {Effect[]} effects @returns {ViewState} */
function sendPremove(view, state, effects) {
  if (state.result || state.ply < view.game.ply) return { ...view, plan: [] };
  if (view.plan.length < 2 || !state.you.includes(state.turn)) return view;
  const { move, moves } = resolve(state.legal, view.plan);
  // Several moves fit: the player chooses once the board shows the position.
  if (!move && moves.length) return view;
  const now = { ...view, plan: [] };
  if (!move) return notify(now, { kind: "no", words: [PREMOVE_IMPOSSIBLE] }, effects);
  const { ply, version } = state;
  effects.push({ do: "send", message: { t: "move", ply, move: move.hub, version } });
  return { ...now, sentAt: ply };
}

/** Apply the waiting state, unless an animation is running. @param {ViewState} view @param {Effect[]} effects */
function proceed(view, effects) {
  if (!view.next || view.stage || view.drawing) return view;
  const before = view.game;
  const game = view.next;
  const hasEnded = Boolean(game.result && !before.result);
  const now = { ...view, game, next: null };
  if (game.version !== before.version && now.notice?.words[0] !== PREMOVE_IMPOSSIBLE) now.notice = null;
  if (game.ply > now.sentAt) now.sentAt = -1;
  if (game.ply !== before.ply || hasEnded) {
    [now.question, now.taps, now.arrow] = [null, 0, []];
    if (now.own?.phase === "unconfirmed" || (now.own && game.ply > now.own.ply)) now.own = null;
  }
  if (!game.result) now.dismissed = false;
  if (now.past !== null && now.past > game.history.length) now.past = null;
  // The result is shown at the last position.
  if (hasEnded && now.past !== null) return announce(showGame({ ...now, past: null }, effects), before, effects);
  if (now.past !== null || now.own) return announce(now, before, effects);
  if (upToDate(now)) return announce(now, before, effects);
  const steps = stepsTo(now);
  if (steps.length) return startStage({ ...now, from: before }, steps, effects);
  return announce(showGame(now, effects), before, effects);
}

/** Whether the board already shows the game. @param {ViewState} view */
const upToDate = ({ game, line, pieces }) =>
  pieces === game.pieces && line.join() === game.history.map(({ move }) => move.hub).join();

/** Animation steps from the displayed board to the game. @param {ViewState} view @returns {Step[]} */
function stepsTo({ game, line, pieces, prefs }) {
  const newPlies = game.history.slice(line.length);
  if (newPlies.length > MAX_STEPS || !line.every((hub, i) => hub === game.history[i]?.move.hub)) return [];
  /** @type {Step[]} */
  const steps = [];
  let board = pieces;
  const pause = (/** @type {Side} */ side) => {
    if (prefs.pace && game.players[side].kind === "computer") steps.push({ kind: "pause", side });
  };
  const huff = (/** @type {Side} */ side, /** @type {number} */ square) => {
    board = without(board, square);
    steps.push({ kind: "ring", side, square }, { kind: "huff", side, square, pieces: board });
  };
  for (const { side, move, huff: square, pieces: after } of newPlies) {
    pause(side);
    if (square && board[square - 1] !== ".") huff(side, square);
    board = after;
    steps.push({ kind: "move", side, move, route: move.route, legs: 0, pieces: after });
  }
  if (!newPlies.length && !game.you.includes(game.turn)) {
    // No move was played: the other side may have huffed a piece.
    const square = [...board].findIndex((piece, i) => piece !== game.pieces[i]) + 1;
    if (square && without(board, square) === game.pieces) {
      pause(game.turn);
      huff(game.turn, square);
    }
  }
  return steps;
}

/** Announce the news once the board shows the game. @param {ViewState} displayed @param {State} before @param {Effect[]} effects */
function announce(displayed, before, effects) {
  const view = selectPremove(displayed, effects);
  const { game } = view;
  if (game.version !== before.version) effects.push({ do: "speak", words: [{ text: game.announce }] });
  const { answer_draw: draw, answer_undo: undo, answer_rematch: rematch, huff } = game.can;
  const asks = !hotseat(view) && (draw || undo || rematch);
  if (game.result && !before.result) effects.push({ do: "sound", name: "end" }, { do: "celebrate" });
  else if (asks || (huff && game.ply !== before.ply)) effects.push({ do: "sound", name: "ask" });
  effects.push({ do: "idle", on: myTurn(view) && game.must.length > 0 });
  return view;
}

/** Turn an incomplete or late premove into the selection on the board. @param {ViewState} view @param {Effect[]} effects @returns {ViewState} */
function selectPremove(view, effects) {
  const { plan, past, own, sentAt, game } = view;
  if (!plan.length || !myTurn(view)) return view;
  if (past === null && !own && sentAt !== game.ply) effects.push({ do: "select", clicks: plan });
  return { ...view, plan: [] };
}

/** @param {ViewState} view @param {Refusal} message @param {Effect[]} effects */
function showRefusal(view, { code, clicks, must, sentence, rule, more, lesson }, effects) {
  const back = revertMove(view, effects);
  // The move is legal after all
  if (code === "none") return back;
  // The position has changed since the tap: the piece can move now, or it is gone.
  if (clicks.length === 1 && code === "ambiguous") return selectPremove({ ...back, plan: clicks }, effects);
  if (clicks.length && code === "no_piece") return back;
  if (back.taps >= STUCK_TAPS && back.game.must.length && myTurn(back)) return showStuck(back, effects);
  // The first refusal of a kind shows the way, too.
  const due = more && back.past === null && code.startsWith("must_");
  const way = due ? back.game.legal.find(({ from, captures }) => captures.length && must.includes(from)) : null;
  return notify({ ...back, arrow: way?.route ?? [], noted: way?.captures ?? [] }, { kind: "no", words: [{ text: sentence }], rule, more, lesson }, effects);
}

/** @param {ViewState} view @param {Extract<Incoming, {t: "allowed"}>} message @param {Effect[]} effects */
function showAllowed(view, { ply, sentence, rule, route, squares }, effects) {
  // The answer is about another move by now.
  if (view.own || view.stage || ply !== (view.past ?? view.game.history.length)) return view;
  return notify({ ...view, arrow: route, noted: squares }, { words: [{ text: sentence }], rule }, effects);
}

/** @param {ViewState} view @param {Extract<Incoming, {t: "hint"}>} message @param {Effect[]} effects */
function showHint(view, { move, huff, won, ply }, effects) {
  if (ply !== view.game.ply || view.own || view.stage) return view;
  const now = view.past === null ? view : lookAt(view, view.game.history.length, effects);
  /** @type {Words} */
  const words = move
    ? { key: won ? "hint_wins" : "hint_is", values: { move: move.text } }
    : { key: "hint_huff", values: { square: huff ?? 0 } };
  return notify({ ...now, arrow: move?.route ?? [], noted: [] }, { words: [words] }, effects);
}

/** @param {ViewState} view @param {Confirmed} confirmed @param {Effect[]} effects @returns {ViewState} */
function confirmGuide(view, confirmed, effects) {
  const now = { ...view, confirmed };
  const text = openNotice(now)?.sentence;
  effects.push({ do: "confirmed", confirmed }, { do: "focus", on: "answers" });
  if (text) effects.push({ do: "speak", words: [{ text }] });
  return now;
}

// On the board

/** Board of a game without animation. @param {State} game */
const boardOf = (game) => ({
  pieces: game.pieces,
  last: lastSquares(game, game.history.length),
  line: game.history.map(({ move }) => move.hub),
});

/** Show the game without animation. @param {ViewState} view @param {Effect[]} effects @returns {ViewState} */
function showGame(view, effects) {
  const now = { ...endStage(view, effects), ...boardOf(view.game), arrow: [] };
  effects.push({ do: "show" });
  return now;
}

/** @param {ViewState} view @param {Step[]} steps @param {Effect[]} effects @returns {ViewState} */
function startStage(view, steps, effects) {
  const stage = view.stages + 1;
  effects.push({ do: "stage", stage, steps });
  return { ...view, stage, stages: stage };
}

/** @param {ViewState} view @param {Step} step @param {Effect[]} effects @returns {ViewState} */
function showStep(view, step, effects) {
  if (step.kind === "pause") return { ...view, step };
  if (step.kind === "ring") {
    effects.push({ do: "sound", name: "ask" });
    return { ...view, step };
  }
  if (step.kind === "huff") return { ...view, step, pieces: step.pieces };
  const { move, pieces } = step;
  const own = view.own?.move.hub === move.hub;
  if (!own) effects.push(moveSound(move));
  const line = own ? view.line : [...view.line, move.hub];
  return { ...view, step, line, pieces, last: [move.from, move.to] };
}

/** End the animation. @param {ViewState} view @param {Effect[]} effects @returns {ViewState} */
function endStage(view, effects) {
  const { from } = view;
  const now = { ...view, stage: 0, step: null, from: null };
  return from ? announce(now, from, effects) : now;
}

/** @param {ViewState} view @param {Effect[]} effects for a refused or retracted move */
function revertMove(view, effects) {
  return view.own ? showGame({ ...view, own: null }, effects) : view;
}

/** @param {ViewState} view @param {number} position number of moves from the start @param {Effect[]} effects */
function lookAt(view, position, effects) {
  const { game } = view;
  const now = { ...endStage(view, effects), notice: null, question: null };
  if (position === game.history.length) return proceed(showGame({ ...now, past: null }, effects), effects);
  effects.push({ do: "show" });
  const pieces = position ? game.history[position - 1].pieces : game.start;
  return { ...now, past: position, arrow: [], pieces, last: lastSquares(game, position) };
}

/** @param {string} pieces @param {number} square */
const without = (pieces, square) => `${pieces.slice(0, square - 1)}.${pieces.slice(square)}`;

/** @param {string} pieces @param {Move} move */
function after(pieces, { from, to, captures, crowns }) {
  const board = [...pieces];
  const piece = board[from - 1];
  for (const square of [from, ...captures]) board[square - 1] = ".";
  board[to - 1] = crowns ? piece.toUpperCase() : piece;
  return board.join("");
}

/** @param {State} game @param {number} position */
function lastSquares({ history }, position) {
  const entry = history[position - 1];
  return entry ? [entry.move.from, entry.move.to] : [];
}

/** @param {Move} move @returns {Effect} */
const moveSound = (move) => ({ do: "sound", name: move.crowns ? "crown" : move.captures.length ? "capture" : "step" });

// From the player

/** Side that acts when two people play at this screen: the side to move. @param {ViewState} view */
const actor = (view) => (hotseat(view) ? { side: view.game.turn } : {});

/** Show and announce a notice. @param {ViewState} view @param {Notice} notice @param {Effect[]} effects @returns {ViewState} */
function notify(view, notice, effects) {
  effects.push({ do: "speak", words: notice.more ? [...notice.words, { text: notice.more }] : notice.words });
  return { ...view, notice };
}

/** @param {ViewState} view @param {Chosen} chosen @param {Effect[]} effects */
function chooseMove(view, { move, route, legs }, effects) {
  const { game, prefs } = view;
  const warning = Boolean(prefs.warn && game.warn) && !game.legal.some(({ hub }) => hub === move.hub);
  const mustConfirm = warning || prefs.confirm;
  const own = { phase: mustConfirm ? /** @type {const} */ ("unconfirmed") : /** @type {const} */ ("sent"), move, ply: game.ply, warning };
  const now = { ...view, own, silent: false, notice: null, question: null, arrow: [], line: [...view.line, move.hub] };
  if (!mustConfirm) send(now, effects);
  else if (warning && game.warn) effects.push({ do: "speak", words: [{ text: game.warn.sentence }] });
  else effects.push({ do: "speak", words: [{ key: "confirm_move", values: { move: move.text } }] });
  if (!mustConfirm && view.starting) effects.push({ do: "speak", words: [{ text: `${view.starting.saved} ${view.starting.waiting}` }] });
  const lost = mustConfirm ? null : withoutConnection(now);
  if (lost) effects.push({ do: "speak", words: lost });
  effects.push(moveSound(move));
  const pieces = after(view.pieces, move);
  return startStage(now, [{ kind: "move", side: game.turn, move, route, legs, pieces }], effects);
}

/** Send this player's move, again after a reconnection; its ply prevents duplicates. @param {ViewState} view @param {Effect[]} effects */
function send(view, effects) {
  if (view.own?.phase !== "sent") return;
  const { ply, move } = view.own;
  effects.push({ do: "send", message: { t: "move", ply, move: move.hub, version: view.game.version, ...actor(view) } });
}

/** @param {ViewState} view @param {number[]} clicks @param {Effect[]} effects */
function handleAttempt(view, clicks, effects) {
  if (view.own) return view;
  // No explanations for spectators, nor while the opening is being drawn
  if (!view.game.you.length || (view.starting && !view.game.legal.length)) return view;
  if (view.past !== null) return view.game.result ? view : notify(view, { kind: "no", words: [{ key: "looking_tap" }] }, effects);
  effects.push({ do: "refuse", clicks }, { do: "sound", name: "refuse" }, { do: "send", message: { t: "why", clicks } });
  return clicks.length === 1 && myTurn(view) ? { ...view, taps: view.taps + 1 } : view;
}

/** Set a premove by its start and end; any further click cancels it. While the opponent's move is being animated, clicks set the next premove. @param {ViewState} view @param {number[]} clicks @param {Effect[]} effects @returns {ViewState} */
function setPremove(view, clicks, effects) {
  if (view.own?.phase === "unconfirmed") return reconsider(view, view.own.move, clicks, effects);
  if (!canPremove(view) && !isOpponentMoving(view)) return view;
  const [side] = view.game.you;
  const own = (/** @type {number} */ square) => view.pieces[square - 1]?.toUpperCase() === side;
  const [first, second] = clicks;
  /** @param {number[]} plan @param {Words} [words] @returns {ViewState} */
  const say = (plan, words) => (words ? notify({ ...view, plan }, { words: [words] }, effects) : { ...view, plan, notice: null });
  if (view.plan.length === 2) return say([], { key: "plan_off" });
  const from = second ? first : view.plan[0];
  const to = second ?? first;
  if (!second && own(first)) return say(first === from ? [] : [first]);
  if (!from || !own(from)) return view;
  return say([from, to], { key: "plan_is", values: { from, to } });
}

/**
 * Answer the question about the chosen move by a tap on the board: the move is taken back. A tap on
 * another of the player's pieces, or on the moved one, chooses it.
 * @param {ViewState} view
 * @param {Move} move
 * @param {number[]} clicks
 * @param {Effect[]} effects
 */
function reconsider(view, move, [first, second], effects) {
  const back = proceed(revertMove(view, effects), effects);
  const square = first === move.to ? move.from : first;
  const own = back.pieces[square - 1]?.toUpperCase() === back.game.turn;
  return own ? selectPremove({ ...back, plan: second ? [square, second] : [square] }, effects) : back;
}

/** @param {ViewState} view @param {Effect[]} effects */
function showStuck(view, effects) {
  const { sentence, rule } = view.game.status;
  effects.push({ do: "urge" });
  return notify({ ...view, taps: 0 }, { kind: "must", words: [{ key: "stuck" }, { text: sentence }], rule }, effects);
}

/** @param {ViewState} view @param {Resolution | null} result @param {Effect[]} effects */
function updateSelection(view, result, effects) {
  if (view.stage || view.own) return view;
  const now = { ...view, notice: null, question: null, arrow: result ? [] : view.arrow };
  return result?.branches.length && result.ends.length === 1
    ? notify(now, { kind: "ask", words: [{ key: "choose_way" }] }, effects)
    : now;
}

/** @param {ViewState} view @param {Extract<ViewMessage, {t: "ask"}>["what"]} what @param {Effect[]} effects */
function handleAsk(view, what, effects) {
  if (view.own) return view;
  const now = view.past === null ? view : lookAt(view, view.game.history.length, effects);
  const endsGame = what === "resign" || what === "draw";
  // The computer and two people at one screen agree at once.
  const agreesAtOnce = what === "draw" && !view.game.online;
  if (what === "abort" || (endsGame && now.prefs.sure) || agreesAtOnce) {
    effects.push({ do: "focus", on: "answers" });
    return { ...now, question: what };
  }
  if (what === "resign") return confirmQuestion(now, what, effects);
  effects.push({ do: "send", message: { t: what } });
  // Two people at one screen do not have to accept a takeback.
  if (what === "undo" && hotseat(view)) effects.push({ do: "send", message: { t: "undo_answer", ok: true } });
  return what === "hint" ? { ...now, hinting: true } : now;
}

/** Handle a yes to the page's own question. @param {ViewState} view @param {Question} what @param {Effect[]} effects */
function confirmQuestion(view, what, effects) {
  effects.push({ do: "send", message: { t: what, ...actor(view) } });
  if (what === "draw" && hotseat(view)) effects.push({ do: "send", message: { t: "draw_answer", ok: true } });
  return { ...view, question: null };
}
