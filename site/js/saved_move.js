/**
 * Storage of a move made before the game was open. It survives a reload, because the page has
 * announced that the move is saved.
 */

const KEY = "damka.move";

/** @returns {{search: string, ply: number, hub: string} | null} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** Store the move for this address, in place of an earlier one. @param {number} ply @param {string} hub */
export function saveMove(ply, hub) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ search: location.search, ply, hub }));
  } catch {
    // Without storage the move lasts as long as the page.
  }
}

export function deleteMove() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Return the stored move for this address, if it is legal in the game. @param {State} game */
export function savedMove({ ply, legal, offences }) {
  const move = read();
  if (move?.search !== location.search || move.ply !== ply) return undefined;
  return [...legal, ...offences].find(({ hub }) => hub === move.hub);
}

/** Delete the move once the game contains it or has refused it. @param {{t: string, ply?: number}} message message of the game */
export function deleteHandledMove({ t, ply = 0 }) {
  const move = read();
  if (move && (t === "error" || t === "refusal" || (t === "state" && ply > move.ply))) deleteMove();
}
