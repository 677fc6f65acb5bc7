/** Rule sets: bundled ones by name, others from plain objects. */

import { check } from "./check.js";
import { DamkaError, RulesError } from "./errors.js";
import { Code, Handle, KernelError, call, inPackage, init, callBytes } from "./runtime.js";
import { PARAMETERS, SETS, DEFAULTS, WEIGHTS } from "./rules_data.js";

/** @typedef {import("./rules_data.js").Side} Side */
/** @typedef {import("./rules_data.js").RulesParameters} RulesParameters */
/** @typedef {import("./rules_data.js").MaterialDraw} MaterialDraw */
/** @typedef {import("./rules_data.js").Parameter} Parameter */

/**
 * Rule parameters: complete, or as differences from a bundled rule set, the `base`.
 * @typedef {Partial<RulesParameters> & {base?: string}} RulesInput
 */

/** Defaults of the parameters that rules with a new name do not inherit. */
const OWN = { title: {}, summary: {}, readings: [], sources: [], game_type: 0 };
const ANY = [0, 72];

/** Names of the bundled rule sets, sorted. @type {readonly string[]} */
export const ruleSets = Object.freeze(Object.keys(SETS));

/** Table of parameters, for forms and checks. */
export { PARAMETERS as parameters };

/** @type {Map<string, Rules>} */
const bundled = new Map();

/**
 * The rules of a game. Immutable; compare them with `sameAs`.
 *
 * Squares are numbers from 1, from White's top left, row by row, under all rules. Players see
 * labels instead: `label` and `squareOf`.
 */
export class Rules {
  /** All parameters, checked and frozen. @type {Readonly<RulesParameters>} @readonly */
  parameters;
  /** @type {Handle | null} */
  #handle = null;

  /**
   * @param {RulesInput} input all parameters, or a `base` and the differences
   * @throws {RulesError} with all `faults`
   */
  constructor(input) {
    this.parameters = check(expandBase(input));
  }

  /** @returns {string} */
  get name() {
    return this.parameters.name;
  }

  /** The title in a language, else in English, else the name. @param {string} [language] */
  title(language = "en") {
    const { title, name } = this.parameters;
    return title[language] ?? title.en ?? name;
  }

  /** The number of columns. @returns {number} */
  get width() {
    return this.parameters.width;
  }

  /** The number of rows. @returns {number} */
  get height() {
    return this.parameters.height;
  }

  /** The number of playing squares: half the board, or all of it. @returns {number} */
  get squareCount() {
    return this.height * this.rowLength;
  }

  /** The number of playing squares in a row. @returns {number} */
  get rowLength() {
    return this.parameters.squares === "all" ? this.width : this.width / 2;
  }

  /**
   * Row and column of a square, from 0 at White's top left.
   * @param {number} square from 1
   * @returns {[row: number, column: number]}
   * @throws {DamkaError} "off_board"
   */
  cell(square) {
    if (!this.has(square)) throw offBoard(this, square);
    const row = Math.floor((square - 1) / this.rowLength);
    const index = (square - 1) % this.rowLength;
    return [row, this.parameters.squares === "all" ? index : 2 * index + this.#offset(row)];
  }

  /**
   * Playing square at a row and column, or null.
   * @param {number} row @param {number} column
   * @returns {number | null}
   */
  squareAt(row, column) {
    if (!(row >= 0 && row < this.height && column >= 0 && column < this.width)) return null;
    if (this.parameters.squares === "all") return row * this.width + column + 1;
    const index = column - this.#offset(row);
    return index % 2 ? null : row * this.rowLength + index / 2 + 1;
  }

  /** Whether the board has this square. @param {number} square @returns {boolean} */
  has(square) {
    return Number.isInteger(square) && square >= 1 && square <= this.squareCount;
  }

  /** The column of the first playing square of a row. @param {number} row */
  #offset(row) {
    const left = this.parameters.dark_corner === "left" ? 0 : 1;
    return (this.height - 1 - row + left) % 2;
  }

  /**
   * Return these rules with some parameters changed.
   * @param {RulesInput} changes
   * @throws {RulesError}
   */
  with(changes) {
    const own = changes.name === undefined || changes.name === this.name ? {} : OWN;
    return new Rules({ ...this.parameters, ...own, ...changes });
  }

  /** Whether the rules and the name are the same; titles and themes are ignored. @param {Rules} other */
  sameAs(other) {
    const looks = new Set(["notation", "capture_sign", "game_type", "title", "summary", "readings", "sources", "theme"]);
    return PARAMETERS.every(({ key }) => looks.has(key) || equal(this.parameters[key], other.parameters[key]));
  }

  /** The parameters, for JSON. @returns {RulesParameters} */
  toJSON() {
    return this.parameters;
  }

  /**
   * Free the rules in the kernel before garbage collection; further use creates them again.
   */
  free() {
    this.#handle?.free();
    this.#handle = null;
  }

  /** The kernel's handle. @internal @returns {number} */
  get handle() {
    this.#handle ??= new Handle(newHandle(numbersOf(this.parameters)));
    return this.#handle.number;
  }
}

/** @param {unknown} one @param {unknown} two */
const equal = (one, two) => JSON.stringify(one) === JSON.stringify(two);

/** @param {Rules} rules @param {unknown} square */
export const offBoard = (rules, square) =>
  new DamkaError("off_board", `${square} is not a square of this board: 1 to ${rules.squareCount}`);

/** @param {RulesInput} input @returns {Record<string, unknown>} */
function expandBase(input) {
  if (typeof input !== "object" || input === null || !("base" in input)) return /** @type {any} */ (input);
  const { base, ...own } = input;
  if (typeof base !== "string" || !Object.hasOwn(SETS, base)) throw unknownRules(base, "base");
  const start = { ...DEFAULTS, ...SETS[base] };
  const theme = own.theme && typeof own.theme === "object" ? { theme: { ...start.theme, ...own.theme } } : {};
  return { ...start, ...(own.name === undefined || own.name === base ? {} : OWN), ...own, ...theme };
}

/** @param {unknown} name @param {string} key */
const unknownRules = (name, key) =>
  new RulesError([{ key, value: name ?? null, expected: `the name of a rule set: ${ruleSets.join(", ")}` }], "unknown_rules");

/**
 * Return the rules of a name or a plain object, and load the kernel if needed.
 * @param {string | RulesInput | Rules} source
 * @param {import("./runtime.js").InitOptions} [options]
 * @returns {Promise<Rules>}
 * @throws {RulesError} for invalid rules, and for an unknown name ("unknown_rules")
 * @throws {DamkaError} "load" if the kernel is not available
 */
export async function loadRules(source, options) {
  const rules = rulesOf(source);
  await init(options);
  return rules;
}

/**
 * Like `loadRules`, without loading the kernel.
 * @param {string | RulesInput | Rules} source
 * @returns {Rules}
 */
export function rulesOf(source) {
  if (source instanceof Rules) return source;
  if (typeof source !== "string") return new Rules(source);
  if (!Object.hasOwn(SETS, source)) throw unknownRules(source, "");
  const cached = bundled.get(source);
  if (cached) return cached;
  const rules = new Rules({ base: source });
  bundled.set(source, rules);
  return rules;
}

/** Create rules in the kernel. @param {Int32Array} numbers */
function newHandle(numbers) {
  try {
    return call("damka_rules", bytesOf(numbers), numbers.byteLength);
  } catch (error) {
    if (!(error instanceof KernelError) || error.number !== Code.notPlayed) throw error;
    throw new RulesError([{ key: error.message, value: null, expected: "rules that the kernel supports" }]);
  }
}

/** @param {Int32Array} numbers */
export const bytesOf = (numbers) => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** @type {string[] | null} */
let fields = null;

/**
 * Encode rules as the input of `damka_rules`.
 * @param {Readonly<RulesParameters>} parameters
 */
export function numbersOf(parameters) {
  /** @type {Map<string, number[]>} */
  const values = new Map();
  for (const { key, kind, kernel = [] } of PARAMETERS) {
    for (const [field, numbers] of kernel) {
      const number = (/** @type {unknown} */ value) => Number(numbers ? new Map(numbers).get(value) : value);
      values.set(field, kind === "order" ? /** @type {unknown[]} */ (parameters[key]).map(number) : [number(parameters[key])]);
    }
  }
  fields ??= new TextDecoder().decode(callBytes("damka_fields", null)).split(" ");
  const numbers = fields.flatMap((field) => {
    const fieldValues = values.get(field) ?? [];
    return [fieldValues.length, ...fieldValues];
  });
  const draws = /** @type {any[]} */ (parameters.material_draws);
  const plies = parameters.moves_by === "both" ? 1 : 2;
  numbers.push(Number(parameters.obligation === "huff"), parameters.repetition, parameters.same_move);
  numbers.push(plies * parameters.no_progress_moves, plies * parameters.move_limit);
  numbers.push(Number(parameters.repetition_of === "pieces"), Number(parameters.same_move_in === "game"), draws.length);
  for (const draw of draws) {
    numbers.push(2 * draw.moves);
    for (const force of [draw.strong, draw.weak]) {
      numbers.push(...(force?.men ?? ANY), ...(force?.kings ?? ANY), ...(force?.pieces ?? ANY));
    }
    const flags = [draw.main_road, draw.unchanged, draw.strong_main_road];
    numbers.push(...(draw.pieces ?? ANY), ...flags.map((flag) => Number(flag ?? false)));
  }
  return new Int32Array(numbers);
}

/** The parameters that affect play. @param {Readonly<RulesParameters>} parameters */
function playKey(parameters) {
  return PARAMETERS.flatMap(({ key, play }) => {
    if (!play) return [];
    return [play === true ? parameters[key] : new Map(play).get(parameters[key])];
  });
}

/**
 * Return the URL of the bundled weights for these rules, or null. The name of the rules does not
 * matter, only how they play.
 * @param {Rules} rules
 * @returns {URL | null}
 */
export function weightsFor(rules) {
  const play = playKey(rules.parameters);
  const weights = WEIGHTS.find(([, served]) => served.some((name) => equal(playKey(rulesOf(name).parameters), play)));
  return weights ? inPackage(weights[0]()) : null;
}
