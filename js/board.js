/** A position with its move history. */

import { DamkaError, MoveError } from "./errors.js";
import { Move, concat, readMoveAt, readMoves, encodeMove } from "./move.js";
import { checkPieces, formatFen, isPlaceholder, parseFen, readMove } from "./notation.js";
import { offBoard, rulesOf } from "./rules.js";
import { Code, KernelError, call, callBytes, callWithHost } from "./runtime.js";
import { search } from "./search.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./rules.js").RulesInput} RulesInput */
/** @typedef {import("./rules.js").Side} Side */
/** @typedef {import("./notation.js").TextOptions} TextOptions */
/** @typedef {import("./search.js").SearchOptions} SearchOptions */
/** @typedef {import("./search.js").Analysis} Analysis */

/**
 * Why a game is over. The first three are wins, the others draws.
 * @typedef {"no_pieces" | "no_moves" | "breakthrough" | "repetition" | "same_move" | "no_progress" | "material" | "move_limit"} Reason
 */

/**
 * Result of a game.
 * @typedef {object} Result
 * @property {Side | null} winner null for a draw
 * @property {Reason} reason
 */

/**
 * Progress towards a draw: `n` of `limit`. "no_progress", "material" and "move_limit" count plies,
 * "repetition" occurrences of the position on the board, "same_move" repetitions of the most
 * frequent move in it, or, where the rules count it anywhere, of a move that can be made now.
 * @typedef {object} Counter
 * @property {"no_progress" | "material" | "repetition" | "same_move" | "move_limit"} kind
 * @property {number} n
 * @property {number} limit
 */

/** @typedef {"w" | "b" | "W" | "B"} Piece a man of White or Black, or a king */

// Offsets in a record; see core/wasm/record.hpp.
const RECORD = 152;
const KEY = 64;
const OFFENCES = 72;
const REVERSIBLE = 92;
const TURN = 96;
const STREAKS_END = 101;
const HUFFED = 101;
const NONE = 255;

/** @type {readonly (Reason | "")[]} */
const ENDINGS = ["", "no_pieces", "no_moves", "breakthrough", "repetition", "same_move", "no_progress", "material", "move_limit"];

/** @typedef {{record: Uint8Array, move: Move | null}} Ply the record before it; a huff has no move */

/** Squares of the board by the bits of a record. @type {WeakMap<Rules, Uint8Array>} */
const squaresByBit = new WeakMap();

/** @param {Rules} rules */
function squaresOf(rules) {
  const squares = squaresByBit.get(rules) ?? callBytes("damka_squares", null, rules.handle);
  squaresByBit.set(rules, squares);
  return squares;
}

/** @param {Side} turn */
const sideBit = (turn) => (turn === "B" ? 1 : 0);

export class Board {
  /** @type {Rules} @readonly */
  rules;
  /** @type {Uint8Array} */
  #record;
  /** @type {Ply[]} */
  #plies = [];
  /** @type {readonly Move[] | null} */
  #legal = null;

  /**
   * Create a board at the start position, or at the position of a FEN. The kernel must be loaded: see
   * `loadRules` and `init`.
   * @param {Rules | string | RulesInput} rules
   * @param {string} [fen]
   * @param {TextOptions} [options]
   * @throws {FenError} for an invalid position
   * @throws {RulesError} for invalid rules
   * @throws {DamkaError} "not_loaded"
   */
  constructor(rules, fen, options) {
    this.rules = rulesOf(rules);
    if (fen === undefined || isPlaceholder(fen)) this.#record = callBytes("damka_begin", null, this.rules.handle);
    else {
      const { pieces, turn, streaks } = parseFen(this.rules, fen, options);
      const streakText = streaks.map(([square, moves]) => `+${square}:${moves}`).join("");
      this.#record = positionRecord(this.rules, pieces + streakText, turn);
    }
  }

  /**
   * Create a board with these pieces as its start position.
   * @param {Rules | string | RulesInput} rules
   * @param {string} pieces one of "wbWB." for each square from 1
   * @param {Side} turn the side to move
   * @throws {DamkaError} "pieces", or "crowning_row" for a man on its crowning row
   */
  static of(rules, pieces, turn) {
    const ruleSet = rulesOf(rules);
    if (pieces.length !== ruleSet.squareCount || /[^wbWB.]/.test(pieces)) {
      throw new DamkaError("pieces", `pieces: one of "wbWB." for each of ${ruleSet.squareCount} squares`);
    }
    if (turn !== "W" && turn !== "B") throw new DamkaError("pieces", 'a side is "W" or "B"');
    checkPieces(ruleSet, pieces);
    return Board.#with(ruleSet, positionRecord(ruleSet, pieces, turn));
  }

  /** @param {Rules} rules @param {Uint8Array} record @param {Ply[]} [plies] */
  static #with(rules, record, plies = []) {
    const board = new Board(rules);
    board.#record = record;
    board.#plies = plies;
    return board;
  }

  // Position

  /** The side to move. @returns {Side} */
  get turn() {
    return this.#record[TURN] ? "B" : "W";
  }

  /** One of "wbWB." for each square from 1: men and kings of White and Black. @returns {string} */
  get pieces() {
    return new TextDecoder().decode(callBytes("damka_pieces", this.#record, this.rules.handle, RECORD));
  }

  /** The number of playing squares. @returns {number} */
  get squareCount() {
    return this.rules.squareCount;
  }

  /**
   * The piece on a square, null for an empty one.
   * @param {number} square from 1
   * @returns {Piece | null}
   * @throws {DamkaError} "off_board"
   */
  pieceAt(square) {
    if (!this.rules.has(square)) throw offBoard(this.rules, square);
    const piece = this.pieces[square - 1];
    return piece === "." ? null : /** @type {Piece} */ (piece);
  }

  /** The position as FEN, in the library's numbers. @returns {string} */
  get fen() {
    return this.fenWith();
  }

  /** The position as FEN; with `labels`, in the federation's labels. @param {TextOptions} [options] @returns {string} */
  fenWith(options) {
    return formatFen(this.rules, this.pieces, this.turn, { ...options, streaks: this.streaks });
  }

  /**
   * Kings that made all of their side's last moves, if the rules limit these: [square, moves] by
   * square.
   * @returns {[number, number][]}
   */
  get streaks() {
    const squares = squaresOf(this.rules);
    const result = /** @type {[number, number][]} */ ([]);
    for (const at of [TURN + 1, TURN + 3]) {
      const [moves, bit] = [this.#record[at], this.#record[at + 1]];
      if (moves) result.push([squares[bit], moves]);
    }
    return result.sort(([one], [two]) => one - two);
  }

  /** A hash of the position; equal positions have equal hashes. @returns {bigint} */
  get key() {
    return new DataView(this.#record.buffer, this.#record.byteOffset).getBigUint64(KEY, true);
  }

  /** Whether rules, pieces, side to move and streaks are equal. @param {Board} other @returns {boolean} */
  equals(other) {
    const [one, two] = [this.#record, other.#record];
    const same = (/** @type {number} */ from, /** @type {number} */ to) => {
      for (let i = from; i < to; i++) if (one[i] !== two[i]) return false;
      return true;
    };
    return same(0, KEY) && same(TURN, STREAKS_END) && (this.rules === other.rules || this.rules.sameAs(other.rules));
  }

  // Moves

  /**
   * The legal moves, in a fixed order.
   * @returns {readonly Move[]}
   * @throws {DamkaError} "too_complex" if there are too many captures to list
   */
  get legalMoves() {
    this.#legal ??= Object.freeze(this.#moves(1));
    return this.#legal;
  }

  /** The quiet moves, even if a capture is compulsory: see `push`. @returns {readonly Move[]} */
  get quietMoves() {
    return this.#moves(0);
  }

  /** @param {number} legal */
  #moves(legal) {
    return readMoves(callBytes("damka_moves", this.#record, this.rules.handle, RECORD, legal), this.#origin());
  }

  /** @returns {import("./move.js").Origin} */
  #origin() {
    const record = this.#record;
    const { rules } = this;
    return { rules, record, legal: () => (record === this.#record ? this.legalMoves : Board.#with(rules, record).legalMoves) };
  }

  /** The number of moves made. @returns {number} */
  get moveCount() {
    return this.moves.length;
  }

  /** The moves made, oldest first. @returns {readonly Move[]} */
  get moves() {
    return this.#plies.flatMap(({ move }) => move ?? []);
  }

  /** The last move, null at the beginning. @returns {Move | null} */
  get lastMove() {
    return this.#plies.findLast(({ move }) => move)?.move ?? null;
  }

  /**
   * Return the legal move for text or squares: "22-18", "22x15", "c3-d4", [22, 18]. Squares may
   * include the landings.
   * @param {string | readonly number[]} move
   * @param {TextOptions & {among?: readonly Move[]}} [options] with `labels`, text is in the
   *   federation's notation; `among` are the candidates, by default the legal moves
   * @returns {Move}
   * @throws {MoveError} "not_understood", "not_a_square", "illegal", "ambiguous"
   */
  parse(move, { among = this.legalMoves, ...options } = {}) {
    /** @type {{squares: readonly number[], takes: boolean | null}} */
    const { squares, takes } = typeof move === "string" ? readMove(this.rules, move, options) : { squares: move, takes: null };
    if (!Array.isArray(squares) || squares.length < 2) {
      throw new MoveError("not_understood", 'a move is a Move, a string such as "22-18", or its squares, such as [22, 18]');
    }
    const unknownSquare = squares.find((square) => !this.rules.has(square));
    if (unknownSquare !== undefined) throw new MoveError("not_a_square", `${unknownSquare} is not a playing square of this board`);
    const candidates = matchingMoves(among, squares, takes);
    if (candidates.length === 1) return candidates[0];
    const moveText = typeof move === "string" ? move : squares.join("-");
    if (candidates.length) {
      const texts = candidates.map(({ text }) => text);
      throw new MoveError("ambiguous", `${moveText} means ${texts.length} moves: ${texts.slice(0, 4).join(", ")}`, texts);
    }
    throw new MoveError("illegal", this.#illegalMessage(moveText, squares));
  }

  /** @param {string} moveText @param {readonly number[]} squares */
  #illegalMessage(moveText, [from]) {
    const piece = this.pieceAt(from);
    if (!this.legalMoves.length) return `${moveText}: there are no legal moves here`;
    if (!piece) return `${moveText}: there is no piece on ${from}`;
    if (piece.toUpperCase() !== this.turn) return `${moveText}: the piece on ${from} is the opponent's`;
    const captures = this.legalMoves.some((move) => move.isCapture) && !this.legalMoves.some((move) => !move.isCapture);
    return `${moveText} is not a legal move here${captures ? ": a capture is compulsory" : ""}`;
  }

  /**
   * Make a move; return it.
   * @param {Move | string | readonly number[]} move
   * @param {TextOptions & {offence?: boolean}} [options] with `offence` a quiet move is allowed
   *   even if a capture is compulsory, at the risk of a huff
   * @returns {Move}
   * @throws {MoveError} like `parse`
   */
  push(move, { offence = false, ...options } = {}) {
    const requested = move instanceof Move ? move : this.#parseRequested(move, offence, options);
    const data = concat(this.#record, encodeMove(requested));
    const output = this.#playInKernel(data, requested, offence);
    const [played] = readMoveAt(output, RECORD, this.#origin());
    const result = this.#legal?.find((each) => each.equals(played)) ?? played;
    this.#plies.push({ record: this.#record, move: result });
    this.#set(output.slice(0, RECORD));
    return result;
  }

  /** @param {string | readonly number[]} move @param {boolean} offence @param {TextOptions} options */
  #parseRequested(move, offence, options) {
    try {
      return this.parse(move, options);
    } catch (error) {
      if (!offence || !(error instanceof MoveError) || error.code !== "illegal") throw error;
      return this.parse(move, { ...options, among: this.quietMoves });
    }
  }

  /** @param {Uint8Array} data @param {Move} requested @param {boolean} offence */
  #playInKernel(data, requested, offence) {
    try {
      return callBytes("damka_play", data, this.rules.handle, data.length, Number(offence));
    } catch (error) {
      if (!(error instanceof KernelError) || error.number !== Code.illegal) throw error;
      throw new MoveError("illegal", this.#illegalMessage(requested.hub, [requested.from]));
    }
  }

  /** @param {Uint8Array} record */
  #set(record) {
    this.#record = record;
    this.#legal = null;
  }

  /**
   * Undo the last move, with the huff before it; return the move.
   * @returns {Move}
   * @throws {MoveError} "no_move"
   */
  pop() {
    const waiting = this.#record[HUFFED] !== NONE; // the move after the huff is not made yet
    if (this.#plies.length <= Number(waiting)) throw new MoveError("no_move", "no move to take back");
    if (waiting) this.#takeBack();
    const move = /** @type {Move} */ (this.#takeBack());
    if (this.#record[HUFFED] !== NONE) this.#takeBack();
    return move;
  }

  #takeBack() {
    const { record, move } = /** @type {Ply} */ (this.#plies.pop());
    this.#set(record);
    return move;
  }

  // Huffing

  /** Squares of the pieces that the side to move may huff. @returns {number[]} */
  get offences() {
    const squares = squaresOf(this.rules);
    const due = this.#record.subarray(OFFENCES, OFFENCES + 16);
    const huffable = [...squares].filter((square, bit) => square && due[bit >> 3] & (1 << (bit & 7)));
    return huffable.sort((one, two) => one - two);
  }

  /** Square of the piece huffed in this turn, null if none. @returns {number | null} */
  get huffed() {
    const bit = this.#record[HUFFED];
    return bit === NONE ? null : squaresOf(this.rules)[bit];
  }

  /**
   * Huff a piece; the same side moves next.
   * @param {number} square
   * @throws {MoveError} "no_move" for a square that is not in `offences`
   */
  huff(square) {
    if (!this.offences.includes(square)) throw new MoveError("no_move", `no piece on ${square} may be huffed: see offences`);
    const record = callBytes("damka_huff", this.#record, this.rules.handle, RECORD, square);
    this.#plies.push({ record: this.#record, move: null });
    this.#set(record);
  }

  /** Undo a huff, before the move that follows it. @throws {MoveError} "no_move" */
  unhuff() {
    if (this.#record[HUFFED] === NONE) throw new MoveError("no_move", "no huff to take back");
    this.#takeBack();
  }

  // Results and draw counters

  /** The records that the rules need, oldest first: usually since the last irreversible move. */
  #game() {
    if (this.rules.parameters.same_move_in === "game") return concat(...this.#plies.map(({ record }) => record), this.#record);
    const reversible = new DataView(this.#record.buffer, this.#record.byteOffset).getInt32(REVERSIBLE, true);
    const before = this.#plies.slice(Math.max(this.#plies.length - reversible - 1, 0));
    return concat(...before.map(({ record }) => record), this.#record);
  }

  /** Whether the game is over by its rules. @returns {boolean} */
  get isOver() {
    return this.#ending() !== 0;
  }

  /** The result, null while the game is running. @returns {Result | null} */
  get result() {
    const ending = this.#ending();
    if (!ending) return null;
    const winner = ending & 256 ? "W" : ending & 512 ? "B" : null;
    return { winner, reason: /** @type {Reason} */ (ENDINGS[ending & 255]) };
  }

  #ending() {
    const game = this.#game();
    return call("damka_result", game, this.rules.handle, game.length);
  }

  /** The counters of the rules' draws. @returns {Counter[]} */
  get counters() {
    const game = this.#game();
    const counts = callBytes("damka_counts", game, this.rules.handle, game.length);
    const [progress, occurrences, sameMove, played, ...material] = new Int32Array(counts.buffer, 0, counts.length / 4);
    const { no_progress_moves: moves, move_limit: most, moves_by: by, repetition, same_move: same, material_draws: draws } = this.rules.parameters;
    const plies = by === "both" ? 1 : 2;
    const running = draws.flatMap((draw, i) => (draw.moves && material[i] >= 0 ? [{ n: material[i], limit: 2 * draw.moves }] : []));
    running.sort((one, two) => one.limit - one.n - (two.limit - two.n) || two.limit - one.limit);
    /** @type {Counter[]} */
    const every = [
      { kind: "no_progress", n: progress, limit: plies * moves },
      { kind: "material", n: running[0]?.n ?? 0, limit: running[0]?.limit ?? 0 },
      { kind: "repetition", n: occurrences, limit: repetition },
      { kind: "same_move", n: sameMove, limit: same },
      { kind: "move_limit", n: played, limit: plies * most },
    ];
    return every.filter(({ limit }) => limit);
  }

  /** A copy of the board with its move history. @returns {Board} */
  copy() {
    return Board.#with(this.rules, this.#record, [...this.#plies]);
  }

  /** The board before the first move. @returns {Board} */
  root() {
    return Board.#with(this.rules, this.#plies[0]?.record ?? this.#record);
  }

  // Counting and searching

  /**
   * Perft: count the sequences of `depth` legal moves.
   * @param {number} depth 0 to 60
   * @param {{hashMb?: number}} [options] megabytes of the hash table, 0 to 1024
   * @returns {number}
   * @throws {DamkaError} "argument"
   */
  perft(depth, { hashMb = 0 } = {}) {
    if (!(Number.isInteger(depth) && depth >= 0 && depth <= 60)) throw new DamkaError("argument", "depth: 0 to 60");
    if (!(Number.isInteger(hashMb) && hashMb >= 0 && hashMb <= 1024)) throw new DamkaError("argument", "hashMb: 0 to 1024");
    const output = callWithHost(() => 0, "damka_perft", this.#record, this.rules.handle, RECORD, depth, hashMb);
    return Number(new DataView(output.buffer).getBigUint64(0, true));
  }

  /**
   * Search for the best move in the caller's thread, which is blocked meanwhile. `Engine` searches
   * in a worker.
   * @param {SearchOptions} limits
   * @returns {Analysis}
   * @throws {SearchError}
   */
  search(limits) {
    return search(this, limits);
  }

  /** Input of a search of this board. @internal @returns {{game: Uint8Array, origin: import("./move.js").Origin}} */
  get searchInput() {
    return { game: this.#game(), origin: this.#origin() };
  }

  /** @returns {string} */
  toString() {
    return this.fen;
  }
}

/** @param {Rules} rules @param {string} pieces @param {Side} turn */
function positionRecord(rules, pieces, turn) {
  const data = new TextEncoder().encode(pieces);
  return callBytes("damka_place", data, rules.handle, data.length, sideBit(turn));
}

/** @param {readonly number[]} one @param {readonly number[]} two */
const same = (one, two) => one.length === two.length && one.every((square, i) => square === two[i]);

/**
 * Return the moves that match the squares, like damka.notation.text.
 * @param {readonly Move[]} moves @param {readonly number[]} squares @param {boolean | null} takes
 */
function matchingMoves(moves, squares, takes) {
  const [from, to] = [squares[0], squares[squares.length - 1]];
  let candidates = moves.filter((move) => move.from === from && move.to === to);
  if (takes !== null && (takes || squares.length === 2)) {
    const kind = candidates.filter((move) => move.isCapture === takes);
    // Some books write every move with x: two squares may be a quiet move.
    candidates = kind.length || squares.length > 2 ? kind : candidates;
  }
  if (squares.length === 2 && candidates.length < 2) return candidates;
  const straight = candidates.filter((move) => move.paths.some((path) => same(path, squares)));
  if (straight.length) return straight;
  return squares.length === 2 ? candidates : [];
}
