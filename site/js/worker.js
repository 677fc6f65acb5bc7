/**
 * The game's worker: Python with rules, refusals and the game record. It answers requests of its
 * page, and sends it updates of the joined game. Searches run in a separate worker.
 */

import { ASSETS } from "./assets.js";
import { Kernel } from "./kernel.js";
import * as memory from "./memory.js";
import { kernelModule } from "./open_kernel.js";
import { assetUrl, reportTo } from "./loading.js";
import { startPython } from "./python.js";
import * as store from "./store.js";
import { hold, start } from "./watch.js";

hold();

/** @type {Worker | null} */
let searchWorker = null;
/** Callbacks of the running search. @type {{found: (result: Uint8Array | null) => void, failed: (error: Error) => void} | null} */
let waiting = null;

reportTo((loaded) => postMessage({ loaded }));
/** @typedef {{language: string, searches: boolean, weights: string | null}} Begin */
/** Resolves with the page's first message: its language, and hints about searches. @type {(begin: Begin) => void} */
let resolveStart = () => {};
/** @type {Promise<Begin>} */
const started = new Promise((done) => (resolveStart = done));
// The search worker takes a moment to start, too.
void started.then(({ searches }) => searches && startSearchWorker());

/** Compiled once, for this worker and the search worker. */
const compiled = kernelModule();
compiled.catch(() => {}); // reported by `boot`

function startSearchWorker() {
  const worker = start(new URL("./search_worker.js", import.meta.url), (ended) => ended === searchWorker && onSearchWorkerEnd("it has ended"));
  worker.addEventListener("message", ({ data }) => {
    if (worker !== searchWorker || !waiting || data.holds) return;
    const { found, failed } = waiting;
    waiting = null;
    if (data.result) found(data.result);
    else failed(new Error(data.error));
  });
  worker.onerror = (event) => {
    // Otherwise the page would treat it as an error of this worker.
    event.preventDefault();
    if (worker === searchWorker) onSearchWorkerEnd(event.message ?? "it has failed");
  };
  searchWorker = worker;
  // `boot` reports a missing kernel.
  void compiled.then((module) => worker.postMessage({ module })).catch(() => {});
  return worker;
}

/** Handle the end of the search worker; the next search starts a new one. @param {string} reason */
function onSearchWorkerEnd(reason) {
  searchWorker?.terminate();
  searchWorker = null;
  waiting?.failed(new Error(`the searching worker: ${reason}`));
  waiting = null;
}

/** Milliseconds after a game was opened; if no search runs then, the rest of Python is fetched. */
const IDLE_DELAY = 2000;
/** Called with the first answer: files that a first game does not need wait for it. */
let resolveFirstAnswer = () => {};
/** @type {Promise<void>} */
const firstAnswer = new Promise((done) => (resolveFirstAnswer = done));

/** One search at a time; later ones queue. @type {Promise<unknown>} */
let queue = Promise.resolve();

/**
 * @param {Uint8Array} rules @param {string | null | undefined} weights @param {Uint8Array} task
 * @returns {Promise<Uint8Array | null>} null if it was stopped
 */
function search(rules, weights, task) {
  const attempt = () =>
    new Promise((found, failed) => {
      waiting = { found, failed };
      const address = weights && assetUrl(ASSETS.weights[weights]);
      (searchWorker ?? startSearchWorker()).postMessage({ rules, weights: address, task });
    });
  const found = queue.then(() =>
    attempt().catch(() => {
      // Only the search was lost: retry it once, in a new worker.
      onSearchWorkerEnd("its search has failed");
      return attempt();
    }),
  );
  queue = found.catch((error) => postMessage({ search: String(error) }));
  void queue.then(resolveFirstAnswer);
  return /** @type {Promise<Uint8Array | null>} */ (found);
}

/** A search cannot be interrupted from outside, so terminate its worker. */
function stop() {
  if (!waiting) return;
  const { found } = waiting;
  waiting = null;
  const running = searchWorker;
  searchWorker = null;
  running?.terminate();
  found(null);
  startSearchWorker();
}

async function boot() {
  const [{ pyodide, loadRest }, kernel] = await Promise.all([
    startPython(started.then(({ language }) => language)),
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
  const { create, load, append, saveShown } = store;
  const sendFrame = (/** @type {string} */ frame) => postMessage({ frame });
  const loadRestAfterAnswer = () => firstAnswer.then(loadRest);
  pyodide.registerJsModule("damka_page", {
    create,
    load,
    append,
    saveShown,
    search,
    stop,
    sendFrame,
    loadRest: loadRestAfterAnswer,
  });
  const site = pyodide.pyimport("damka_site.in_browser");
  return { site, loadRest, loadRestAfterAnswer };
}

/** Prefetch the weights of the first search into the browser's cache. */
async function fetchWeights() {
  const { weights } = await started;
  if (weights) await fetch(assetUrl(ASSETS.weights[weights])).then((answer) => answer.arrayBuffer()).catch(() => {});
}

const python = boot();
python.catch((error) => postMessage({ failed: String(error) }));

/** Path of the only request that needs no modules of the second archive. */
const NEW_GAME = "/api/games";

addEventListener("message", async ({ data }) => {
  const { id, what } = data;
  try {
    if (what === "begin") return resolveStart(data);
    if (what === "carry") return memory.importGame(data.text);
    if (what === "carried") return postMessage({ id, status: 200, text: memory.exportGame(data.game) });
    const { site, loadRest, loadRestAfterAnswer } = await python;
    if (what === "settled") {
      await loadRestAfterAnswer();
      postMessage({ id, status: 200 });
    } else if (what === "request") {
      if (data.path !== NEW_GAME) await loadRest().then(resolveFirstAnswer);
      const body = data.body && new Uint8Array(await new Blob([data.body]).arrayBuffer());
      const [status, text, type, name] = await site.answer(data.path, body || undefined, data.type ?? "", data.language);
      postMessage({ id, status, text, type, name });
    } else if (what === "join") {
      const [status, text] = await site.join(data.game, data.language);
      postMessage({ id, status, text });
      setTimeout(() => waiting || resolveFirstAnswer(), IDLE_DELAY);
    } else await site.receive(data.frame);
  } catch (error) {
    postMessage({ id, status: 500, wrong: String(error) });
  }
});
