/** Winning chances of a score. The same formula as in `damka.engine.chances`. */

/** A score above it is a proved win or a tablebase win. */
const BEYOND = 15_000;

/** @param {number} x */
const logistic = (x) => (1 + Math.tanh(x / 2)) / 2;

/**
 * Probabilities of a win, a draw and a loss for the side to move.
 * @param {Chances} curve the curve of the rules
 * @param {number} score in hundredths of a man, for the side to move
 * @param {number} pieces the number of pieces on the board
 * @returns {{ win: number, draw: number, loss: number }}
 */
export function winningChances(curve, score, pieces) {
  if (Math.abs(score) > BEYOND) return score > 0 ? { win: 1, draw: 0, loss: 0 } : { win: 0, draw: 0, loss: 1 };
  const [a, b, c] = numbers(curve, pieces);
  const x = c * Math.asinh(score / c);
  const win = logistic((x - a) / b);
  const loss = logistic((-x - a) / b);
  return { win, draw: Math.max(0, 1 - win - loss), loss };
}

/** Interpolated numbers of a curve. @param {Chances} curve @param {number} pieces */
function numbers({ pieces: knots, a, b, c }, pieces) {
  const above = knots.findIndex((knot) => knot > pieces);
  const at = above < 0 ? knots.length - 1 : Math.max(above, 1);
  const share = (pieces - knots[at - 1]) / (knots[at] - knots[at - 1]);
  const part = Math.min(Math.max(share, 0), 1);
  return [a, b, c].map((values) => values[at - 1] + part * (values[at] - values[at - 1]));
}

/** Expected score, 0 to 1: a win counts 1 and a draw ½. @param {{ win: number, draw: number }} chances */
export const expectedScore = ({ win, draw }) => win + draw / 2;
