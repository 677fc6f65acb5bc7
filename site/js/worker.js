/**
 * The game's worker: Python with the rules, the refusals and the record. It answers requests of its
 * page, and tells it of the game that it has joined. Searches run in a worker of their own.
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
/** The search under way: what to do with its answer, or without one. @type {{found: (told: Uint8Array | null) => void, failed: (why: Error) => void} | null} */
let waiting = null;

reportTo((loaded) => postMessage({ loaded }));
/** @typedef {{language: string, searches: boolean, weights: string | null}} Begin */
/** What the page has told first: its language, and what it expects of searches. @type {(begin: Begin) => void} */
let begin = () => {};
/** @type {Promise<Begin>} */
const begun = new Promise((done) => (begin = done));
// The worker that searches takes a moment to start as well.
void begun.then(({ searches }) => searches && startOpponent());

/** Compiled once, for this worker and for that of the searches. */
const compiled = kernelModule();
compiled.catch(() => {}); // told by `boot`

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
    // Else the page would take it for an error of this worker.
    event.preventDefault();
    if (worker === opponent) lost(event.message ?? "it has failed");
  };
  opponent = worker;
  // Where there is none, `boot` says so.
  void compiled.then((module) => worker.postMessage({ module })).catch(() => {});
  return worker;
}

/** The worker that searches is no more; the next search starts another. @param {string} why */
function lost(why) {
  opponent?.terminate();
  opponent = null;
  waiting?.failed(new Error(`the searching worker: ${why}`));
  waiting = null;
}

/** Milliseconds after a game was opened: where no search is under way then, the rest of Python is fetched. */
const PATIENCE = 2000;
/** Called with the first answer: what a first game can do without waits for that. */
let settle = () => {};
/** @type {Promise<void>} */
const answered = new Promise((done) => (settle = done));

/** One search at a time; a newer one waits for the older. @type {Promise<unknown>} */
let turn = Promise.resolve();

/**
 * @param {Uint8Array} rules @param {string | null | undefined} weights @param {Uint8Array} task
 * @returns {Promise<Uint8Array | null>} null when it was stopped
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
      // Nothing was lost but the search: try it once more, in a new worker.
      lost("its search has failed");
      return once();
    }),
  );
  turn = found.catch((error) => postMessage({ search: String(error) }));
  void turn.then(settle);
  return /** @type {Promise<Uint8Array | null>} */ (found);
}

/** A search cannot be interrupted from outside; its worker can. */
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

/** Fetch the weights of the first search, so that it finds them in the browser's cache. */
async function fetchWeights() {
  const { weights } = await begun;
  if (weights) await fetch(at(ASSETS.weights[weights])).then((answer) => answer.arrayBuffer()).catch(() => {});
}

const python = boot();
python.catch((error) => postMessage({ failed: String(error) }));

/** The request that needs what is there first. */
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
