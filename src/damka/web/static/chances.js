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
export function winningChances({ a0, a1, b0, b1 }, score, pieces) {
  if (Math.abs(score) > BEYOND) return score > 0 ? { win: 1, draw: 0, loss: 0 } : { win: 0, draw: 0, loss: 1 };
  const a = a0 + a1 * pieces;
  const b = b0 + b1 * pieces;
  const win = logistic((score - a) / b);
  const loss = logistic((-score - a) / b);
  return { win, draw: Math.max(0, 1 - win - loss), loss };
}

/** Expected score, 0 to 1: a win counts 1 and a draw ½. @param {{ win: number, draw: number }} chances */
export const expectedScore = ({ win, draw }) => win + draw / 2;
