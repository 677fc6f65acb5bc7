/**
 * A worker that searches: the kernel and weights, no rules and no games. A search holds it until it
 * ends; who does not want the answer any more terminates it and starts another. Nothing is lost: the
 * game is elsewhere.
 *
 * The first message is {module}, the kernel compiled or its address; every other one an `Asked`. The
 * answers are {depth} after every depth where `progress` is asked for, and at the end {told} or
 * {wrong, code}; `depth` and `told` are what `damka_search` writes.
 */

import { Kernel, compile } from "./kernel.js";
import { hold } from "./watch.js";
import { unpack } from "./weights.js";

hold();

/**
 * @typedef {object} Asked
 * @property {Uint8Array} rules the input of `damka_rules`
 * @property {Uint8Array} task the input of `damka_search`
 * @property {string | null} [weights] the address of a file of weights
 * @property {number} [hash] KiB of the transposition table; what is asked for first counts
 * @property {boolean} [progress]
 */

const HASH_KIB = 16 << 10; // phones have room for it
const KEPT = 64; // rules, and weights, at the same time
const DEPTH = 2; // what the kernel asks after a depth: see `Ask` in core/wasm/api.hpp

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
const rulesKnown = new Map();
/** @type {Map<string, number>} */
const weightsKnown = new Map();
let engine = 0;

/** @param {number} n @returns {number} */
function sure(n) {
  if (n < 0) throw Object.assign(new Error(`the kernel's code ${n}`), { code: n });
  return n;
}

/**
 * Keep an object of the kernel under a key; where there are many, the others are freed.
 * @param {Kernel} k @param {Map<string, number>} known @param {string} key @param {number} handle
 */
function keep(k, known, key, handle) {
  if (known.size >= KEPT) {
    for (const old of known.values()) k.call("damka_free", null, old);
    known.clear();
  }
  known.set(key, handle);
  return handle;
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param {Asked} asked */
async function search({ rules, task, weights, hash, progress }) {
  const k = await kernel;
  const name = String(rules);
  const by = rulesKnown.get(name) ?? keep(k, rulesKnown, name, sure(k.call("damka_rules", rules, rules.length)));
  let learned = weights ? weightsKnown.get(weights) : 0;
  if (weights && learned === undefined) {
    const { size, step, full, write } = await unpack(await fetched(weights));
    write(k.input(size));
    learned = keep(k, weightsKnown, weights, sure(k.call("damka_weights", null, by, size, step, full)));
  }
  engine ||= sure(k.call("damka_engine", null, hash ?? HASH_KIB));
  k.setHost((what, n) => {
    if (what === DEPTH && progress) postMessage({ depth: k.output(n) });
    return what === 3 ? -1 : 0;
  });
  return k.output(sure(k.call("damka_search", task, engine, by, task.length, learned ?? 0, 0, 0)));
}

addEventListener("message", async ({ data }) => {
  if (data.module) return open(data.module);
  try {
    postMessage({ told: await search(data) });
  } catch (error) {
    postMessage({ wrong: String(error), code: /** @type {{code?: number}} */ (error).code ?? 0 });
  }
});
