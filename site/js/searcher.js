/**
 * The worker that searches: the kernel and the weights, no Python. A search holds it until it ends;
 * who does not want the answer any more terminates it and starts another. Nothing is lost: the game
 * is elsewhere.
 */

import { ASSETS } from "./assets.js";
import { openKernel } from "./open_kernel.js";
import { hold } from "./watch.js";

hold();

const HASH_KIB = 16 << 10; // phones have room for it
const RULES = 64; // kept at the same time

const kernel = openKernel();
/** @type {Map<string, number>} */
const handles = new Map();
let engine = 0;

/** @param {number} n @returns {number} */
function sure(n) {
  if (n < 0) throw new Error(`the kernel's code ${n}`);
  return n;
}

/** @param {string} key @param {() => Promise<number> | number} make */
async function handle(key, make) {
  const known = handles.get(key);
  if (known) return known;
  const made = await make();
  if (handles.size >= RULES) handles.clear();
  handles.set(key, made);
  return made;
}

/** Unpack a file of weights (`damka.engine.weights.file`). @param {string} name */
async function unpacked(name) {
  const file = new Uint8Array(await (await found(ASSETS.weights[name])).arrayBuffer());
  const first = file.indexOf(10) + 1;
  const second = file.indexOf(10, first) + 1;
  const { step, full_board: full, margins = {} } = JSON.parse(new TextDecoder().decode(file.subarray(first, second)));
  const stream = new Blob([file.subarray(second)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const data = new Uint8Array(16 + planes.length);
  const { probcut = 30, probcut_per_ply: more = 8, lmr_base: base = 80, lmr_scale: scale = 55 } = margins;
  new Int32Array(data.buffer, 0, 4).set([probcut, more, base, scale]);
  const quarter = planes.length / 4;
  for (let plane = 0; plane < 4; plane++) {
    for (let i = 0, from = plane * quarter, to = 16 + plane; i < quarter; i++, to += 4) data[to] = planes[from + i];
  }
  return { data, step, full };
}

/** @param {string} address */
async function found(address) {
  const answer = await fetch(new URL(address, import.meta.url));
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** @param {{rules: Uint8Array, weights?: string | null, task: Uint8Array}} asked */
async function search({ rules, weights, task }) {
  const k = await kernel;
  const by = await handle(String(rules), () => sure(k.call("damka_rules", rules, rules.length)));
  const learned =
    weights == null
      ? 0
      : await handle(weights, async () => {
          const { data, step, full } = await unpacked(weights);
          return sure(k.call("damka_weights", data, by, data.length, step, full));
        });
  engine ||= sure(k.call("damka_engine", null, HASH_KIB));
  return k.output(sure(k.call("damka_search", task, engine, by, task.length, learned, 0, 0)));
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ told: await search(data) });
  } catch (error) {
    postMessage({ wrong: String(error) });
  }
});
