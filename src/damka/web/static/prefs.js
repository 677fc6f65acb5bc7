/** How this browser likes its board; kept in the browser. */

const KEY = "damka.prefs";

/** @type {Prefs} */
const DEFAULTS = {
  sound: true,
  numbers: true,
  quick: false,
  confirm: false,
  warn: true,
  pace: true,
  turn: false,
  crown: false,
  plain: false,
  swap: false,
};

/**
 * What a key of the browser's store holds, or `otherwise`: no store, nothing there, not JSON.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function recall(key, otherwise) {
  try {
    return { ...otherwise, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {object} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser without a store forgets; the game is the server's and is not touched.
  }
}

export const prefs = recall(KEY, DEFAULTS);

/** @param {keyof Prefs} name @param {boolean} value */
export function prefer(name, value) {
  prefs[name] = value;
  remember(KEY, prefs);
}
