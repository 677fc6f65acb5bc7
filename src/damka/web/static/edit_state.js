/**
 * State of the board editor: a position, and those before and after it for undo and redo. Pure
 * functions; whether a game can start from a position is decided by the rules, not here.
 */

/** Number of positions that can be undone. */
const MAX_UNDO = 200;

/** @param {EditPosition} position @returns {EditState} */
export const begin = (position) => ({ position, past: [], future: [] });

/** Change the position, unless it is the same. @param {EditState} state @param {EditPosition} position @returns {EditState} */
export function change(state, position) {
  const { position: before, past } = state;
  if (before.pieces === position.pieces && before.turn === position.turn) return state;
  return { position, past: [...past, before].slice(-MAX_UNDO), future: [] };
}

/** @param {EditState} state @returns {EditState} */
export function undo(state) {
  const position = state.past[state.past.length - 1];
  return position ? { position, past: state.past.slice(0, -1), future: [state.position, ...state.future] } : state;
}

/** @param {EditState} state @returns {EditState} */
export function redo(state) {
  const [position, ...future] = state.future;
  return position ? { position, past: [...state.past, state.position], future } : state;
}

/** Piece on a square, "." for an empty one. @param {EditPosition} position @param {number} square */
export const at = ({ pieces }, square) => pieces[square - 1] ?? ".";

/** Put a piece on a square; "." removes one. @param {EditPosition} position @param {number} square @param {string} piece @returns {EditPosition} */
export const place = ({ pieces, turn }, square, piece) => ({
  pieces: pieces.slice(0, square - 1) + piece + pieces.slice(square),
  turn,
});

/** Use a tool on a square: the piece that is already there is removed. @param {EditPosition} position @param {number} square @param {string} tool */
export const use = (position, square, tool) => place(position, square, at(position, square) === tool ? "." : tool);

/** Move a piece, off the board if `to` is 0. @param {EditPosition} position @param {number} from @param {number} to @returns {EditPosition} */
export function move(position, from, to) {
  if (from === to) return position;
  const without = place(position, from, ".");
  return to ? place(without, to, at(position, from)) : without;
}

/** Turn men into kings. @param {EditPosition} position @param {number[]} squares @returns {EditPosition} */
export const crown = (position, squares) =>
  squares.reduce((now, square) => place(now, square, at(now, square).toUpperCase()), position);

/** @param {EditPosition} position @returns {EditPosition} */
export const clear = ({ pieces, turn }) => ({ pieces: ".".repeat(pieces.length), turn });

const OPPOSITE = /** @type {Record<string, string>} */ ({ w: "b", b: "w", W: "B", B: "W" });

/** Swap the colours and turn the board, so that the side to move has the same moves. @param {EditPosition} position @returns {EditPosition} */
export const mirror = ({ pieces, turn }) => ({
  pieces: [...pieces].reverse().map((piece) => OPPOSITE[piece] ?? piece).join(""),
  turn: turn === "W" ? "B" : "W",
});
