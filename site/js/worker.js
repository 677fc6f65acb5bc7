/**
 * The game's worker: Python with rules, refusals and the game record. It answers requests of its
 * page, and sends it updates of the joined game. Searches run in a separate worker.
 */

import { ASSETS } from "./assets.js";
import { Kernel } from "./kernel.js";
import * as memory from "./memory.js";
import { kernelModule } from "./open_kernel.js";
import { at, reportTo } from "./loading.js";
import { startPython } from "./python.js";
import * as store from "./store.js";
import { hold, start } from "./watch.js";

hold();

/** @type {Worker | null} */
let opponent = null;
/** Callbacks of the running search. @type {{found: (told: Uint8Array | null) => void, failed: (why: Error) => void} | null} */
let waiting = null;

reportTo((loaded) => postMessage({ loaded }));
/** @typedef {{language: string, searches: boolean, weights: string | null}} Begin */
/** Resolves with the page's first message: its language, and hints about searches. @type {(begin: Begin) => void} */
let begin = () => {};
/** @type {Promise<Begin>} */
const begun = new Promise((done) => (begin = done));
// The search worker takes a moment to start, too.
void begun.then(({ searches }) => searches && startOpponent());

/** Compiled once, for this worker and the search worker. */
const compiled = kernelModule();
compiled.catch(() => {}); // reported by `boot`

function startOpponent() {
  const worker = start(new URL("./search_worker.js", import.meta.url), (ended) => ended === opponent && lost("it has ended"));
  worker.addEventListener("message", ({ data }) => {
    if (worker !== opponent || !waiting || data.holds) return;
    const { found, failed } = waiting;
    waiting = null;
    if (data.told) found(data.told);
    else failed(new Error(data.wrong));
  });
  worker.onerror = (event) => {
    // Otherwise the page would treat it as an error of this worker.
    event.preventDefault();
    if (worker === opponent) lost(event.message ?? "it has failed");
  };
  opponent = worker;
  // `boot` reports a missing kernel.
  void compiled.then((module) => worker.postMessage({ module })).catch(() => {});
  return worker;
}

/** Handle the end of the search worker; the next search starts a new one. @param {string} why */
function lost(why) {
  opponent?.terminate();
  opponent = null;
  waiting?.failed(new Error(`the searching worker: ${why}`));
  waiting = null;
}

/** Milliseconds after a game was opened; if no search runs then, the rest of Python is fetched. */
const PATIENCE = 2000;
/** Called with the first answer: files that a first game does not need wait for it. */
let settle = () => {};
/** @type {Promise<void>} */
const answered = new Promise((done) => (settle = done));

/** One search at a time; later ones queue. @type {Promise<unknown>} */
let turn = Promise.resolve();

/**
 * @param {Uint8Array} rules @param {string | null | undefined} weights @param {Uint8Array} task
 * @returns {Promise<Uint8Array | null>} null if it was stopped
 */
function search(rules, weights, task) {
  const once = () =>
    new Promise((found, failed) => {
      waiting = { found, failed };
      const address = weights && at(ASSETS.weights[weights]);
      (opponent ?? startOpponent()).postMessage({ rules, weights: address, task });
    });
  const found = turn.then(() =>
    once().catch(() => {
      // Only the search was lost: retry it once, in a new worker.
      lost("its search has failed");
      return once();
    }),
  );
  turn = found.catch((error) => postMessage({ search: String(error) }));
  void turn.then(settle);
  return /** @type {Promise<Uint8Array | null>} */ (found);
}

/** A search cannot be interrupted from outside, so terminate its worker. */
function stop() {
  if (!waiting) return;
  const { found } = waiting;
  waiting = null;
  const old = opponent;
  opponent = null;
  old?.terminate();
  found(null);
  startOpponent();
}

async function boot() {
  const [{ pyodide, whole }, kernel] = await Promise.all([
    startPython(begun.then(({ language }) => language)),
    compiled.then((module) => Kernel.open(module)),
  ]);
  void fetchWeights();
  pyodide.registerJsModule("damka_kernel", {
    call: (/** @type {string} */ name, /** @type {Uint8Array | null} */ data, /** @type {number[]} */ ...numbers) =>
      kernel.call(name, data, ...numbers),
    output: (/** @type {number} */ n) => kernel.output(n),
    write: (/** @type {Uint8Array} */ data) => kernel.write(data),
    setHost: (/** @type {any} */ host) => kernel.setHost(host),
  });
  const { create, load, append, show } = store;
  const tell = (/** @type {string} */ frame) => postMessage({ frame });
  const settled = () => answered.then(whole);
  pyodide.registerJsModule("damka_page", { create, load, append, show, search, stop, tell, whole: settled });
  const site = pyodide.pyimport("damka_site.in_browser");
  return { site, whole, settled };
}

/** Prefetch the weights of the first search into the browser's cache. */
async function fetchWeights() {
  const { weights } = await begun;
  if (weights) await fetch(at(ASSETS.weights[weights])).then((answer) => answer.arrayBuffer()).catch(() => {});
}

const python = boot();
python.catch((error) => postMessage({ failed: String(error) }));

/** Path of the only request that needs no modules of the second archive. */
const NEW_GAME = "/api/games";

addEventListener("message", async ({ data }) => {
  const { id, what } = data;
  try {
    if (what === "begin") return begin(data);
    if (what === "carry") return memory.carry(data.text);
    if (what === "carried") return postMessage({ id, status: 200, text: memory.carried(data.game) });
    const { site, whole, settled } = await python;
    if (what === "settled") {
      await settled();
      postMessage({ id, status: 200 });
    } else if (what === "request") {
      if (data.path !== NEW_GAME) await whole().then(settle);
      const body = data.body && new Uint8Array(await new Blob([data.body]).arrayBuffer());
      const [status, text, type, name] = await site.answer(data.path, body || undefined, data.type ?? "", data.language);
      postMessage({ id, status, text, type, name });
    } else if (what === "join") {
      const [status, text] = await site.join(data.game, data.language);
      postMessage({ id, status, text });
      setTimeout(() => waiting || settle(), PATIENCE);
    } else await site.receive(data.frame);
  } catch (error) {
    postMessage({ id, status: 500, wrong: String(error) });
  }
});
