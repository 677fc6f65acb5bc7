/**
 * Worker of the analysis: searches positions with the JavaScript package. The page uses it through
 * `analysis_source.js`, which sends one request at a time.
 *
 * A search blocks the worker. Where pages may share memory, a flag ends it at once; elsewhere it is
 * interrupted for messages, each time after half as long again, and continues from its table.
 */

/**
 * @typedef {object} Setup first message
 * @property {Kernel} kernel
 * @property {string | object} rules
 * @property {WebAssembly.Module} [module] the compiled kernel, of an earlier worker
 * @property {Int32Array | null} wanted shared number of the request to continue
 * @property {number} hashMb
 */

/**
 * @typedef {object} SearchRequest
 * @property {number} id
 * @property {string} fen
 * @property {string[]} moves keys of the moves from the start position
 * @property {boolean} [threat] whether the other side is to move
 * @property {string[]} [choices] keys of the moves to choose from
 * @property {number} lines
 * @property {number} nodes
 * @property {number} ms
 */

/** First interval without messages in milliseconds, and its growth with the time spent. */
const FIRST_SLICE = 60;
const SLICE_SHARE = 0.5;
/** Most moves of a line. */
const MAX_MOVES = 12;

/** @type {(setup: Setup) => void} */
let begin = () => {};
/** Number of the request to continue. */
let wantedId = 0;
/** @type {Int32Array | null} */
let wanted = null;

const engine = new Promise((/** @type {(setup: Setup) => void} */ resolve) => (begin = resolve)).then(open);
engine.catch((error) => postMessage({ failed: String(error) }));

/** @param {Setup} setup */
async function open({ kernel, rules: input, module, wanted: shared, hashMb }) {
  wanted = shared;
  const address = (/** @type {string} */ path) => new URL(path, import.meta.url).href;
  const damka = await import(address(kernel.module));
  const { Board, Rules, SearchTable, init, kernelModule, loadWeights, weightsFor } = damka;
  const rules = new Rules(typeof input === "string" ? { base: input } : input);
  const file = weightsFor(rules);
  const fetched = file && fetch(file).then(async (answer) => (answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null)).catch(() => null);
  const wasm = kernel.wasm && address((await hasSimd(address(kernel.module))) ? kernel.wasm.simd : kernel.wasm.plain);
  await init({ wasm: module ?? wasm ?? undefined });
  if (!module) postMessage({ module: kernelModule() });
  const bytes = await fetched;
  const weights = bytes ? await loadWeights(rules, bytes).catch(() => null) : null;
  return { Board, rules, weights: weights ?? undefined, table: new SearchTable({ mb: hashMb }) };
}

/** Whether this browser supports SIMD. Kernels that are not beside the package are the site's, with all of its modules. @param {string} module */
const hasSimd = async (module) => (await import(new URL("kernel.js", module).href)).hasSimd();

/** Key of a move, as `key_of` in damka.live. @param {any} move @param {readonly any[]} moves */
function keyOf(move, moves) {
  const { hub, crowns } = move;
  return crowns && moves.some((other) => other.hub === hub && !other.crowns) ? `${hub}=` : hub;
}

/** Find the move with a key. @param {any} board @param {string} key */
function find(board, key) {
  const { legalMoves } = board;
  const misses = board.rules.parameters.obligation === "huff" && legalMoves.some((/** @type {any} */ move) => move.isCapture);
  const moves = misses ? [...legalMoves, ...board.quietMoves] : legalMoves;
  const move = moves.find((/** @type {any} */ each) => keyOf(each, moves) === key);
  if (!move) throw new Error(`not a move here: ${key}`);
  return move;
}

/** The position of a request. @param {any} Board @param {any} rules @param {SearchRequest} request */
function boardOf(Board, rules, { fen, moves, threat }) {
  const board = new Board(rules, fen || undefined);
  for (const key of moves) {
    const [, huff, rest] = /** @type {RegExpExecArray} */ (/^(?:\((\d+)\))?(.*)$/.exec(key));
    if (huff) board.huff(Number(huff));
    if (rest) board.push(find(board, rest), { offence: true });
  }
  return threat ? Board.of(rules, board.pieces, board.turn === "W" ? "B" : "W") : board;
}

/** @param {any} board @param {any} variation @returns {DeviceLine} */
function lineOf(board, { score, mate, line }) {
  const after = board.copy();
  /** @type {DeviceLine} */
  const result = { score, mate, table: false, moves: [], texts: [], positions: [] };
  for (const move of line.slice(0, MAX_MOVES)) {
    result.moves.push(keyOf(move, move.crowns ? after.legalMoves : []));
    result.texts.push(move.notation);
    after.push(move, { offence: true });
    result.positions.push({ pieces: after.pieces, from: move.from, to: move.to });
  }
  return result;
}

/** @param {SearchRequest} request */
async function search(request) {
  const { Board, rules, weights, table } = await engine;
  const { id, lines, nodes, ms } = request;
  const board = boardOf(Board, rules, request);
  const started = performance.now();
  const isStopped = () => (wanted ? Atomics.load(wanted, 0) : wantedId) !== id;
  const spent = () => performance.now() - started;
  let searched = 0;
  let depth = 0;
  /** @type {DeviceEvaluation} */
  let best = { depth: 0, nodes: 0, ms: 0, lines: [] };
  /** @param {any} analysis */
  const evaluationOf = (analysis) => ({
    depth: analysis.depth,
    nodes: searched + analysis.nodes,
    ms: Math.round(spent()),
    lines: analysis.lines.filter((/** @type {any} */ each) => each.move).map((/** @type {any} */ each) => lineOf(board, each)),
  });
  const onDepth = (/** @type {any} */ analysis) => {
    if (analysis.depth <= depth) return true; // searched before an interruption
    depth = analysis.depth;
    best = evaluationOf(analysis);
    postMessage({ id, evaluation: best });
    return !isProved(analysis);
  };
  const isProved = (/** @type {any} */ { lines: all }) => all.every((/** @type {any} */ { mate }) => mate !== null && Math.abs(mate) <= depth);
  const choices = request.choices?.map((key) => find(board, key));
  const over = board.isOver && (board.result.winner || !board.legalMoves.length);
  for (let slice = FIRST_SLICE; !over && !isStopped(); slice = Math.max(FIRST_SLICE, spent() * SLICE_SHARE)) {
    const end = performance.now() + slice;
    const shouldStop = () => isStopped() || (!wanted && performance.now() > end);
    const analysis = board.search({ lines, nodes: nodes - searched, ms: Math.max(1, ms - spent()), choices, weights, table, onDepth, shouldStop });
    searched += analysis.nodes;
    if (isProved(analysis) || analysis.depth >= 100 || searched >= nodes || spent() >= ms) break;
    // Receive the messages that have arrived.
    await new Promise((done) => setTimeout(done));
  }
  postMessage({ id, evaluation: { ...best, nodes: searched, ms: Math.round(spent()) }, final: true });
}

/** Whether the kernel cannot be used after an error. @param {unknown} error */
const isCrash = (error) => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

addEventListener("message", ({ data }) => {
  if (data.kernel) return begin(data);
  wantedId = data.id;
  if (!data.stop) search(data).catch((error) => postMessage(isCrash(error) ? { failed: String(error) } : { id: data.id, error: error.code ?? String(error) }));
});
