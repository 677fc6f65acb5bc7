/** Displayed values of a view, in the player's language. Pure functions, used by `render`. */

import { canPremove, myTurn, isOpponentMoving, other, hotseat, withoutConnection } from "./reduce.js";
import { noticesAt, openNotice } from "./guide.js";
import { page, t } from "./i18n.js";

const rules = /** @type {RulesData} */ (page.rules);

/** Label of a square. @param {number} square */
export const name = (square) => rules.names?.[square - 1] ?? String(square);

/** @param {Words[]} words */
export const sentence = (words) =>
  words
    .map((each) => {
      if ("text" in each) return each.text;
      const { ...values } = each.values ?? {};
      for (const key of ["square", "from", "to"]) if (values[key]) values[key] = name(Number(values[key]));
      return t(each.key, values);
    })
    .join(" ");

/** Side displayed as to move. @param {ViewState} view @returns {Side} */
export function turn({ game, own, step }) {
  if (step && !own) return step.side;
  return own?.phase === "sent" ? other(game.turn) : game.turn;
}

/** Whether the computer is to move, including during the animation before it. @param {ViewState} view */
export const thinking = (view) =>
  !view.game.result && !view.starting && view.game.players[turn(view)].kind === "computer" && (view.game.thinking || Boolean(view.own ?? view.step));

/** Side at the bottom; while lots are drawn the board shows White there. @param {ViewState} view @returns {Side} */
export function orientation(view) {
  const { game, prefs, turned } = view;
  const home = hotseat(view) ? (prefs.turn ? turn(view) : "W") : (game.you[0] ?? "W");
  return turned ? other(home) : home;
}

/** Moves and huffs available on the board. @param {ViewState} view @returns {Choices | null} */
export function choices(view) {
  const { game, past, own, stage, drawing, sentAt } = view;
  if (past === null && !drawing && (canPremove(view) || isOpponentMoving(view))) {
    return { legal: [], offences: [], must: [], huffable: [], side: game.you[0], plan: true };
  }
  if (own?.phase === "unconfirmed") return { legal: [], offences: [], must: [], huffable: [], side: game.turn, plan: true };
  if (sentAt === game.ply || !myTurn(view) || past !== null || own || stage || game.thinking || drawing) return null;
  const { legal, offences, must, can, huffable, turn: side } = game;
  return { legal, offences, must, huffable: can.huff ? huffable : [], side };
}

/** Moves in the list. @param {ViewState} view */
export const listedMoves = ({ game, stage, drawing, own, line }) =>
  (stage || drawing) && !own ? game.history.slice(0, line.length) : game.history;

/**
 * Level of the next game against the computer: a stronger one after a win, a weaker one after a loss;
 * null if there is none.
 * @param {ViewState} view @param {number} most the strongest level
 */
export function nextLevel({ game }, most) {
  const { result, you, players, can, guide } = game;
  // After the lessons, the first level, whatever the result.
  if (guide && result && can.rematch) return { n: 1, stronger: null };
  if (you.length !== 1 || !result?.winner || !can.rematch) return null;
  const { level } = players[other(you[0])];
  const stronger = result.winner === you[0];
  const n = (level ?? NaN) + (stronger ? 1 : -1);
  return n >= 1 && n <= most ? { n, stronger } : null;
}

/** Content of the status line. @param {ViewState} view @returns {Line} */
export function status(view) {
  const { game, own, question, notice, past, step } = view;
  if (view.drawing) return { kind: "wait", text: t("lot_drawing") };
  if (own?.phase === "unconfirmed") {
    const ask = own.warning && game.warn ? game.warn.sentence : t("confirm_move", { move: own.move.text });
    const play = { label: t(own.warning ? "play_anyway" : "play_move"), main: !own.warning, message: simple("commit") };
    const back = { label: t("take_back"), main: own.warning, message: simple("take_back") };
    return { kind: "ask", text: ask, answers: [play, back] };
  }
  if (question) return confirmation(view, question);
  const asks = step ? null : openQuestion(view);
  if (notice) {
    const answers = past === null ? asks?.answers : [backToGame(game)];
    const { kind, more, rule, lesson } = notice;
    return { kind, text: sentence(notice.words), more, rule, lesson, answers };
  }
  if (past !== null) return review(view, past);
  const lost = withoutConnection(view);
  if (lost) return { kind: view.retrying ? "no" : "wait", text: sentence(lost) };
  const told = step || !myTurn(view) ? undefined : openNotice(view);
  if (told) {
    const gotIt = { label: t("guide_got_it"), main: true, message: simple("got_it") };
    return { kind: "ask", text: told.sentence, answers: told.url ? [gotIt, { label: t("guide_show"), url: told.url }] : [gotIt] };
  }
  if (asks) return asks;
  if (view.starting) return startingLine(view, view.starting);
  const watching = (/** @type {string} */ text) => (game.you.length ? afterLot(view, text) : `${t("watching")} ${text}`);
  if (step && !own) return { kind: "wait", text: watching((step.kind !== "pause" && game.status.news) || turnSentence(view)) };
  if (thinking(view)) return { kind: "wait", text: watching(turnSentence(view)) };
  const { sentence: statusText, rule } = game.status;
  const again = myTurn(view) && noticesAt(game, game.ply).length > 0;
  const answers = again ? [{ label: t("guide_again"), message: simple("explain_again") }] : [];
  return { text: watching(statusText), rule, kind: myTurn(view) && game.must.length ? "must" : "", answers };
}

/** Put the result of the lots before a text until this player's first move. @param {ViewState} view @param {string} text */
const afterLot = ({ game, lot, own }, text) =>
  lot && !own && !game.history.some(({ side }) => game.you.includes(side)) ? `${lot} ${text}` : text;

/** Sentence of whose turn it is at the displayed position. @param {ViewState} view */
function turnSentence(view) {
  const { kind, name } = view.game.players[turn(view)];
  return kind === "computer" ? t("computer_turn") : t("turn_of", { name });
}

/** Status while the opponent's program is loading; a move is saved meanwhile. @param {ViewState} view @param {{saved: string, waiting: string}} starting @returns {Line} */
function startingLine(view, { saved, waiting }) {
  const { game, own } = view;
  if (own || !myTurn(view) || !game.legal.length) return { kind: "wait", text: own ? `${saved} ${waiting}` : afterLot(view, waiting) };
  const { sentence: statusText, rule } = game.status;
  return { text: afterLot(view, `${statusText} ${waiting}`), rule, kind: game.must.length ? "must" : "" };
}

/** Message for Enter, if the page asks for a confirmation. @param {ViewState} view @returns {ViewMessage | null} */
export const confirmed = ({ own, question }) =>
  own?.phase === "unconfirmed" ? simple("commit") : question ? { t: "confirm", what: question } : null;

/** Message for Escape, if the page asks for a confirmation. @param {ViewState} view @returns {ViewMessage | null} */
export const cancelled = ({ own, question }) =>
  own?.phase === "unconfirmed" ? simple("take_back") : question ? simple("cancel") : null;

/** @param {"commit" | "take_back" | "decline_huff" | "cancel" | "got_it" | "explain_again"} t @returns {ViewMessage} */
const simple = (t) => ({ t });

/** @param {ViewState} view @param {Question} question @returns {Line} */
function confirmation(view, question) {
  const side = rules.colour_names[view.game.turn];
  const text = hotseat(view) && question !== "abort" ? t(`${question}_both`, { side }) : t(`${question}_sure`);
  const yes = question === "draw" && !hotseat(view) ? "draw_offer" : `${question}_yes`;
  return {
    kind: "ask",
    text,
    answers: [
      { label: t(yes), message: { t: "confirm", what: question } },
      { label: t("resign_no"), main: true, message: simple("cancel") },
    ],
  };
}

/** @param {ViewState} view @param {number} past @returns {Line} */
function review({ game }, past) {
  const entry = game.history[past - 1];
  const all = Math.ceil(game.history.length / 2);
  const where = entry ? t("looking_at", { n: Math.ceil(past / 2), all, move: entry.text }) : t("looking_at_start");
  const text = [where, ...noticesAt(game, past).map((each) => each.sentence)].join(" ");
  return { text, answers: [backToGame(game)] };
}

/** @param {State} game */
const backToGame = ({ history }) => ({
  label: t("back_to_game"),
  main: true,
  message: /** @type {ViewMessage} */ ({ t: "look", position: history.length }),
});

/** Own pending offer, with a way to withdraw it. @param {ViewState} view @returns {Line | null} */
function pendingOffer(view) {
  const { game } = view;
  const [side] = game.you;
  if (game.you.length !== 1 || game.result) return null;
  const what = game.undo_offer === side ? "undo" : game.draw_offer === side ? "draw" : null;
  if (!what) return null;
  const { sentence: statusText, rule } = game.status;
  const must = myTurn(view) && game.must.length > 0;
  const { name } = game.players[other(side)];
  return {
    kind: must ? "must" : "ask",
    // A compulsory capture has priority in the text.
    text: `${t(`${what}_offered`)} ${must ? statusText : t("unanswered", { name })}`,
    rule: must ? rule : null,
    answers: [{ label: t("withdraw"), message: { t: "answer", what, ok: false } }],
  };
}

/** Question of the game that needs an answer: draw, takeback, rematch, huff, absent opponent. @param {ViewState} view @returns {Line | null} */
function openQuestion(view) {
  const { game, declinedAt } = view;
  for (const what of /** @type {const} */ (["draw", "undo", "rematch"])) {
    const text = game[`${what}_asks`];
    if (hotseat(view) || !game.can[`answer_${what}`] || !text) continue;
    /** @param {boolean} ok @returns {ViewMessage} */
    const answer = (ok) => ({ t: "answer", what, ok });
    return {
      kind: "ask",
      text,
      answers: [
        { label: t("agree"), main: true, message: answer(true) },
        { label: t("decline"), message: answer(false) },
      ],
    };
  }
  if (game.can.claim) {
    /** @param {boolean} draw @returns {ViewMessage} */
    const claim = (draw) => ({ t: "claim", draw });
    const answers = [
      { label: t("claim_win"), main: true, message: claim(false) },
      { label: t("claim_draw"), message: claim(true) },
    ];
    return { kind: "ask", text: t("claim_asks", { name: game.players[other(game.you[0])].name }), answers };
  }
  if (!game.huff_asks || declinedAt === game.version) return pendingOffer(view);
  const { sentence: text, rule } = game.huff_asks;
  const take = game.huffable.map((square) => ({
    label: t("huff_take", { square: name(square) }),
    main: true,
    message: /** @type {ViewMessage} */ ({ t: "huff", square }),
  }));
  return { kind: "ask", text, rule, answers: [...take, { label: t("huff_leave"), message: simple("decline_huff") }] };
}
