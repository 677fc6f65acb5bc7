/**
 * The game's worker: Python with the rules, refusals and the game record. It handles requests of its
 * page, and sends it updates of the open game. Searches run in a separate worker.
 */

import { ASSETS } from "./assets.js";
import { Kernel } from "./kernel.js";
import * as memory from "./memory.js";
import { kernelModule } from "./open_kernel.js";
import { assetUrl, reportTo } from "./loading.js";
import { startPython } from "./python.js";
import * as store from "./store.js";
import { holdLock, startWatched } from "./watch.js";

holdLock();

/** @type {Worker | null} */
let searchWorker = null;
/** Callbacks of the running search. @type {{resolve: (result: Uint8Array | null) => void, reject: (error: Error) => void} | null} */
let waiting = null;

reportTo((loaded) => postMessage({ loaded }));
/** @typedef {{language: string, searches: boolean, weights: string | null}} Begin */
/** Resolves with the page's first message: its language, and hints about searches. @type {(begin: Begin) => void} */
let resolveStart = () => {};
/** @type {Promise<Begin>} */
const started = new Promise((resolve) => (resolveStart = resolve));
// The search worker takes a moment to start, too.
void started.then(({ searches }) => searches && startSearchWorker());

/** Compiled once, for this worker and the search worker. */
const compiled = kernelModule();
compiled.catch(() => {}); // reported by `boot`

function startSearchWorker() {
  const worker = startWatched(new URL("./search_worker.js", import.meta.url), (ended) => ended === searchWorker && onSearchWorkerEnd("has ended"));
  worker.addEventListener("message", ({ data }) => {
    if (worker !== searchWorker || !waiting || data.lock) return;
    const { resolve, reject } = waiting;
    waiting = null;
    if (data.result) resolve(data.result);
    else reject(new Error(data.error));
  });
  worker.onerror = (event) => {
    // The page would treat it as an error of this worker.
    event.preventDefault();
    if (worker === searchWorker) onSearchWorkerEnd(event.message ?? "has failed");
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
  waiting?.reject(new Error(`search worker: ${reason}`));
  waiting = null;
}

/** Milliseconds after a game was opened; if no search runs then, the rest of Python is fetched. */
const IDLE_DELAY = 2000;
/** Called after the first move of the computer, before which the rest of Python is not loaded. */
let resolveFirstAnswer = () => {};
/** @type {Promise<void>} */
const firstAnswer = new Promise((resolve) => (resolveFirstAnswer = resolve));

/** One search at a time; later ones queue. @type {Promise<unknown>} */
let queue = Promise.resolve();

/**
 * @param {Uint8Array} rules @param {string | null | undefined} weights @param {Uint8Array} task
 * @returns {Promise<Uint8Array | null>} null if the search was stopped
 */
function search(rules, weights, task) {
  const attempt = () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      const address = weights && assetUrl(ASSETS.weights[weights]);
      (searchWorker ?? startSearchWorker()).postMessage({ rules, weights: address, task });
    });
  const result = queue.then(() =>
    attempt().catch(() => {
      // Retry the search once, in a new worker.
      onSearchWorkerEnd("the search has failed");
      return attempt();
    }),
  );
  queue = result.catch((error) => postMessage({ search: String(error) }));
  void queue.then(resolveFirstAnswer);
  return /** @type {Promise<Uint8Array | null>} */ (result);
}

/** Stop the search by terminating its worker, because it cannot be interrupted. */
function stop() {
  if (!waiting) return;
  const { resolve } = waiting;
  waiting = null;
  const running = searchWorker;
  searchWorker = null;
  running?.terminate();
  resolve(null);
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
  const { create, load, append, saveShown, list, changeListing } = store;
  const sendFrame = (/** @type {string} */ frame) => postMessage({ frame });
  const loadRestAfterAnswer = () => firstAnswer.then(loadRest);
  pyodide.registerJsModule("damka_page", {
    create,
    load,
    append,
    saveShown,
    list,
    changeListing,
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
  if (weights) await fetch(assetUrl(ASSETS.weights[weights])).then((response) => response.arrayBuffer()).catch(() => {});
}

const python = boot();
python.catch((error) => postMessage({ failed: String(error) }));

/** The only request that does not need the second archive. */
const NEW_GAME = "/api/games";

addEventListener("message", async ({ data }) => {
  const { id, action } = data;
  try {
    if (action === "start") return resolveStart(data);
    if (action === "importGame") return memory.importGame(data.text);
    if (action === "exportGame") return postMessage({ id, status: 200, text: memory.exportGame(data.game) });
    const { site, loadRest, loadRestAfterAnswer } = await python;
    if (action === "loadRest") {
      await loadRestAfterAnswer();
      postMessage({ id, status: 200 });
    } else if (action === "request") {
      if (data.path !== NEW_GAME) await loadRest().then(resolveFirstAnswer);
      const body = data.body && new Uint8Array(await new Blob([data.body]).arrayBuffer());
      const [status, text, type, name] = await site.answer(data.path, body || undefined, data.type ?? "", data.language);
      postMessage({ id, status, text, type, name });
    } else if (action === "join") {
      const [status, text] = await site.join(data.game, data.language);
      postMessage({ id, status, text });
      setTimeout(() => waiting || resolveFirstAnswer(), IDLE_DELAY);
    } else await site.receive(data.frame);
  } catch (error) {
    postMessage({ id, status: 500, error: String(error) });
  }
});
