/**
 * Validation of rules: each value, and the consistency of the values. It has the same table and error
 * messages as damka.rules.check in Python.
 */

import { RulesError } from "./errors.js";
import { BALLOTS, BOARDS, DEFAULT_THEME, LANGUAGES, PARAMETERS, TOPICS } from "./rules_data.js";

/** @typedef {import("./errors.js").Fault} Fault */
/** @typedef {import("./rules_data.js").Condition} Condition */
/** @typedef {(key: string, value: any) => any} Reader */

const MAX_PIECES = 72; // more pieces than fit on any board
const MAX_WORDS = 160;

const table = new Map(PARAMETERS.map((each) => [/** @type {string} */ (each.key), each]));

/** @param {string} key @param {unknown} value @param {string} expected @returns {never} */
function fail(key, value, expected) {
  throw new RulesError([{ key, value, expected }]);
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {readonly unknown[]} words */
const quoted = (words) => words.map((each) => `"${each}"`).join(", ");

/** @param {readonly unknown[]} allowed @returns {Reader} */
const oneOf = (allowed) => (key, value) =>
  typeof value === "string" && allowed.includes(value) ? value : fail(key, value, `one of ${quoted(allowed)}`);

/** @param {number} low @param {number} high @param {string} [expected] @returns {Reader} */
const integer = (low, high, expected) => (key, value) =>
  Number.isInteger(value) && low <= value && value <= high
    ? value
    : fail(key, value, expected ?? `a whole number from ${low} to ${high}`);

/** @type {Reader} */
const bool = (key, value) => (typeof value === "boolean" ? value : fail(key, value, "true or false"));

/** @type {Reader} */
const occurrence = (key, value) =>
  integer(0, 100)(key, value) === 1 ? fail(key, value, "0 (off) or a whole number from 2 to 100") : value;

/** @param {readonly unknown[]} allowed @returns {Reader} */
const someOf = (allowed) => (key, value) => {
  if (!Array.isArray(value)) fail(key, value, `a list, such as [${quoted(allowed.slice(0, 2))}], or []`);
  const items = value.map((/** @type {unknown} */ each, /** @type {number} */ i) => oneOf(allowed)(`${key}[${i}]`, each));
  return new Set(items).size === items.length ? items : fail(key, items, "every key at most once");
};

/** @param {string} key @param {any} value @param {number} [limit] */
const text = (key, value, limit = MAX_WORDS) =>
  typeof value === "string" && [...value].length <= limit && value.trim() && !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(value)
    ? value
    : fail(key, value, `text of 1 to ${limit} printable characters`);

/** @param {number} most @param {number} limit @returns {Reader} */
const texts = (most, limit) => (key, value) =>
  Array.isArray(value) && value.length <= most
    ? value.map((each, i) => text(`${key}[${i}]`, each, limit))
    : fail(key, value, `a list of at most ${most} strings, or []`);

/** @type {Reader} */
const words = (key, value) => {
  if (!isTable(value)) fail(key, value, "a table of language = text");
  return Object.fromEntries(
    Object.entries(value).map(([language, each]) => {
      const at = `${key}.${language}`;
      if (!LANGUAGES.includes(language)) fail(at, each, `one of ${LANGUAGES.join(", ")}`);
      return [language, text(at, each)];
    }),
  );
};

/** @type {Reader} */
const range = (key, value) => {
  const [least, most, ...others] = Array.isArray(value) ? value : [value, value];
  const fits = Number.isInteger(least) && Number.isInteger(most) && 0 <= least && least <= most && most <= MAX_PIECES;
  return fits && !others.length ? [least, most] : fail(key, value, `a number from 0 to ${MAX_PIECES} or a pair [minimum, maximum]`);
};

/** @param {Record<string, Reader>} readers @returns {Reader} */
const tableOf = (readers) => (key, value) => {
  const names = Object.keys(readers).join(", ");
  if (!isTable(value)) fail(key, value, `a table with ${names}`);
  const unknownKey = Object.keys(value).find((each) => !Object.hasOwn(readers, each));
  if (unknownKey !== undefined) fail(`${key}.${unknownKey}`, value[unknownKey], `one of ${names}`);
  return Object.fromEntries(Object.entries(value).map(([each, item]) => [each, readers[each](`${key}.${each}`, item)]));
};

const force = tableOf({ men: range, kings: range, pieces: range });
const materialDraw = tableOf({
  moves: integer(0, 200),
  strong: force,
  weak: force,
  pieces: range,
  main_road: bool,
  strong_main_road: bool,
  unchanged: bool,
});

/** @type {Reader} */
const materialDraws = (key, value) => {
  if (!Array.isArray(value) || value.length > 12) fail(key, value, "a list of at most 12 tables, or []");
  return value.map((/** @type {unknown} */ each, /** @type {number} */ i) => {
    const draw = materialDraw(`${key}[${i}]`, each);
    return "moves" in draw ? draw : fail(`${key}[${i}].moves`, null, "a whole number from 0 to 200; the key is missing");
  });
};

/** @type {Reader} */
const colour = (key, value) =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)
    ? value.toLowerCase()
    : fail(key, value, 'a colour such as "#79533a"');

/** @type {Reader} */
const theme = (key, value) => {
  if (!isTable(value)) fail(key, value, "a table with light, dark, white and black");
  const read = Object.entries(value).map(([part, item]) => {
    const at = `${key}.${part}`;
    if (part === "light" || part === "dark") return [part, colour(at, item)];
    if (part !== "white" && part !== "black") fail(at, item, "one of light, dark, white, black");
    if (!Array.isArray(item) || item.length !== 2) fail(at, item, "two colours: the face and the rim");
    return [part, item.map((/** @type {unknown} */ each, /** @type {number} */ i) => colour(`${at}[${i}]`, each))];
  });
  return { ...DEFAULT_THEME, ...Object.fromEntries(read) };
};

/** Return the number of an opening such as "12. Kitchen opening: 9-13 22-18". @param {string} key @param {string} line @param {number} place */
function numberOf(key, line, place) {
  let rest = line.trim();
  const number = /^([0-9]{1,5})\.(?=\s|$)\s*/.exec(rest);
  if (number) rest = rest.slice(number[0].length);
  const tag = rest.search(/\[\s*FEN\b/i);
  const head = tag < 0 ? rest : rest.slice(0, tag);
  // Positions also have colons, but no space after them.
  const end = head.lastIndexOf(": ");
  const name = end < 0 ? "" : head.slice(0, end).split(/\s+/).filter(Boolean).join(" ");
  const item = rest.slice(end < 0 ? 0 : end + 2).trim();
  if (!item || item.endsWith(":") || (number && !Number(number[1]))) {
    fail(key, line, 'moves or a position (FEN), after an optional number and name, such as "12. Kitchen opening: 9-13 22-18"');
  }
  if ([...name].length > 80) fail(key, line, "a name of at most 80 characters");
  return number ? Number(number[1]) : place;
}

/** @type {Reader} */
const openings = (key, value) => {
  const lines = texts(3000, 500)(key, value);
  if (lines.reduce((/** @type {number} */ sum, /** @type {string} */ line) => sum + [...line].length, 0) > 500_000) {
    fail(key, null, "at most 500000 characters in total");
  }
  /** @type {Map<number, number>} */
  const seen = new Map();
  lines.forEach((/** @type {string} */ line, /** @type {number} */ i) => {
    const number = numberOf(`${key}[${i}]`, line, i + 1);
    const first = seen.get(number);
    if (first !== undefined) fail(`${key}[${i}]`, line, `a number other than ${number}, which opening ${first + 1} of the list has`);
    seen.set(number, i);
  });
  return lines;
};

/** Readers of parameters that the table does not fully define. @type {Record<string, Reader>} */
const READERS = {
  name: (key, value) =>
    typeof value === "string" && /^[a-z0-9][a-z0-9_-]{0,39}$/.test(value) ? value : fail(key, value, table.get(key)?.expected ?? ""),
  width: integer(6, 12, "6, 8, 10 or 12"),
  height: integer(6, 12, "6, 8, 10 or 12"),
  repetition: occurrence,
  same_move: occurrence,
  material_draws: materialDraws,
  colours(key, value) {
    if (!Array.isArray(value) || value.length !== 2) fail(key, value, 'two names, such as ["white", "black"]');
    const [first, second] = value.map((/** @type {unknown} */ each, /** @type {number} */ i) => text(`${key}[${i}]`, each, 30));
    return first === second ? fail(key, value, "two different names") : [first, second];
  },
  ballots(key, value) {
    if (typeof value !== "string") return openings(key, value);
    return BALLOTS.includes(value) ? value : fail(key, value, `one of ${quoted(BALLOTS)}, or a list of openings`);
  },
  notation: (key, value) =>
    typeof value === "string" && /^[NA][0-3]$/.test(value) ? value : fail(key, value, table.get(key)?.expected ?? ""),
  title: words,
  summary: words,
  readings: someOf(TOPICS),
  sources: texts(20, 300),
  theme,
};

/** @param {import("./rules_data.js").Parameter} parameter @returns {Reader} */
function readerOf({ key, kind, values = [], bounds }) {
  if (READERS[key]) return READERS[key];
  if (bounds) return integer(...bounds);
  if (kind === "order") return someOf(values);
  return typeof values[0] === "boolean" ? bool : oneOf(values);
}

/** Suggestions for a misspelt key. @param {string} key */
function suggestion(key) {
  const letters = new Set(key.toLowerCase());
  const likeness = (/** @type {string} */ other) => {
    const common = [...new Set(other)].filter((letter) => letters.has(letter)).length;
    return common / Math.max(letters.size, new Set(other).size) - Math.abs(other.length - key.length) / 20;
  };
  const best = [...table.keys()].sort((one, two) => likeness(two) - likeness(one))[0];
  return likeness(best) > 0.7 ? `, such as ${best}` : "";
}

/** @param {Condition} condition @param {Record<string, any>} values */
const isMet = (condition, values) => condition.every((clause) => clause.some(([key, some]) => some.includes(values[key])));

/** @param {number[]} numbers */
function alternatives(numbers) {
  const sorted = [...new Set(numbers)].sort((one, two) => one - two);
  const last = sorted.pop();
  return sorted.length ? `${sorted.join(", ")} or ${last}` : String(last);
}

/** @param {Record<string, any>} checked */
function checkBoard({ squares, width, height, rows, rows_behind: behind }) {
  const sizes = BOARDS.filter(([kind]) => kind === squares);
  if (!sizes.some(([, w]) => w === width)) fail("width", width, alternatives(sizes.map(([, w]) => w)));
  const heights = sizes.filter(([, w]) => w === width).map(([, , h]) => h);
  if (!heights.includes(height)) fail("height", height, `${alternatives(heights)} where width is ${width}`);
  if (2 * (rows + behind) < height) return;
  const key = 2 * rows >= height || !behind ? "rows" : "rows_behind";
  const most = Math.floor((height - 1) / 2) - (key === "rows" ? 0 : rows);
  fail(key, key === "rows" ? rows : behind, `at most ${most}, so that a row stays empty`);
}

/** @param {Record<string, any>} checked */
function checkValues(checked) {
  for (const { key, fits, values = [] } of PARAMETERS) {
    if (!fits) continue;
    const conditionOf = new Map(fits);
    const value = checked[key];
    const condition = conditionOf.get(value) ?? [];
    if (isMet(condition, checked)) continue;
    const fitting = values.filter((each) => isMet(conditionOf.get(each) ?? [], checked)).map((each) => `"${each}"`);
    const reasons = condition.flat().map(([other]) => `${other} = "${checked[other]}"`);
    fail(key, value, `${fitting.join(" or ")} where ${reasons.join(" and ")}`);
  }
}

/** @param {Record<string, any>} checked */
function checkPrecedence({ precedence, capture_lines: lines }) {
  if (!precedence.includes("king_early")) return;
  if (lines === "diagonal" && !precedence.includes("value") && !precedence.includes("points")) return;
  fail("precedence", precedence, 'king_early only without value and points, and with capture_lines = "diagonal"');
}

/** Run a check; return its faults. @param {() => void} check @returns {readonly Fault[]} */
function faultsOf(check) {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof RulesError) return error.faults;
    throw error;
  }
}

/**
 * Validate a rule set; return its values.
 * @param {Record<string, unknown>} raw
 * @returns {import("./rules_data.js").RulesParameters}
 * @throws {RulesError} with all faults
 */
export function check(raw) {
  if (!isTable(raw)) fail("", raw, "a table of parameters");
  /** @type {Record<string, any>} */
  const checked = {};
  /** @type {Fault[]} */
  const faults = [];
  const entries = Object.entries(raw).filter(([, value]) => value !== undefined);
  const presentKeys = new Set(entries.map(([key]) => key));
  const defaults = PARAMETERS.flatMap(({ key, default: defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]]));
  for (const [key, value] of Object.entries({ ...Object.fromEntries(defaults), ...Object.fromEntries(entries) })) {
    faults.push(
      ...faultsOf(() => {
        const parameter = table.get(key);
        if (!parameter) return fail(key, value, `a key that exists${suggestion(key)}; docs/rules/parameters.md has them all`);
        checked[key] = readerOf(parameter)(key, value);
      }),
    );
  }
  for (const { key, expected, default: defaultValue } of PARAMETERS) {
    if (!presentKeys.has(key) && defaultValue === undefined) faults.push({ key, value: null, expected: `${expected}; the key is missing` });
  }
  for (const fits of faults.length ? [] : [checkBoard, checkValues, checkPrecedence]) faults.push(...faultsOf(() => fits(checked)));
  if (faults.length) throw new RulesError(faults);
  const ordered = PARAMETERS.map(({ key }) => [key, checked[key]]);
  return deepFreeze(Object.fromEntries(ordered));
}

/** @template T @param {T} value @returns {T} */
function deepFreeze(value) {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  }
  return value;
}
