/** Settings, stored in the browser. */

const KEY = "damka.prefs";

/** @type {Prefs} */
const DEFAULTS = {
  sound: true,
  numbers: true,
  quick: false,
  confirm: false,
  sure: true,
  warn: true,
  pace: true,
  turn: false,
  crown: false,
  plain: false,
  swap: false,
  chat: true,
};

/**
 * Return the stored value of a key, or `fallback` if there is no storage, value or valid JSON.
 * @template T
 * @param {string} key
 * @param {T} fallback
 * @returns {T}
 */
export function recall(key, fallback) {
  try {
    return { ...fallback, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch {
    return fallback;
  }
}

/** @param {string} key @param {object} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the settings last for this visit; games are on the server.
  }
}

export const prefs = recall(KEY, DEFAULTS);

/** @param {keyof Prefs} name @param {boolean} value */
export function prefer(name, value) {
  prefs[name] = value;
  remember(KEY, prefs);
}
