/** What this package throws on purpose: every error has a `code`, which does not change. */

/** The base of all errors of this package. */
export class DamkaError extends Error {
  /** The name of its class. @type {string} @override */
  name = "DamkaError";
  /** What is wrong, for programs: "not_loaded", "crowning_row", "illegal", … @type {string} @readonly */
  code;

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * One thing that is wrong with rules.
 * @typedef {object} Fault
 * @property {string} key the parameter, such as "width" or "material_draws[0].moves"
 * @property {unknown} value what stood there; null for nothing
 * @property {string} expected what may stand there, in words
 */

/** @param {unknown} value */
function shown(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Rules that cannot be used. Its code is "rules", or "unknown_rules" for a name that there is not. */
export class RulesError extends DamkaError {
  /** @override */
  name = "RulesError";
  /** Everything that is wrong, in the order in which it was found. @type {readonly Fault[]} @readonly */
  faults;

  /** @param {readonly Fault[]} faults at least one @param {string} [code] */
  constructor(faults, code = "rules") {
    const [{ key, value, expected }] = faults;
    const what = value === null ? key : key ? `${key} = ${shown(value)}` : shown(value);
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
    super(code, `${what ? `${what}: ` : ""}expected ${expected}${more}`);
    this.faults = faults;
  }
}

/**
 * A text that is no position. Codes: "length", "turn", "group", "group_twice", "square", "off_board",
 * "range", "duplicate", "crowning_row".
 */
export class FenError extends DamkaError {
  /** @override */
  name = "FenError";
  /** Where in the text, from 0; null where it is no one place. @type {number | null} @readonly */
  at;

  /** @param {string} code @param {string} message @param {number | null} [at] */
  constructor(code, message, at = null) {
    super(code, message);
    this.at = at;
  }
}

/**
 * A move that cannot be played. Codes: "not_understood" (no move at all), "not_a_square", "illegal",
 * "ambiguous" (several moves fit), "no_move" (nothing to take back, no piece to huff).
 */
export class MoveError extends DamkaError {
  /** @override */
  name = "MoveError";
  /** The moves that fit, where there are several, as texts. @type {readonly string[]} @readonly */
  moves;

  /** @param {string} code @param {string} message @param {readonly string[]} [moves] */
  constructor(code, message, moves = []) {
    super(code, message);
    this.moves = moves;
  }
}

/**
 * A search that cannot be made. Codes: "limits", "no_limit", "choices", "weights" (not whole, not
 * there, or for another board), "stopped" (before anything was found), "busy", "worker", "closed".
 */
export class SearchError extends DamkaError {
  /** @override */
  name = "SearchError";
}
