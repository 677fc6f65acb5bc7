/**
 * The move that a player has made before the game was open. It outlives a reload of the page, which might
 * otherwise lose what the page has said is saved.
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

/** Keep the move of this address, in place of another. @param {number} ply @param {string} hub */
export function keepMove(ply, hub) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ search: location.search, ply, hub }));
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function forgetMove() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** The move that was kept of this address, if the game has it. @param {State} game */
export function keptMove({ ply, legal, offences }) {
  const kept = read();
  if (kept?.search !== location.search || kept.ply !== ply) return undefined;
  return [...legal, ...offences].find(({ hub }) => hub === kept.hub);
}

/** Forget the move once the game has it, or has refused it. @param {{t: string, ply?: number}} message of the game */
export function moveKept({ t, ply = 0 }) {
  const kept = read();
  if (kept && (t === "error" || t === "refusal" || (t === "state" && ply > kept.ply))) forgetMove();
}
