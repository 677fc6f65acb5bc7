/**
 * In-memory game store for browsers without storage, for example with blocked cookies. Games are lost
 * when the worker ends. A page passes its game to the next page in the address.
 */

/** @typedef {{record: string, events: string[], next?: string}} StoredGame */

/** @type {Map<string, StoredGame>} */
const games = new Map();

/** @param {string} id @param {string} record @param {string | null | undefined} previous @returns {string} its id */
export function create(id, record, previous) {
  const previousGame = previous == null ? undefined : games.get(previous);
  if (previousGame?.next) return previousGame.next;
  if (previousGame) previousGame.next = id;
  games.set(id, { record, events: [] });
  return id;
}

/** @param {string} id @returns {StoredGame | null} */
export function load(id) {
  const game = games.get(id);
  return game ? { record: game.record, events: [...game.events], next: game.next } : null;
}

/** @param {string} id @param {number} seq @param {string} event */
export function append(id, seq, event) {
  const events = games.get(id)?.events;
  if (!events || events.length !== seq) throw new DOMException("the entry already exists", "ConstraintError");
  events.push(event);
}

/** Encode a game for the address of the next page. @param {string} id @returns {string} "" for an unknown game */
export function exportGame(id) {
  const game = games.get(id);
  return game ? JSON.stringify({ id, ...game }) : "";
}

/** Import a game from the previous page. @param {string} text */
export function importGame(text) {
  const { id, record, events, next } = JSON.parse(text);
  games.set(String(id), { record: String(record), events: [...events].map(String), ...(next && { next: String(next) }) });
}
