/**
 * Search worker: has the kernel and weights, but no games. A search blocks it; to cancel a search,
 * terminate the worker and start another one.
 *
 * The first message is {module}, the compiled kernel or its URL; every other one is a
 * `SearchRequest`. The replies are {depth} after every depth if `progress` is set, and at the end
 * {result} or {error, code, kind}; `depth` and `result` are outputs of `damka_search`. The code of an
 * error is the kernel's, or 0; then its kind is "weights" (they cannot be read) or "worker" (the
 * kernel is missing or has crashed: start another worker).
 */

import { Kernel, compile } from "./kernel.js";
import { holdLock } from "./watch.js";
import { unpack } from "./weights.js";

holdLock();

/**
 * @typedef {object} SearchRequest
 * @property {Uint8Array} rules the input of `damka_rules`
 * @property {Uint8Array} task the input of `damka_search`
 * @property {string | null} [weights] URL of a weight file
 * @property {number} [hash] size of the transposition table in KiB; only the first request sets it
 * @property {boolean} [progress]
 */

const HASH_KIB = 16 << 10; // small enough for phones
const CACHE_SIZE = 64; // cached rules, and cached weights
const REQUEST_DEPTH = 2; // HostRequest::depth in core/wasm/api.hpp

/** @type {(module: WebAssembly.Module | string) => void} */
let open = () => {};
/** @type {Promise<Kernel>} */
const kernel = new Promise((resolve, reject) => {
  open = (module) => {
    const compiled = typeof module === "string" ? compile(module) : Promise.resolve(module);
    compiled.then((wasm) => Kernel.open(wasm)).then(resolve, reject);
  };
});
/** @type {Map<string, number>} */
const rulesCache = new Map();
/** @type {Map<string, number>} */
const weightsCache = new Map();
let engine = 0;

/** @param {number} n @returns {number} */
function check(n) {
  if (n < 0) throw Object.assign(new Error(`kernel error ${n}`), { code: n });
  return n;
}

/**
 * Cache a kernel object; a full cache is cleared first.
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
async function readWeights(address) {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return await unpack(new Uint8Array(await response.arrayBuffer()));
  } catch (error) {
    throw Object.assign(new Error(String(error)), { kind: "weights" });
  }
}

/** @param {SearchRequest} request */
async function search({ rules, task, weights, hash, progress }) {
  const k = await kernel;
  const name = String(rules);
  const rulesHandle = rulesCache.get(name) ?? cacheHandle(k, rulesCache, name, check(k.call("damka_rules", rules, rules.length)));
  let learned = weights ? weightsCache.get(weights) : 0;
  if (weights && learned === undefined) {
    const { size, step, full, write } = await readWeights(weights);
    write(k.input(size));
    learned = cacheHandle(k, weightsCache, weights, check(k.call("damka_weights", null, rulesHandle, size, step, full)));
  }
  engine ||= check(k.call("damka_engine", null, hash ?? HASH_KIB));
  k.setHost((request, n) => {
    if (request === REQUEST_DEPTH && progress) postMessage({ depth: k.output(n) });
    return request === 3 ? -1 : 0;
  });
  return k.output(check(k.call("damka_search", task, engine, rulesHandle, task.length, learned ?? 0, 0, 0)));
}

addEventListener("message", async ({ data }) => {
  if (data.module) return open(data.module);
  try {
    postMessage({ result: await search(data) });
  } catch (error) {
    const { code = 0, kind = "worker" } = /** @type {{code?: number, kind?: string}} */ (error);
    postMessage({ error: String(error), code, kind });
  }
});
