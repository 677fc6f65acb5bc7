/**
 * The game's worker: Python with the rules, the refusals and the record. It answers requests of its
 * page, and tells it of the game that it has joined. Searches run in a worker of their own.
 */

import { openKernel } from "./open_kernel.js";
import { startPython } from "./python.js";
import * as store from "./store.js";

/** @type {Worker | null} */
let opponent = null;
/** @type {((found: Uint8Array | null) => void) | null} */
let waiting = null;

function startOpponent() {
  const worker = new Worker(new URL("./searcher.js", import.meta.url), { type: "module" });
  opponent = worker;
  return worker;
}

/** One search at a time; a newer one waits for the older. @type {Promise<unknown>} */
let turn = Promise.resolve();

/**
 * @param {Uint8Array} rules @param {string | null | undefined} weights @param {Uint8Array} task
 * @returns {Promise<Uint8Array | null>} null when it was stopped
 */
function search(rules, weights, task) {
  const found = turn.then(
    () =>
      new Promise((done, failed) => {
        const worker = opponent ?? startOpponent();
        waiting = done;
        worker.onmessage = ({ data }) => {
          waiting = null;
          if (data.told) done(data.told);
          else failed(new Error(data.wrong));
        };
        worker.onerror = (event) => {
          opponent = null;
          failed(new Error(event.message ?? "the opponent's worker has failed"));
        };
        worker.postMessage({ rules, weights, task });
      }),
  );
  turn = found.catch(() => {});
  return /** @type {Promise<Uint8Array | null>} */ (found);
}

/** A search cannot be interrupted from outside; its worker can. */
function stop() {
  if (!waiting) return;
  opponent?.terminate();
  waiting(null);
  waiting = null;
  startOpponent();
}

async function boot() {
  const [pyodide, kernel] = await Promise.all([startPython(), openKernel()]);
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

const python = boot();
python.catch((error) => postMessage({ failed: String(error) }));

addEventListener("message", async ({ data }) => {
  const { id, what } = data;
  try {
    const site = await python;
    if (what === "ready") postMessage({ id, status: 200 });
    else if (what === "request") {
      const body = data.body && new Uint8Array(await new Blob([data.body]).arrayBuffer());
      const [status, text, type, name] = await site.answer(data.path, body || undefined, data.type ?? "", data.language);
      postMessage({ id, status, text, type, name });
    } else if (what === "join") {
      await site.join(data.game, data.language);
      postMessage({ id, status: 200 });
    } else await site.receive(data.frame);
  } catch (error) {
    postMessage({ id, status: 500, wrong: String(error) });
  }
});
