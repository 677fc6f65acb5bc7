/**
 * Searches of a review: on this device, with the rules deciding what to search next, or on the
 * server, which sends the review as it grows.
 */

import { expectedScore, winningChances } from "./chances.js";
import { defaultSource, openSource } from "./analysis_source.js";
import { page, t } from "./i18n.js";
import { request } from "./transport.js";

/** Nodes for a position where the game turns. */
const NODES = 200_000;
/** Time limit of a search in milliseconds, for slow devices. */
const MAX_MS = 10_000;
/** Searches that still run when the next ones are requested. */
const AHEAD = 3;
/** Longest time between two states of the review while searches run, in milliseconds. */
const REFRESH_MS = 800;
/** Delay before a second try after the server's stream was cut. */
const RETRY_MS = 3000;
/** Searches of a position, about. */
const SEARCHES = 2.2;

/** Winning chance that a right move may lose, as in `damka.study.review`. */
const RIGHT_WITHIN = 0.05;

const JSON_TYPE = "application/json";

/** The game as `damka.live.reviews.GameMoves`. @param {ReviewedGame} game */
const gameJson = ({ fen, keys }) => ({ rules: page.edit?.rules, fen, moves: keys });

/** @param {ReviewRequest} request */
const keyOf = ({ ply, huff, nodes, lines, moves }) => JSON.stringify([ply, huff, nodes, lines, moves]);

/**
 * @typedef {object} Options
 * @property {Side | null} reader the side that is addressed as "you"
 * @property {AbortSignal} signal
 * @property {(review: ReviewData, share: number, final: boolean) => void} onReview `share`: part of the searches done
 */

/** @param {number} done @param {number} waiting @param {ReviewedGame} game */
const shareOf = (done, waiting, { keys }) => done / Math.max(done + waiting, SEARCHES * (keys.length + 1));

/** @param {string} path @param {object} body */
async function post(path, body) {
  const { ok, data } = await request(`${path}?lang=${page.lang}`, { body: JSON.stringify(body), type: JSON_TYPE });
  if (!ok) throw new Error(data?.message ?? t("offline"));
  return data;
}

/**
 * Review a game on this device, or on the server if there is no engine here.
 * @param {ReviewedGame} game
 * @param {Map<string, ReviewEvaluation>} known evaluations so far; new ones are added
 * @param {Options} options
 */
export async function runReview(game, known, options) {
  const where = defaultSource(page);
  if (!known.size && !where) throw new Error(t("review.page.no_engine"));
  if (!known.size && where === "server") return reviewThere(game, options);
  try {
    await reviewHere(game, known, options);
  } catch (error) {
    if (options.signal.aborted || !(error instanceof EngineError) || !page.analysis?.server) throw error;
    await reviewThere(game, options);
  }
}

/** The engine of this device does not run. */
class EngineError extends Error {}

/** @param {ReviewedGame} game @param {Map<string, ReviewEvaluation>} known @param {Options} options */
async function reviewHere(game, known, { reader, signal, onReview }) {
  // The engine starts while the rules choose the first searches; a finished review needs none.
  let source = known.size ? null : openSource(page, "device");
  /** @type {Set<string>} */
  const running = new Set();
  /** Searches without a line. */
  const fruitless = new Set();
  let failure = "";
  let wake = () => {};
  let searched = known.size;

  /** @param {ReviewRequest} wanted @param {string} key @param {AnalysisSource} engine */
  async function search(wanted, key, engine) {
    const { ply, huff, lines, nodes, moves: choices } = wanted;
    const moves = [...game.keys.slice(0, ply), ...(huff ? [`(${huff})`] : [])];
    try {
      const evaluation = await engine.evaluate({ fen: game.fen, moves, lines, nodes, ms: MAX_MS, ...(choices && { choices }) }, { signal });
      if (evaluation.lines.length) add(known, { request: wanted, evaluation });
      else fruitless.add(key);
      searched += 1;
    } catch (error) {
      failure = /** @type {Error} */ (error).message;
    }
    running.delete(key);
    wake();
  }

  try {
    for (;;) {
      const count = searched;
      const asked = performance.now();
      const { next, ...review } = await post("/api/review/steps", { game: gameJson(game), evaluations: [...known.values()], nodes: NODES, reader });
      if (signal.aborted) return;
      for (const wanted of /** @type {ReviewRequest[]} */ (next)) {
        const key = keyOf(wanted);
        if (known.has(key) || fruitless.has(key) || running.has(key)) continue;
        source ??= openSource(page, "device");
        running.add(key);
        void search(wanted, key, source);
      }
      const isDone = !running.size && count === searched;
      onReview(review, shareOf(searched, running.size, game), isDone);
      if (isDone) return;
      // The rules choose the next searches while the last ones run.
      const mayWait = () => searched === count || (running.size > AHEAD && performance.now() - asked < REFRESH_MS);
      while (running.size && !failure && mayWait()) await new Promise((/** @type {(value?: unknown) => void} */ done) => (wake = done));
      if (signal.aborted) return;
      if (failure) throw new EngineError(failure);
    }
  } finally {
    source?.close();
  }
}

/** Add an evaluation; it replaces shorter ones of the same position. @param {Map<string, ReviewEvaluation>} known @param {ReviewEvaluation} evaluation */
export function add(known, evaluation) {
  const { ply, huff, nodes, lines, moves } = evaluation.request;
  for (const [key, { request: old }] of known) {
    const isSame = old.ply === ply && old.huff === huff && Boolean(old.moves) === Boolean(moves);
    if (isSame && old.nodes <= nodes && old.lines <= lines) known.delete(key);
  }
  known.set(keyOf(evaluation.request), evaluation);
}

/** @param {ReviewedGame} game @param {Options} options */
async function reviewThere(game, options, tries = 2) {
  const { reader, signal, onReview } = options;
  const body = JSON.stringify({ game: gameJson(game), reader });
  const response = await fetch(`/api/review?lang=${page.lang}`, { method: "POST", headers: { "content-type": JSON_TYPE }, body, signal }).catch(() => null);
  if (!response?.ok || !response.body) throw new Error((await response?.json().catch(() => null))?.message ?? t("offline"));
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await lines.read(); !part.done; part = await lines.read()) {
    const rows = `${text}${part.value}`.split("\n");
    text = rows.pop() ?? "";
    for (const row of rows) {
      const { t: type, message, searched, final, ...review } = row.trim() ? JSON.parse(row) : {};
      if (type === "error") throw new Error(message);
      if (type !== "review") continue;
      onReview(review, shareOf(searched, 1, game), final);
      if (final) return;
    }
  }
  // The stream was cut.
  if (tries < 2) throw new Error(t("offline"));
  await new Promise((done) => setTimeout(done, RETRY_MS));
  if (!signal.aborted) await reviewThere(game, options, tries - 1);
}

/**
 * Judge a move that is tried instead of the one of the game.
 * @param {ReviewedGame} game @param {number} ply moves before it @param {string} move @param {string} best
 * @param {AnalysisSource} source
 * @param {"win" | "draw" | "loss" | null} ended how the move ends the game for its side, if it does
 * @returns {Promise<ReviewVerdict>}
 */
export async function judge(game, ply, move, best, source, ended) {
  /** @type {ReviewEvaluation[]} */
  const evaluations = [];
  for (;;) {
    const { verdict, next } = await post("/api/review/judge", { game: gameJson(game), ply, move, best, evaluations, nodes: NODES });
    if (verdict) return verdict;
    evaluations.push({ request: next, evaluation: await evaluate(game, next, source, next.moves?.[0] === move ? ended : null) });
  }
}

/**
 * Judge a move where pieces can be huffed: compare its position with that of the best huff.
 * @param {ReviewedGame} game @param {number} ply moves before it @param {string} key with its huff @param {number | null} huff the best one
 * @param {AnalysisSource} source @param {"win" | "draw" | "loss" | null} ended
 * @returns {Promise<{right: boolean, lost: number}>}
 */
export async function compare(game, ply, key, huff, source, ended) {
  const request = { ply, huff: null, nodes: NODES, lines: 1 };
  const board = { ...game, keys: [...game.keys.slice(0, ply), ...(huff ? [`(${huff})`] : [])] };
  const best = await evaluate(board, { ...request, ply: board.keys.length, moves: null }, source, null);
  const own = await evaluate(game, { ...request, moves: [key] }, source, ended);
  const pieces = (ply ? game.nodes[ply - 1] : game.root).pieces.replaceAll(".", "").length;
  const { chances } = /** @type {EditData} */ (page.edit);
  const expected = (/** @type {EvaluationData} */ { lines: [line] }) =>
    line?.mate ? Number(line.mate > 0) : expectedScore(winningChances(chances, line?.score ?? 0, pieces));
  const lost = Math.max(0, expected(best) - expected(own));
  return { right: lost <= RIGHT_WITHIN, lost };
}

/**
 * Evaluate a position, or one move: any source can search the position after it.
 * @param {ReviewedGame} game @param {ReviewRequest} wanted @param {AnalysisSource} source @param {"win" | "draw" | "loss" | null} ended
 * @returns {Promise<EvaluationData>}
 */
async function evaluate({ fen, keys }, { ply, nodes, lines, moves: choices }, source, ended) {
  const moves = keys.slice(0, ply);
  const [move] = choices ?? [];
  if (!move) return source.evaluate({ fen, moves, lines, nodes, ms: MAX_MS });
  if (ended) {
    const mate = { win: 1, draw: null, loss: -1 }[ended];
    return { depth: 0, nodes: 0, ms: 0, lines: [{ score: 0, mate, table: false, moves: [move] }] };
  }
  const after = await source.evaluate({ fen, moves: [...moves, move], lines: 1, nodes, ms: MAX_MS });
  return { ...after, lines: after.lines.map((line) => lineBefore(move, line)) };
}

/** The line that begins with a move, from one of the position after it. @param {string} move @param {EvaluationLine} line @returns {EvaluationLine} */
export const lineBefore = (move, { score, mate, table, moves }) => ({
  score: -score,
  mate: mate === null ? null : -mate + (mate > 0 ? -1 : 1),
  table,
  moves: [move, ...moves.slice(0, 11)],
});
