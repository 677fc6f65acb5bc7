/** Numbers of a finished game. A pure function of its state. */

/**
 * Count each side's moves, captured pieces, longest capture, missed captures, the pieces that it
 * huffed, and its time.
 * @param {Pick<State, "history" | "pieces" | "start" | "turn" | "time_used">} game
 * @returns {Record<Side, Statistics>}
 */
export function statistics({ history, pieces, start, turn, time_used: time }) {
  const none = { moves: 0, captured: 0, longest: 0, missed: 0, huffed: 0 };
  const sides = { W: { ...none, time: time?.W ?? 0 }, B: { ...none, time: time?.B ?? 0 } };
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

/** Time as minutes and seconds, with hours from the first one on. @param {number} milliseconds */
export function clockTime(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
