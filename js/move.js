/** Moves as values, and their encoding in the kernel (core/wasm/record.hpp). */

import { writeMove } from "./notation.js";
import { callBytes } from "./runtime.js";

/** @typedef {import("./rules.js").Rules} Rules */

const KING = 1;
const CROWNS = 2;
const HAS_ROUTE = 4;
const MAX_ROUTES = 4096;

/**
 * Position in which a move was listed.
 * @typedef {object} Origin
 * @property {Rules} rules
 * @property {Uint8Array} record position before the move
 * @property {() => readonly Move[]} legal legal moves of the position
 */

/** A move, created by a board. Compare moves of the same position with `equals`. */
export class Move {
  /** Start square, from 1. @type {number} @readonly */
  from;
  /** Final square. @type {number} @readonly */
  to;
  /** Squares of the captured pieces, ascending. @type {readonly number[]} @readonly */
  captures;
  /** Whether the move crowns a man. @type {boolean} @readonly */
  crowns;
  /** Whether the moving piece is a king. @type {boolean} @readonly */
  isKing;
  #origin;
  /** @type {readonly number[] | null} */
  #path;
  /** @type {string | null} */
  #text = null;

  /**
   * @internal
   * @param {Uint8Array} key encoded by the kernel, without a route
   * @param {Origin} origin
   * @param {readonly number[] | null} path if known
   */
  constructor(key, origin, path) {
    [this.from, this.to] = key;
    this.isKing = Boolean(key[2] & KING);
    this.crowns = Boolean(key[2] & CROWNS);
    this.captures = Object.freeze([...key.subarray(4)]);
    this.#origin = origin;
    this.#path = path ?? (this.captures.length < 2 ? Object.freeze([this.from, this.to]) : null);
  }

  /** Whether the move is a capture. @returns {boolean} */
  get isCapture() {
    return this.captures.length > 0;
  }

  /** The squares that the piece visits, from start to end; the first of several routes. @returns {readonly number[]} */
  get path() {
    this.#path ??= Object.freeze(this.#routes(1)[0]);
    return this.#path;
  }

  /** All routes of the move; most moves have one. @returns {readonly (readonly number[])[]} */
  get paths() {
    return this.captures.length < 2 ? [this.path] : this.#routes(MAX_ROUTES);
  }

  /** @param {number} limit @returns {number[][]} */
  #routes(limit) {
    const { rules, record } = this.#origin;
    const data = concat(record, encodeMove(this));
    const output = callBytes("damka_routes", data, rules.handle, data.length, limit);
    const routes = [];
    for (let at = 0; at < output.length; at += 1 + output[at]) routes.push([...output.subarray(at + 1, at + 1 + output[at])]);
    return routes;
  }

  /**
   * The shortest text that `Board.parse` reads as this move, in the library's numbers: "22-18",
   * "22x15"; with every landing if another capture has the same ends.
   * @returns {string}
   */
  get text() {
    this.#text ??= this.#squares().join(this.isCapture ? "x" : "-");
    return this.#text;
  }

  /** The move in the federation's notation: "c3:e5", "32-28". @returns {string} */
  get notation() {
    const { rules, legal } = this.#origin;
    let squares = this.#squares();
    if (rules.parameters.capture_sign === "-" && this.isCapture) {
      // A quiet move with the same ends takes precedence.
      if (legal().some((other) => !other.isCapture && sameEnds(other, this))) squares = this.#fullPath;
    }
    return writeMove(rules, squares, this.isCapture);
  }

  /** The squares to write in move text. @returns {readonly number[]} */
  #squares() {
    const isAmbiguous = this.isCapture && this.#origin.legal().filter((other) => sameEnds(other, this)).length > 1;
    return isAmbiguous ? this.#fullPath : [this.from, this.to];
  }

  /** The path to write: with landings directly behind the captured pieces where possible. */
  get #fullPath() {
    const { rules } = this.#origin;
    const taken = new Set(this.captures.map((square) => String(rules.cell(square))));
    let [best, least] = [this.path, Infinity];
    for (const path of this.paths) {
      let far = 0;
      for (let i = 1; i < path.length; i++) {
        const [[row, column], [toRow, toColumn]] = [rules.cell(path[i - 1]), rules.cell(path[i])];
        const [down, right] = [Math.sign(toRow - row), Math.sign(toColumn - column)];
        const length = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column));
        for (let n = 1; n < length; n++) if (!taken.has(`${toRow - n * down},${toColumn - n * right}`)) far++;
          else break;
      }
      if (far < least) [best, least] = [path, far];
    }
    return best;
  }

  /** Hub notation, with ends and captures: "22x15x18". @returns {string} */
  get hub() {
    return [this.isCapture ? `${this.from}x${this.to}` : `${this.from}-${this.to}`, ...this.captures].join("x");
  }

  /** Whether it is the same move of the position. @param {Move} other @returns {boolean} */
  equals(other) {
    return this.hub === other.hub && this.crowns === other.crowns;
  }

  /** @returns {string} */
  toString() {
    return this.text;
  }

  /** The move as plain data. */
  toJSON() {
    const { from, to, captures, path, crowns, text, notation } = this;
    return { from, to, captures, path, crowns, text, notation };
  }
}

/** @param {Move} one @param {Move} two */
const sameEnds = (one, two) => one.from === two.from && one.to === two.to;

/** @param {Uint8Array[]} parts */
export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Encode a move for the kernel. @param {Pick<Move, "from" | "to" | "isKing" | "crowns" | "captures">} move */
export function encodeMove({ from, to, isKing, crowns, captures }) {
  return new Uint8Array([from, to, Number(isKing) * KING + Number(crowns) * CROWNS, captures.length, ...captures]);
}

/**
 * Decode the move at an offset; return it and the offset after it.
 * @param {Uint8Array} data @param {number} at @param {Origin} origin
 * @returns {[Move, number]}
 */
export function readMoveAt(data, at, origin) {
  const end = at + 4 + data[at + 3];
  const key = data.subarray(at, end);
  if (!(key[2] & HAS_ROUTE)) return [new Move(key, origin, null), end];
  const after = end + 1 + data[end];
  return [new Move(key, origin, data[end] ? Object.freeze([...data.subarray(end + 1, after)]) : null), after];
}

/** Decode a sequence of moves. @param {Uint8Array} data @param {Origin} origin @returns {Move[]} */
export function readMoves(data, origin) {
  const moves = [];
  for (let at = 0; at < data.length; ) {
    const [move, end] = readMoveAt(data, at, origin);
    moves.push(move);
    at = end;
  }
  return moves;
}
