/** Searches: the kernel's input and output. */

import { SearchError } from "./errors.js";
import { concat, readMoveAt, encodeMove } from "./move.js";
import { weightsFor } from "./rules.js";
import { Code, Handle, KernelError, resolveUrl, call, readLocalFile, input, output, callBytes, callWithHost } from "./runtime.js";
import { unpack } from "./weights.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./move.js").Move} Move */
/** @typedef {import("./move.js").Origin} Origin */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * Handicap of a weak player. Probabilities are in thousandths.
 * @typedef {object} Handicap
 * @property {number} [seed] seed that determines the overlooked captures
 * @property {number} [noise] maximum error of the evaluation, in hundredths of a man
 * @property {number} [follow] maximum number of consecutive captures searched beyond the depth
 * @property {number} [overlook] probability that a capture is overlooked
 * @property {number} [overlook_far] added to it if the capture starts far from the last move
 * @property {number} [overlook_back] added to it if a man captures backwards
 * @property {number} [overlook_chain] added to it for every captured piece after the first
 */

/**
 * Limits of a search, which ends at the first one reached. At least one of the first three is
 * required.
 * @typedef {object} Limits
 * @property {number} [depth] plies, 1 to 100
 * @property {number} [nodes] positions
 * @property {number} [ms] milliseconds
 * @property {number} [lines] number of best first moves with their lines (multi-PV); default 1
 * @property {readonly Move[]} [choices] root moves; default all legal moves
 * @property {number} [contempt] 0 to 20: bonus for pieces on the board, to avoid exchanges
 * @property {Handicap} [handicap]
 */

/**
 * @typedef {object} InThreadOptions
 * @property {Weights} [weights] default: the general evaluation
 * @property {SearchTable} [table] transposition table; default: a shared one of 16 MiB
 * @property {(analysis: Analysis) => unknown} [onDepth] called after every depth; `false` ends the
 * search
 * @property {() => boolean} [shouldStop] called every 20 ms, must not use the kernel; `true` ends the
 * search
 */

/** @typedef {Limits & InThreadOptions} SearchOptions */

const WIN = 30_000;
const SURE_WIN = WIN - 1_000;
const MAX_DEPTH = 100;
const NO_NODE_LIMIT = 2n ** 64n - 1n;
const REQUEST_POLL = 1;
const REQUEST_DEPTH = 2; // HostRequest::depth in core/wasm/api.hpp
const TABLE_KIB = 16 << 10;

/** A line of play with its score. */
export class Variation {
  /** Score in hundredths of a man for the side to move; a win in n plies is 30000 - n. @type {number} @readonly */
  score;
  /** @type {Rules} */ #rules;
  /** @type {Uint8Array} */ #record;
  /** @type {Uint8Array} */ #moves;
  /** @type {number} */ #count;
  /** @type {readonly Move[] | null} */ #line = null;

  /** @internal @param {number} score @param {Origin} start @param {Uint8Array} moves encoded by the kernel @param {number} count */
  constructor(score, { rules, record }, moves, count) {
    this.score = score;
    [this.#rules, this.#record, this.#moves, this.#count] = [rules, record, moves, count];
  }

  /** Plies to a proved win, negative for a loss; null if nothing is proved. @returns {number | null} */
  get mate() {
    if (Math.abs(this.score) <= SURE_WIN) return null;
    return this.score > 0 ? WIN - this.score : -WIN - this.score;
  }

  /** Principal variation. @returns {readonly Move[]} */
  get line() {
    this.#line ??= Object.freeze(this.#read());
    return this.#line;
  }

  /** The first move, null if the line is empty. @returns {Move | null} */
  get move() {
    return this.line[0] ?? null;
  }

  #read() {
    const { handle } = this.#rules;
    const line = [];
    let record = this.#record;
    for (let i = 0, at = 0; i < this.#count; i++) {
      const [move, end] = readMoveAt(this.#moves, at, originOf(this.#rules, record));
      line.push(move);
      const data = concat(record, encodeMove(move));
      // With a compulsory capture, a quiet move must be one of the choices.
      if (i + 1 < this.#count) record = callBytes("damka_play", data, handle, data.length, 1).slice(0, record.length);
      at = end;
    }
    return line;
  }
}

/** @param {Rules} rules @param {Uint8Array} record @returns {Origin} */
function originOf(rules, record) {
  /** @type {Move[] | null} */
  let moves = null;
  const origin = { rules, record, legal: () => (moves ??= legalMoves(origin)) };
  return origin;
}

/** @param {Origin} origin */
function legalMoves(origin) {
  const data = callBytes("damka_moves", origin.record, origin.rules.handle, origin.record.length, 1);
  const moves = [];
  for (let at = 0; at < data.length; ) {
    const [move, end] = readMoveAt(data, at, origin);
    moves.push(move);
    at = end;
  }
  return moves;
}

/** Result of a search. `line` and `score` are those of the best line. */
export class Analysis extends Variation {
  /** The last completed depth. @type {number} @readonly */
  depth;
  /** @type {number} @readonly */
  nodes;
  /** Time in milliseconds. @type {number} @readonly */
  ms;
  /** The lines, best first. @type {readonly Variation[]} @readonly */
  lines;

  /** @internal @param {Uint8Array} bytes output of `damka_search` @param {Origin} start */
  constructor(bytes, start) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const lines = [];
    let at = 24;
    for (let left = view.getUint32(4, true); left > 0; left--) {
      const [score, count] = [view.getInt32(at, true), view.getUint32(at + 4, true)];
      const begin = at + 8;
      at = begin;
      for (let i = 0; i < count; i++) at = skipMove(bytes, at);
      lines.push({ score, moves: bytes.subarray(begin, at), count });
    }
    const [best, ...others] = lines;
    super(best.score, start, best.moves, best.count);
    this.depth = view.getInt32(0, true);
    this.nodes = Number(view.getBigUint64(8, true));
    this.ms = view.getFloat64(16, true) * 1000;
    this.lines = Object.freeze([this, ...others.map(({ score, moves, count }) => new Variation(score, start, moves, count))]);
  }
}

/** Offset after the move at an offset. @param {Uint8Array} data @param {number} at */
function skipMove(data, at) {
  const end = at + 4 + data[at + 3];
  return data[at + 2] & 4 ? end + 1 + data[end] : end;
}

/** @param {boolean} fits @param {string} message */
function checkLimit(fits, message) {
  if (!fits) throw new SearchError("limits", message);
}

/**
 * Encode the input of `damka_search`.
 * @param {Board} board
 * @param {Limits} limits
 * @throws {SearchError} "no_limit", "limits"
 */
export function encodeTask(board, { depth, nodes, ms, lines = 1, choices, contempt = 0, handicap = {} }) {
  if (depth === undefined && nodes === undefined && ms === undefined) {
    throw new SearchError("no_limit", "a search needs a limit: depth, nodes or ms");
  }
  const whole = (/** @type {number} */ n, /** @type {number} */ least, /** @type {number} */ most) =>
    Number.isInteger(n) && least <= n && n <= most;
  checkLimit(depth === undefined || whole(depth, 1, MAX_DEPTH), `depth: 1 to ${MAX_DEPTH}`);
  checkLimit(nodes === undefined || (Number.isSafeInteger(nodes) && nodes >= 1), "nodes: a whole number, 1 or more");
  checkLimit(ms === undefined || ms > 0, "ms: more than 0");
  checkLimit(whole(lines, 1, 10_000), "lines: 1 to 10000");
  checkLimit(whole(contempt, 0, 20), "contempt: 0 to 20");
  checkLimit(choices === undefined || choices.length > 0, "choices: at least one move");
  const { seed = 0, noise = 0, follow = 1000, overlook = 0, overlook_far: far = 0, overlook_back: back = 0, overlook_chain: chain = 0 } =
    handicap;
  const chances = [noise, follow, overlook, far, back, chain];
  checkLimit(chances.every((n) => whole(n, 0, 100_000)) && Number.isSafeInteger(seed), "handicap: whole numbers from 0 to 100000");
  const settings = new DataView(new ArrayBuffer(16 + 24 + 32));
  [depth ?? MAX_DEPTH, lines, contempt, choices?.length ?? 0, ...chances].forEach((n, i) => settings.setInt32(4 * i, n, true));
  settings.setBigUint64(40, BigInt.asUintN(64, BigInt(seed)), true);
  settings.setBigUint64(48, nodes === undefined ? NO_NODE_LIMIT : BigInt(nodes), true);
  settings.setFloat64(56, ms === undefined ? Infinity : ms / 1000, true);
  settings.setFloat64(64, Infinity, true);
  return concat(new Uint8Array(settings.buffer), ...(choices ?? []).map(encodeMove), board.searchInput.game);
}

/**
 * Return the error for a code of `damka_search`.
 * @param {number} number
 */
export function searchError(number) {
  if (number === Code.illegal) return new SearchError("choices", "choices: not a move of this position");
  if (number === Code.otherRules) return new SearchError("weights", "the weights are for another board");
  if (number === Code.damaged) return new SearchError("weights", "the weights are corrupt");
  if (number === Code.busy) return new SearchError("busy", "a search with this table is running");
  return new SearchError("kernel", `kernel error ${number}`);
}

/** Transposition table: share one table among the searches of a game. */
export class SearchTable {
  #handle;

  /** @param {{mb?: number}} [options] size in MiB, default 16 @throws {DamkaError} "no_memory" */
  constructor({ mb = TABLE_KIB >> 10 } = {}) {
    checkLimit(mb >= 1 / 16 && mb <= 1024, "mb: 1/16 to 1024");
    this.#handle = new Handle(call("damka_engine", null, Math.floor(mb * 1024)));
  }

  /** Clear the table. */
  clear() {
    call("damka_engine_clear", null, this.handle);
  }

  /** Free the memory before garbage collection. */
  free() {
    this.#handle.free();
  }

  /** @internal @returns {number} */
  get handle() {
    return this.#handle.number;
  }
}

/** Weights of a learned evaluation: see `loadWeights`. */
export class Weights {
  #handle;

  /** @internal @param {Handle} handle */
  constructor(handle) {
    this.#handle = handle;
  }

  /** Free the memory before garbage collection. */
  free() {
    this.#handle.free();
  }

  /** @internal @returns {number} */
  get handle() {
    return this.#handle.number;
  }
}

/**
 * Load weights for rules, by default this package's.
 * @param {Rules} rules
 * @param {URL | string | Uint8Array} [source] a weight file, or its URL
 * @returns {Promise<Weights | null>} null if the package has none for these rules
 * @throws {SearchError} "weights" if missing, corrupt or for another board
 */
export async function loadWeights(rules, source) {
  const from = source ?? weightsFor(rules);
  if (!from) return null;
  try {
    const { size, step, full, write } = await unpack(from instanceof Uint8Array ? from : await fetchBytes(resolveUrl(from)));
    const { handle } = rules; // created on first use, because it needs its own input
    write(input(size));
    return new Weights(new Handle(call("damka_weights", null, handle, size, step, full)));
  } catch (error) {
    throw new SearchError("weights", error instanceof Error ? error.message : String(error));
  }
}

/** @param {URL} address */
async function fetchBytes(address) {
  if (address.protocol === "file:") return readLocalFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @type {SearchTable | null} */
let sharedTable = null;

/**
 * Search in the caller's thread.
 * @param {Board} board
 * @param {SearchOptions} options
 * @returns {Analysis}
 */
export function search(board, { weights, table, onDepth, shouldStop, ...limits }) {
  const task = encodeTask(board, limits);
  const { origin } = board.searchInput;
  const engine = table ?? (sharedTable ??= new SearchTable());
  let thrown = /** @type {{error: unknown} | null} */ (null);
  const host = (/** @type {number} */ request, /** @type {number} */ n) => {
    if (request === REQUEST_POLL && shouldStop) return Number(shouldStop());
    if (request !== REQUEST_DEPTH || !onDepth) return request === 3 ? -1 : 0;
    try {
      return Number(onDepth(new Analysis(output(n), origin)) === false);
    } catch (error) {
      thrown = { error };
      return 1;
    }
  };
  try {
    const bytes = callWithHost(host, "damka_search", task, engine.handle, board.rules.handle, task.length, weights?.handle ?? 0, 0, 0);
    if (thrown) throw thrown.error;
    return new Analysis(bytes, origin);
  } catch (error) {
    throw error instanceof KernelError ? searchError(error.number) : error;
  }
}
