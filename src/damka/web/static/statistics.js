/** Numbers of a finished game. A pure function of its state. */

/**
 * Count each side's moves, captured pieces, longest capture, missed captures, and the pieces that it
 * huffed.
 * @param {Pick<State, "history" | "pieces" | "start" | "turn">} game
 * @returns {Record<Side, Statistics>}
 */
export function statistics({ history, pieces, start, turn }) {
  const none = { moves: 0, captured: 0, longest: 0, missed: 0, huffed: 0 };
  const sides = { W: { ...none }, B: { ...none } };
  for (const { side, move, huff, offence } of history) {
    const own = sides[side];
    own.moves += 1;
    own.captured += move.captures.length;
    own.longest = Math.max(own.longest, move.captures.length);
    own.missed += Number(offence);
    own.huffed += Number(Boolean(huff));
  }
  // A huff that ended the game belongs to no move.
  if (pieces !== (history.at(-1)?.pieces ?? start)) sides[turn].huffed += 1;
  return sides;
}
