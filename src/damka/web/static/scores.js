/** Scores of the engine's lines in words and numbers, from White's view. */

import { expectedScore, winningChances } from "./chances.js";

/** Scores above it are proved, or from a table. */
const BEYOND = 15_000;

/**
 * @typedef {object} Shown a score, from White's view
 * @property {string} badge men, or moves to the win: "+0.45", "#7"
 * @property {number} white expected score of White, 0 to 1
 * @property {{win: number, draw: number, loss: number}} chances of White
 * @property {string} sentence
 * @property {Side | null} winner of a proved result
 * @property {boolean} sure whether the result is proved or from a table
 */

/**
 * @param {EvaluationLine} line
 * @param {{turn: Side, pieces: string}} position
 * @param {{curve: Chances, names: Record<Side, string>, language: string, t: Sentences}} how
 * @returns {Shown}
 */
export function describeScore({ score, mate, table }, { turn, pieces }, { curve, names, language, t }) {
  const isWhite = turn === "W";
  const own = winningChances(curve, score, pieces.replace(/\./g, "").length);
  const chances = isWhite ? own : { win: own.loss, draw: own.draw, loss: own.win };
  const white = expectedScore(chances);
  const view = isWhite ? score : -score;
  if (mate || Math.abs(score) > BEYOND) {
    const winner = view > 0 ? "W" : "B";
    const sign = view > 0 ? "+" : "−";
    const n = mate ? Math.ceil(Math.abs(mate) / 2) : 0;
    const kind = n ? `in.${pluralForm(language, n)}` : "table";
    return {
      badge: n ? `${sign}#${n}` : `${sign}∞`,
      white,
      chances,
      sentence: t(`analysis.lines.wins_${kind}`, { side: names[winner], n }),
      winner,
      sure: true,
    };
  }
  if (table) return { badge: "=", white, chances: { win: 0, draw: 1, loss: 0 }, sentence: t("analysis.lines.draw_table"), winner: null, sure: true };
  const men = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Math.abs(view) / 100);
  const [win, draw, loss] = percentages(chances);
  return {
    badge: `${view > 0 ? "+" : view < 0 ? "−" : ""}${men}`,
    white,
    chances,
    sentence: t("analysis.lines.chances", { one: names.W, other: names.B, win, draw, loss }),
    winner: null,
    sure: false,
  };
}

/** Round chances to percentages with the sum 100. @param {{win: number, draw: number, loss: number}} chances */
export function percentages({ win, draw, loss }) {
  const parts = [win, draw, loss].map((each) => 100 * each);
  const whole = parts.map(Math.floor);
  const order = [0, 1, 2].sort((a, b) => parts[b] - whole[b] - (parts[a] - whole[a]));
  const missing = 100 - whole[0] - whole[1] - whole[2];
  for (const i of order.slice(0, missing)) whole[i] += 1;
  return whole;
}

/** Form of a text for a number: "one", "few" or "other". @param {string} language @param {number} n */
function pluralForm(language, n) {
  const form = new Intl.PluralRules(language).select(n);
  return form === "many" ? "other" : form;
}

/**
 * Whether only the first line keeps its result: the others are proved to be worse.
 * @param {EvaluationLine[]} lines best first
 */
export function isOnly([first, second]) {
  if (!first || !second) return false;
  const result = (/** @type {EvaluationLine} */ { score, mate, table }) => (mate || Math.abs(score) > BEYOND ? Math.sign(score) : table ? 0 : null);
  const [best, next] = [result(first), result(second)];
  if (next === null) return false;
  return best === null ? next < 0 && first.score > -BEYOND : best > next;
}

/** A number of positions, shortened. @param {number} n @param {string} language */
export const shortNumber = (n, language) => new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(n);
