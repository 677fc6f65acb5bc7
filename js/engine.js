/** Searches in a worker, so that they do not block the page. */

import { SearchError } from "./errors.js";
import { bytesOf, numbersOf, weightsFor } from "./rules.js";
import { resolveUrl, isOptimised, kernelModule, workerInPackage } from "./runtime.js";
import { Analysis, searchError, encodeTask } from "./search.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./search.js").Limits} Limits */

/**
 * @typedef {object} EngineOptions
 * @property {"bundled" | "general" | URL | string} [weights] URL of a weight file; "bundled" for this
 *   package's weights for the rules; "general", the default, for none
 * @property {number} [hashMb] megabytes of the transposition table; default 16
 * @property {() => Worker} [worker] creates the worker, in place of the package's own
 */

/**
 * @typedef {object} SearchCallbacks
 * @property {(analysis: Analysis) => void} [onDepth] called after every depth
 * @property {AbortSignal} [signal] stops the search like `stop`
 */

/**
 * An engine that searches in a worker. Searches run one at a time; further ones queue.
 */
export class Engine {
  #options;
  /** @type {Worker | null} */
  #worker = null;
  #closed = false;
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** Ends the running search with its result so far. @type {(() => void) | null} */
  #end = null;

  /** @param {EngineOptions} [options] @throws {SearchError} "limits" */
  constructor(options = {}) {
    const { hashMb = 16 } = options;
    if (!(hashMb >= 1 / 16 && hashMb <= 1024)) throw new SearchError("limits", "hashMb: 1/16 to 1024");
    this.#options = options;
  }

  /**
   * Search for the best move.
   * @param {Board} board copied, so that it may change during the search
   * @param {Limits & SearchCallbacks} limits
   * @returns {Promise<Analysis>} after a stop, the result of the last completed depth
   * @throws {SearchError} for invalid limits, unavailable weights ("weights"), a stop before the
   *   first depth ("stopped"), and a worker that is missing or has crashed ("worker"); rethrows
   *   the errors of `onDepth`
   */
  async search(board, { onDepth, signal, ...limits }) {
    if (this.#closed) throw new SearchError("closed", "the engine was closed");
    const request = {
      rules: bytesOf(numbersOf(board.rules.parameters)),
      task: encodeTask(board, limits),
      weights: this.#weightsOf(board),
      hash: Math.floor((this.#options.hashMb ?? 16) * 1024),
      progress: true,
    };
    const { origin } = board.searchInput;
    const result = this.#queue.then(() => this.#run(request, origin, onDepth, signal));
    this.#queue = result.catch(() => {});
    return result;
  }

  /** @param {Board} board */
  #weightsOf({ rules }) {
    const { weights = "general" } = this.#options;
    if (weights === "general") return null;
    return weights === "bundled" ? (weightsFor(rules)?.href ?? null) : resolveUrl(weights).href;
  }

  /**
   * @param {import("./search_worker.js").SearchRequest} request
   * @param {import("./move.js").Origin} origin
   * @param {SearchCallbacks["onDepth"]} onDepth
   * @param {AbortSignal} [signal]
   * @returns {Promise<Analysis>}
   */
  async #run(request, origin, onDepth, signal) {
    if (this.#closed) throw new SearchError("closed", "the engine was closed");
    if (signal?.aborted) throw stoppedError();
    const worker = this.#worker ?? this.#startWorker();
    const stop = () => this.stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        /** @type {Analysis | null} */
        let best = null;
        this.#end = () => (best ? resolve(best) : reject(stoppedError()));
        worker.onmessage = ({ data }) => {
          if (data.result) resolve(new Analysis(data.result, origin));
          else if (data.depth) {
            best = new Analysis(data.depth, origin);
            try {
              onDepth?.(best);
            } catch (error) {
              this.#endWorker();
              reject(error);
            }
          } else if (data.code) reject(searchError(data.code));
          else {
            if (data.kind === "worker") this.#endWorker();
            reject(new SearchError(data.kind, data.error));
          }
        };
        worker.onerror = (event) => {
          this.#endWorker();
          reject(new SearchError("worker", event.message || "the worker cannot start"));
        };
        worker.postMessage(request);
      });
    } finally {
      this.#end = null;
      signal?.removeEventListener("abort", stop);
    }
  }

  #startWorker() {
    if (typeof Worker === "undefined" && !this.#options.worker) {
      throw new SearchError("worker", "workers are not available: use Board.search");
    }
    const worker = (this.#options.worker ?? startWorker)();
    worker.postMessage({ module: kernelModule() });
    this.#worker = worker;
    return worker;
  }

  #endWorker() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /**
   * Stop the running search, if any; it returns its result so far. This also ends the worker, and
   * clears the transposition table.
   */
  stop() {
    const end = this.#end;
    if (!end) return;
    this.#endWorker();
    end();
  }

  /** Close the engine and its worker; queued searches fail ("closed"). */
  close() {
    this.#closed = true;
    this.stop();
    this.#endWorker();
  }
}

// Bundlers recognise the second form.
const startWorker = () =>
  isOptimised()
    ? new Worker(workerInPackage(), { type: "module" })
    : new Worker(new URL("./search_worker.js", import.meta.url), { type: "module" });

const stoppedError = () => new SearchError("stopped", "the search was stopped before its first depth");
