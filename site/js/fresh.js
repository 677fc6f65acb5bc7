/**
 * A new game as its address describes it: what the page shows, and lets the player do, before Python has
 * made the game. `damka.live.requests.NewGame` says what an address may have, and what it leaves out.
 */

/**
 * @typedef {object} Start what the build has written about new games by some rules
 * @property {State} state as a spectator sees it
 * @property {Record<string, Partial<State> | undefined>} as what differs for the players, by opponent and colour
 * @property {Player[]} computers the computer as a player at each level
 * @property {number} level the one where the address has none
 * @property {Side} first the side that begins
 */

/** @typedef {"first" | "second"} Colour */

const COLOURS = ["first", "second"];

/**
 * Draw the lot, where the address leaves the colour to it. The address keeps the result, so that the game is
 * the same after a reload.
 * @param {URLSearchParams} query @returns {boolean} whether it was drawn now
 */
export function drawLot(query) {
  const colour = query.get("colour") ?? "lot";
  if (colour !== "lot" || COLOURS.includes(query.get("lot") ?? "")) return false;
  const [random] = crypto.getRandomValues(new Uint8Array(1));
  query.set("lot", COLOURS[random & 1]);
  return true;
}

/**
 * The first state of the game that an address describes; a spectator's where it describes none.
 * @param {Start} start
 * @param {URLSearchParams} query
 * @returns {State}
 */
export function fresh({ state, as, computers, level: usual, first }, query) {
  const opponent = query.get("opponent") ?? "computer";
  const level = Number(query.get("level") ?? usual);
  const lot = query.get("lot");
  const wanted = query.get("colour") ?? "lot";
  const colour = wanted === "lot" ? lot : wanted;
  const seats = as[`${opponent}-${colour}`];
  if (!seats || (opponent === "computer" && !computers[level - 1])) return state;
  /** @type {State} */
  const game = { ...state, ...seats, players: { ...state.players, ...seats.players } };
  const second = first === "W" ? "B" : "W";
  /** @type {Side[]} */
  const [you, they] = colour === "first" ? [first, second] : [second, first];
  if (opponent === "computer") game.players[they] = computers[level - 1];
  else {
    for (const [i, side] of [you, they].entries()) {
      const name = printable(query.getAll("name")[i] ?? "");
      if (name) game.players[side] = { ...game.players[side], name };
    }
  }
  if (wanted === "lot") game.lot = { drawn: true, you };
  // Until there is a computer it does not think.
  if (opponent === "computer" && they === first) game.announce = "";
  return game;
}

/** @param {string} name */
const printable = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
