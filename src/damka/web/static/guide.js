/** Notices of a guided game: the rules that occur for the first time. Pure functions. */

/** Number of notices before a move that the player has confirmed. @type {Confirmed} */
export const NONE = { ply: -1, n: 0 };

/** Notices before the move after `ply`. @param {State} game @param {number} ply */
export const noticesAt = ({ guide }, ply) => guide?.notices.filter((each) => each.ply === ply) ?? [];

/** The first notice that the player has not confirmed. @param {ViewState} view @returns {GuideNotice | undefined} */
export function openNotice({ game, confirmed }) {
  return noticesAt(game, game.ply)[confirmed.ply === game.ply ? confirmed.n : 0];
}

/** Squares of the notices that the page shows, without those that have a ring already. @param {ViewState} view @returns {number[]} */
export function guideSquares(view) {
  const { game, past, stage, own, notice, question } = view;
  if (stage || own || notice || question) return [];
  if (past !== null) return noticesAt(game, past).flatMap(({ squares }) => squares);
  return openNotice(view)?.squares.filter((square) => !game.must.includes(square)) ?? [];
}

/** Confirm the open notice. @param {ViewState} view @returns {Confirmed} */
export function confirmNotice({ game: { ply }, confirmed }) {
  return { ply, n: confirmed.ply === ply ? confirmed.n + 1 : 1 };
}
