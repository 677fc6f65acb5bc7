/**
 * Search worker: has the kernel and weights, no rules and no games. A search blocks it; to cancel a
 * search, terminate the worker and start another. It has no state of the game to lose.
 *
 * The first message is {module}, the compiled kernel or its address; every other one is a
 * `SearchRequest`. The answers are {depth} after every depth if `progress` is set, and at the end
 * {result} or {error, code}; `depth` and `result` are outputs of `damka_search`.
 */

import { Kernel, compile } from "./kernel.js";
import { hold } from "./watch.js";
import { unpack } from "./weights.js";

hold();

/**
 * @typedef {object} SearchRequest
 * @property {Uint8Array} rules the input of `damka_rules`
 * @property {Uint8Array} task the input of `damka_search`
 * @property {string | null} [weights] address of a file of weights
 * @property {number} [hash] size of the transposition table in KiB; only the first request's value
 *   counts
 * @property {boolean} [progress]
 */

const HASH_KIB = 16 << 10; // small enough for phones
const CACHE_SIZE = 64; // cached rules, and cached weights
const DEPTH = 2; // the kernel's question after a depth: see `Ask` in core/wasm/api.hpp

/** @type {(module: WebAssembly.Module | string) => void} */
let open = () => {};
/** @type {Promise<Kernel>} */
const kernel = new Promise((done, failed) => {
  open = (module) => {
    const compiled = typeof module === "string" ? compile(module) : Promise.resolve(module);
    compiled.then((found) => Kernel.open(found)).then(done, failed);
  };
});
/** @type {Map<string, number>} */
const rulesCache = new Map();
/** @type {Map<string, number>} */
const weightsCache = new Map();
let engine = 0;

/** @param {number} n @returns {number} */
function check(n) {
  if (n < 0) throw Object.assign(new Error(`the kernel's code ${n}`), { code: n });
  return n;
}

/**
 * Cache a kernel object under a key; a full cache frees the others.
 * @param {Kernel} k @param {Map<string, number>} cache @param {string} key @param {number} handle
 */
function cacheHandle(k, cache, key, handle) {
  if (cache.size >= CACHE_SIZE) {
    for (const cached of cache.values()) k.call("damka_free", null, cached);
    cache.clear();
  }
  cache.set(key, handle);
  return handle;
}

/** @param {string} address */
async function fetchBytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param {SearchRequest} request */
async function search({ rules, task, weights, hash, progress }) {
  const k = await kernel;
  const name = String(rules);
  const rulesHandle = rulesCache.get(name) ?? cacheHandle(k, rulesCache, name, check(k.call("damka_rules", rules, rules.length)));
  let learned = weights ? weightsCache.get(weights) : 0;
  if (weights && learned === undefined) {
    const { size, step, full, write } = await unpack(await fetchBytes(weights));
    write(k.input(size));
    learned = cacheHandle(k, weightsCache, weights, check(k.call("damka_weights", null, rulesHandle, size, step, full)));
  }
  engine ||= check(k.call("damka_engine", null, hash ?? HASH_KIB));
  k.setHost((what, n) => {
    if (what === DEPTH && progress) postMessage({ depth: k.output(n) });
    return what === 3 ? -1 : 0;
  });
  return k.output(check(k.call("damka_search", task, engine, rulesHandle, task.length, learned ?? 0, 0, 0)));
}

addEventListener("message", async ({ data }) => {
  if (data.module) return open(data.module);
  try {
    postMessage({ result: await search(data) });
  } catch (error) {
    postMessage({ error: String(error), code: /** @type {{code?: number}} */ (error).code ?? 0 });
  }
});
