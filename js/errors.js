/** Errors of this package: each has a stable `code`. */

/** The base of all errors of this package. */
export class DamkaError extends Error {
  /** The name of the class. @type {string} @override */
  name = "DamkaError";
  /** Machine-readable code: "not_loaded", "crowning_row", "illegal", … @type {string} @readonly */
  code;

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * One fault of a rule set.
 * @typedef {object} Fault
 * @property {string} key the parameter, such as "width" or "material_draws[0].moves"
 * @property {unknown} value the given value; null if missing
 * @property {string} expected the valid values, in words
 */

/** @param {unknown} value */
function formatValue(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Invalid rules. The code is "rules", or "unknown_rules" for an unknown name. */
export class RulesError extends DamkaError {
  /** @override */
  name = "RulesError";
  /** All faults, in the order of the checks. @type {readonly Fault[]} @readonly */
  faults;

  /** @param {readonly Fault[]} faults at least one @param {string} [code] */
  constructor(faults, code = "rules") {
    const [{ key, value, expected }] = faults;
    const subject = value === null ? key : key ? `${key} = ${formatValue(value)}` : formatValue(value);
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
    super(code, `${subject ? `${subject}: ` : ""}expected ${expected}${more}`);
    this.faults = faults;
  }
}

/**
 * An invalid position. Codes: "length", "turn", "group", "group_twice", "square", "off_board",
 * "range", "duplicate", "crowning_row".
 */
export class FenError extends DamkaError {
  /** @override */
  name = "FenError";
  /** Offset in the text, from 0; null if the error has no single offset. @type {number | null} @readonly */
  at;

  /** @param {string} code @param {string} message @param {number | null} [at] */
  constructor(code, message, at = null) {
    super(code, message);
    this.at = at;
  }
}

/**
 * An invalid, illegal or ambiguous move. Codes: "not_understood" (not a move), "not_a_square",
 * "illegal", "ambiguous" (several moves match), "no_move" (no move to take back, no piece to huff).
 */
export class MoveError extends DamkaError {
  /** @override */
  name = "MoveError";
  /** The candidates for an ambiguous move, as strings. @type {readonly string[]} @readonly */
  moves;

  /** @param {string} code @param {string} message @param {readonly string[]} [moves] */
  constructor(code, message, moves = []) {
    super(code, message);
    this.moves = moves;
  }
}

/**
 * A failed search. Codes: "limits", "no_limit", "choices", "weights" (corrupt, missing, or for
 * another board), "stopped" (before the first depth), "busy", "worker", "closed".
 */
export class SearchError extends DamkaError {
  /** @override */
  name = "SearchError";
}
