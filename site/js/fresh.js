/**
 * Initial state of a new game from the parameters of its address, before Python has created the
 * game. `damka.live.requests.NewGame` defines the parameters and their defaults.
 */

/**
 * @typedef {object} Start data for new games of a rule set, written by the build
 * @property {State} state state for a spectator
 * @property {Record<string, Partial<State> | undefined>} as differences for the players, by
 * opponent and colour
 * @property {Player[]} computers the computer as a player, by level
 * @property {number} level default level
 * @property {Side} first side that moves first
 */

/** @typedef {"first" | "second"} Colour */

const COLOURS = ["first", "second"];

/**
 * Draw lots for the colour if the address requests it. The address stores the result, so that the
 * game is the same after a reload.
 * @param {URLSearchParams} query @returns {boolean} whether this call has drawn lots
 */
export function drawLot(query) {
  const colour = query.get("colour") ?? "lot";
  if (colour !== "lot" || COLOURS.includes(query.get("lot") ?? "")) return false;
  const [random] = crypto.getRandomValues(new Uint8Array(1));
  query.set("lot", COLOURS[random & 1]);
  return true;
}

/**
 * Return the first state of the game that an address describes; a spectator's state if it describes
 * none.
 * @param {Start} start
 * @param {URLSearchParams} query
 * @returns {State}
 */
export function initialState({ state, as, computers, level: defaultLevel, first }, query) {
  const opponent = query.get("opponent") ?? "computer";
  const level = Number(query.get("level") ?? defaultLevel);
  const lot = query.get("lot");
  const colourChoice = query.get("colour") ?? "lot";
  const colour = colourChoice === "lot" ? lot : colourChoice;
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
  if (colourChoice === "lot") game.lot = { drawn: true, you };
  // The computer is not loaded yet: do not announce that it is thinking.
  if (opponent === "computer" && they === first) game.announce = "";
  return game;
}

/** @param {string} name */
const printable = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
