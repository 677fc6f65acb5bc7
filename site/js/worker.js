/**
 * The game's worker: Python with the rules, the refusals and the record. It answers requests of its
 * page, and tells it of the game that it has joined. Searches run in a worker of their own.
 */

import { ASSETS } from "./assets.js";
import { Kernel } from "./kernel.js";
import * as memory from "./memory.js";
import { kernelModule } from "./open_kernel.js";
import { startPython } from "./python.js";
import * as store from "./store.js";
import { hold, start } from "./watch.js";

hold();

/** @type {Worker | null} */
let opponent = null;
/** The search under way: what to do with its answer, or without one. @type {{found: (told: Uint8Array | null) => void, failed: (why: Error) => void} | null} */
let waiting = null;

/** Compiled once, for this worker and for that of the searches. */
const compiled = kernelModule();

/** @param {string} address */
const at = (address) => new URL(address, import.meta.url).href;

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
  const [pyodide, kernel] = await Promise.all([startPython(), compiled.then((module) => Kernel.open(module))]);
  pyodide.registerJsModule("damka_kernel", {
    call: (/** @type {string} */ name, /** @type {Uint8Array | null} */ data, /** @type {number[]} */ ...numbers) =>
      kernel.call(name, data, ...numbers),
    output: (/** @type {number} */ n) => kernel.output(n),
    write: (/** @type {Uint8Array} */ data) => kernel.write(data),
    setHost: (/** @type {any} */ host) => kernel.setHost(host),
  });
  const { create, load, append, show } = store;
  const tell = (/** @type {string} */ frame) => postMessage({ frame });
  pyodide.registerJsModule("damka_page", { create, load, append, show, search, stop, tell });
  return pyodide.pyimport("damka_site.in_browser");
}

/** Fails with a part of Python that cannot be had or is damaged: Pyodide itself would wait for ever. @type {Promise<never>} */
const broken = new Promise((_, failed) => {
  for (const how of /** @type {const} */ (["instantiate", "instantiateStreaming"])) {
    const usual = /** @type {(...all: any[]) => Promise<any>} */ (WebAssembly[how]);
    WebAssembly[how] = (/** @type {any[]} */ ...all) => {
      const made = usual.apply(WebAssembly, all);
      made.catch(failed);
      return made;
    };
  }
});
const python = Promise.race([boot(), broken]);
python.catch((error) => postMessage({ failed: String(error) }));

addEventListener("message", async ({ data }) => {
  const { id, what } = data;
  try {
    if (what === "carry") return memory.carry(data.text);
    if (what === "carried") return postMessage({ id, status: 200, text: memory.carried(data.game) });
    const site = await python;
    if (what === "ready") postMessage({ id, status: 200 });
    else if (what === "request") {
      const body = data.body && new Uint8Array(await new Blob([data.body]).arrayBuffer());
      const [status, text, type, name] = await site.answer(data.path, body || undefined, data.type ?? "", data.language);
      postMessage({ id, status, text, type, name });
    } else if (what === "join") {
      const [status, text] = await site.join(data.game, data.language);
      postMessage({ id, status, text });
    } else await site.receive(data.frame);
  } catch (error) {
    postMessage({ id, status: 500, wrong: String(error) });
  }
});
