/**
 * Squares, positions and moves as text. damka.notation, its counterpart in Python, has more detailed
 * documentation.
 *
 * Texts use the library's numbers, from White's top left; letters with digits are also read. With
 * `labels` they use the labels of the federation's boards: `Rules.parameters.notation`.
 */

import { FenError, MoveError } from "./errors.js";
import { offBoard } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./rules.js").Side} Side */

/** @typedef {{labels?: boolean}} TextOptions `labels`: squares in the federation's notation */

const MAX_FEN = 1000;
const MAX_MOVE = 200;
const FILES = "abcdefghijkl";
const SQUARE = "[0-9]{1,3}|[A-La-l][0-9]{1,2}";
const GHOST = new RegExp("^(?:P([0-9]{1,3}|[A-La-l][0-9]{1,2})|G([0-9]{1,3}|[A-La-l][0-9]{1,2}))$");
const NUMERIC = /[:,] *[WB]? *K?[0-9]/;
const STREAKS = new RegExp(`^\\+([0-9])(?:K(${SQUARE}))?\\+([0-9])(?:K(${SQUARE}))?$`);
const NO_POSITION = /^(?:[?*.\-]+|start|startpos|initial|none|null|n\/a)$/i;
const TAG = /^\s*(?:\[\s*FEN\s*)?"([^"]*)"\s*\]?\s*$/i;
const ITEM = new RegExp(`^(K?)(${SQUARE})(?: *- *(${SQUARE}))?$`);
// The last two capture signs are Cyrillic letters that look like x.
const DASHES = "-–";
const TIMES = "xX×:хХ";
const MOVE = new RegExp(`^(${SQUARE})((?:(?: *[${DASHES}] *(?:${SQUARE}))+)|(?:(?: *[${TIMES}] *(?:${SQUARE}))+))$`);
const STEP = new RegExp(`[${DASHES}${TIMES}] *(${SQUARE})`, "g");

/** Origin corner of a notation, by its digit, as White sees it. @param {Rules} rules @param {number} digit */
function corner({ parameters: { first } }, digit) {
  const white = first === "W";
  return { bottom: digit < 2 === white, left: (digit % 2 === 0) === white };
}

/** @param {Rules} rules */
function a1(rules) {
  const [kind, digit] = rules.parameters.notation;
  return kind === "A" ? corner(rules, Number(digit)) : { bottom: true, left: true };
}

/** Distance of a square from a corner in columns and rows. @param {Rules} rules @param {number} square @param {{bottom: boolean, left: boolean}} from */
function distance(rules, square, { bottom, left }) {
  const [row, column] = rules.cell(square);
  return [left ? column : rules.width - 1 - column, bottom ? rules.height - 1 - row : row];
}

/** @param {Rules} rules */
const everySquare = (rules) => Array.from({ length: rules.squareCount }, (_, i) => i + 1);

/**
 * @typedef {object} Labels
 * @property {string[]} names the labels of squares 1, 2, …
 * @property {Map<string, number>} squares by label
 * @property {number[]} order index of each square in the order of the labels
 * @property {boolean} algebraic
 */

/** @type {WeakMap<Rules, Labels>} */
const cachedLabels = new WeakMap();

/** @param {Rules} rules @returns {Labels} */
export function labelsOf(rules) {
  const cached = cachedLabels.get(rules);
  if (cached) return cached;
  const [kind, digit] = rules.parameters.notation;
  const from = corner(rules, Number(digit));
  const squares = everySquare(rules);
  const place = (/** @type {number} */ square) => {
    const [column, row] = distance(rules, square, from);
    return row * rules.width + column;
  };
  const order = /** @type {number[]} */ ([]);
  [...squares].sort((one, two) => place(one) - place(two)).forEach((square, i) => (order[square - 1] = i + 1));
  const algebraic = kind === "A";
  const names = algebraic ? squares.map((square) => algebraicName(rules, square)) : order.map(String);
  const labels = { names, squares: new Map(names.map((name, i) => [name, i + 1])), order, algebraic };
  cachedLabels.set(rules, labels);
  return labels;
}

/** @param {Rules} rules @param {number} square */
function algebraicName(rules, square) {
  const [file, rank] = distance(rules, square, a1(rules));
  return `${FILES[file]}${rank + 1}`;
}

/** File letters from left to right and rank digits from top to bottom, as White sees them. @param {Rules} rules @returns {[string[], string[]]} */
export function rim(rules) {
  const { bottom, left } = a1(rules);
  const files = [...FILES.slice(0, rules.width)];
  const ranks = Array.from({ length: rules.height }, (_, i) => String(i + 1));
  return [left ? files : files.reverse(), bottom ? ranks.reverse() : ranks];
}

/** Square of a number or an algebraic name, or null. @param {Rules} rules @param {string} name */
function readSquare(rules, name) {
  if (/^[0-9]{1,3}$/.test(name)) return rules.has(Number(name)) ? Number(name) : null;
  const found = /^([A-La-l])([0-9]{1,2})$/.exec(name);
  if (!found) return null;
  const { bottom, left } = a1(rules);
  const [file, rank] = [FILES.indexOf(found[1].toLowerCase()), Number(found[2]) - 1];
  return rules.squareAt(bottom ? rules.height - 1 - rank : rank, left ? file : rules.width - 1 - file);
}

/**
 * Return the label of a square.
 * @param {Rules} rules @param {number} square
 * @returns {string}
 * @throws {DamkaError} "off_board"
 */
export function label(rules, square) {
  if (!rules.has(square)) throw offBoard(rules, square);
  return labelsOf(rules).names[square - 1];
}

/**
 * Return the square of a label or name, or null.
 * @param {Rules} rules @param {string} name @param {TextOptions} [options]
 * @returns {number | null}
 */
export function squareOf(rules, name, { labels } = {}) {
  const place = labels ? labelsOf(rules).squares.get(name.replace(/^0+/, "").toLowerCase()) : undefined;
  return place ?? readSquare(rules, name);
}

/**
 * Return whether `text` is a placeholder for an unknown position, such as "?" or '[FEN "N/A"]'.
 * @param {string} text
 */
export function isPlaceholder(text) {
  if (text.length > MAX_FEN) return false;
  return NO_POSITION.test((TAG.exec(text)?.[1] ?? text).trim());
}

/**
 * Parse a position, "W:W21,22,K30:B1-12", or a complete tag, '[FEN "W:W21:B1"]'.
 * @param {Rules} rules @param {string} text @param {TextOptions} [options]
 * @returns {{pieces: string, turn: Side, streaks: [number, number][]}} one of "wbWB." for each square from 1, the
 *   side to move, and [square, consecutive moves] of kings limited by the rules
 * @throws {FenError}
 */
export function parseFen(rules, text, { labels = false } = {}) {
  if (typeof text !== "string") throw new TypeError("a position must be a string");
  if (text.length > MAX_FEN) throw new FenError("length", `the position is longer than ${MAX_FEN} characters`);
  const tag = TAG.exec(text);
  let at = tag ? text.indexOf('"') + 1 : 0;
  if (tag) text = tag[1];
  const [head, ...groups] = text.trim().replace(/\.$/, "").split(":");
  const turn = head.trim();
  at += text.length - text.trimStart().length;
  if (turn === "?") throw new FenError("turn", "the side to move is unknown (?): write W or B", at);
  if (turn !== "W" && turn !== "B") {
    throw new FenError("turn", `the side to move must be W or B, not ${JSON.stringify(turn.slice(0, 20))}`, at);
  }
  const reader = new FenReader(rules, labels, NUMERIC.test(text));
  at += head.length + 1;
  for (const group of groups) {
    reader.group(group, at);
    at += group.length + 1;
  }
  if (!reader.seen.has("W") && !reader.seen.has("B")) {
    throw new FenError("group", "the pieces are missing after the side to move", at - 1);
  }
  const pieces = reader.pieces.join("");
  checkPieces(rules, pieces, labels);
  return { pieces, turn, streaks: streaksOf(rules, pieces, reader.streaks) };
}

/**
 * Return the kings' streaks that the rules count; `counts` are Black's and White's.
 * @param {Rules} rules @param {string} pieces @param {[number, number | null][]} counts
 * @returns {[number, number][]}
 */
function streaksOf(rules, pieces, counts) {
  const limit = Number(rules.parameters.king_streak);
  /** @type {Map<string, [number, number]>} */
  const streaks = new Map();
  counts.forEach(([moves, named], i) => {
    if (!moves || !limit) return;
    const king = "BW"[i];
    const only = pieces.indexOf(king) === pieces.lastIndexOf(king) ? pieces.indexOf(king) + 1 : 0;
    const square = named ?? only;
    // The square determines the king's side, in either order. Without men there are no streaks.
    const side = square ? pieces[square - 1] : ".";
    if ("WB".includes(side) && pieces.includes(side.toLowerCase())) streaks.set(side, [square, Math.min(moves, limit)]);
  });
  return [...streaks.values()].sort(([one], [two]) => one - two);
}

class FenReader {
  #rules;
  #labels;
  /** @type {string[]} */ pieces;
  #numeric;
  /** @type {Set<string>} */ seen = new Set();
  /** @type {[number, number | null][]} */ streaks = [];

  /** @param {Rules} rules @param {boolean} labels @param {boolean} numeric whether squares are named by numbers */
  constructor(rules, labels, numeric) {
    this.#rules = rules;
    this.#labels = labels;
    this.#numeric = numeric;
    this.pieces = new Array(rules.squareCount).fill(".");
  }

  /** @param {string} whole @param {number} at offset in the text */
  group(whole, at) {
    at += whole.length - whole.trimStart().length;
    const [side = "", inside] = [whole.trim()[0], whole.trim().slice(1)];
    if (side === "H" || side === "F") {
      if (!/^[0-9]{1,5}$/.test(inside)) {
        throw new FenError("group", `${side} must be followed by a number, not ${JSON.stringify(inside.slice(0, 20))}`, at);
      }
    } else if (side === "+") {
      this.#countKings(whole.trim(), at);
      return;
    } else if (side !== "W" && side !== "B") {
      throw new FenError("group", `a group of squares must start with W or B, not ${JSON.stringify(side)}`, at);
    }
    if (this.seen.has(side)) throw new FenError("group_twice", `group ${side} occurs twice`, at);
    this.seen.add(side);
    if (side === "H" || side === "F" || !inside.trim()) return;
    at += 1;
    for (const item of inside.split(",")) {
      if (this.#isCaptured(item.trim())) {
        at += item.length + 1;
        continue;
      }
      const king = item.trimStart().startsWith("K");
      for (const square of this.#item(item, at)) {
        if (this.pieces[square - 1] !== ".") {
          const name = this.#labels ? label(this.#rules, square) : square;
          throw new FenError("duplicate", `two pieces on ${name}`, at);
        }
        this.pieces[square - 1] = king ? side : side.toLowerCase();
      }
      at += item.length + 1;
    }
  }

  /** Parse the kings' moves in sequence. @param {string} group @param {number} at */
  #countKings(group, at) {
    const found = STREAKS.exec(group);
    if (!found) {
      throw new FenError("group", `+ must be followed by the moves of kings, as in +0+3K5, not ${JSON.stringify(group.slice(0, 20))}`, at);
    }
    if (this.seen.has("+")) throw new FenError("group_twice", "group + occurs twice", at);
    this.seen.add("+");
    this.streaks = /** @type {[number, number | null][]} */ (
      [1, 3].map((i) => [Number(found[i]), found[i + 1] ? this.#square(found[i + 1], at) : null])
    );
  }

  /** Whether an item is a captured piece still on the board; G may also be a file. @param {string} item */
  #isCaptured(item) {
    const found = GHOST.exec(item);
    if (!found || (!found[1] && !this.#numeric && /^[0-9]+$/.test(found[2]))) return false;
    this.#square(found[1] ?? found[2], 0);
    return true;
  }

  /** @param {string} item @param {number} at @returns {number[]} */
  #item(item, at) {
    at += item.length - item.trimStart().length;
    const found = ITEM.exec(item.trim());
    if (!found) throw new FenError("square", `${JSON.stringify(item.trim().slice(0, 20))} is not a square`, at);
    const first = this.#square(found[2], at);
    if (!found[3]) return [first];
    const places = [first, this.#square(found[3], at)].map((square) => this.#order(square));
    if (places[1] < places[0]) throw new FenError("range", `the range ${item.trim()} must ascend`, at);
    return everySquare(this.#rules).filter((square) => places[0] <= this.#order(square) && this.#order(square) <= places[1]);
  }

  /** @param {string} name @param {number} at */
  #square(name, at) {
    const square = squareOf(this.#rules, name, { labels: this.#labels });
    if (square) return square;
    const { width, height, squareCount } = this.#rules;
    const board = `${width}×${height} board (1 to ${squareCount})`;
    throw new FenError("off_board", `${name} is not a playing square of the ${board}`, at);
  }

  /** @param {number} square */
  #order(square) {
    return this.#labels ? labelsOf(this.#rules).order[square - 1] : square;
  }
}

/**
 * Check that no man is on its crowning row.
 * @param {Rules} rules @param {string} pieces @param {boolean} [labels]
 * @throws {FenError} "crowning_row"
 */
export function checkPieces(rules, pieces, labels = false) {
  const length = rules.rowLength;
  for (const [man, first] of /** @type {[string, number][]} */ ([["w", 0], ["b", pieces.length - length]])) {
    const offset = pieces.slice(first, first + length).indexOf(man);
    if (offset < 0) continue;
    const square = first + offset + 1;
    const colour = rules.parameters.colours[man === "w" ? 0 : 1];
    const name = labels ? label(rules, square) : square;
    const king = `${man.toUpperCase()}K${name}`;
    throw new FenError("crowning_row", `the ${colour} man on ${name} would be a king there: write ${king}`);
  }
}

/**
 * Format a position as FEN; `parseFen` parses it with the same `labels`.
 * @param {Rules} rules @param {string} pieces @param {Side} turn
 * @param {TextOptions & {streaks?: readonly (readonly [number, number])[]}} [options] `streaks`: [square, moves] of
 *   kings, as `Board.streaks` has them
 * @returns {string}
 */
export function formatFen(rules, pieces, turn, { labels = false, streaks = [] } = {}) {
  const squares = everySquare(rules);
  const on = labelsOf(rules);
  if (labels) squares.sort((one, two) => on.order[one - 1] - on.order[two - 1]);
  const group = (/** @type {Side} */ side) =>
    squares
      .filter((square) => pieces[square - 1].toUpperCase() === side)
      .map((square) => `${pieces[square - 1] === side ? "K" : ""}${labels ? on.names[square - 1] : square}`);
  const streaksBySide = new Map(streaks.map(([square, moves]) => [pieces[square - 1], `${moves}K${labels ? on.names[square - 1] : square}`]));
  const suffix = streaksBySide.size ? `:+${streaksBySide.get("B") ?? 0}+${streaksBySide.get("W") ?? 0}` : "";
  return `${turn}:W${group("W").join(",")}:B${group("B").join(",")}${suffix}`;
}

/**
 * Parse the text of a move: its squares, and whether it is written as a capture.
 * @param {Rules} rules @param {string} text @param {TextOptions} options
 * @returns {{squares: number[], takes: boolean}}
 * @throws {MoveError} "not_understood", "not_a_square"
 */
export function readMove(rules, text, options) {
  const found = text.length <= MAX_MOVE ? MOVE.exec(text.trim()) : null;
  if (!found) throw new MoveError("not_understood", `${JSON.stringify(text.slice(0, 40))} is not a move, such as "22-18" or "22x15"`);
  const names = [found[1], ...Array.from(found[2].matchAll(STEP), ([, name]) => name)];
  const squares = names.map((name) => {
    const square = squareOf(rules, name, options);
    if (!square) throw new MoveError("not_a_square", `${name} is not a playing square of this board`);
    return square;
  });
  const sign = found[2].trimStart()[0];
  // In notations that write captures with "-", it may be either.
  return { squares, takes: !DASHES.includes(sign) };
}

/**
 * Format a move in the federation's notation.
 * @param {Rules} rules @param {readonly number[]} squares @param {boolean} captures
 */
export function writeMove(rules, squares, captures) {
  const { names } = labelsOf(rules);
  const sign = captures ? rules.parameters.capture_sign : "-";
  return squares.map((square) => names[square - 1]).join(sign);
}
