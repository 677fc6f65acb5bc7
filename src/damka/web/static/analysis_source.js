/**
 * Sources of the engine's lines: this device, by a worker with the JavaScript package, and the
 * server. Both search one position at a time.
 */

import { t } from "./i18n.js";

/** Time limit of a search in milliseconds, unless the user asks for more. */
const MAX_MS = 60_000;
/** Time for the lines of a new position before positions to evaluate continue. */
const FRESH_MS = 700;
/** Time for a worker to stop before it is replaced. */
const STOP_MS = 70;
/** Time before a stream that was cut is requested again. */
const RETRY_MS = 2000;
/** Size of the table in MiB, and on phones. */
const HASH_MB = 64;
const SMALL_HASH_MB = 16;

/** Default source of engine lines, null without one. @param {PageData} page @returns {AnalysisSource["where"] | null} */
export function defaultSource({ kernel, analysis }) {
  if (kernel && typeof WebAssembly === "object") return "device";
  return analysis?.server ? "server" : null;
}

/**
 * @param {PageData} page
 * @param {AnalysisSource["where"]} [where]
 * @returns {AnalysisSource}
 */
export const openSource = (page, where = defaultSource(page) ?? "server") => (where === "device" ? new DeviceSource(page) : new ServerSource(page));

/** @param {EvaluationData} evaluation @returns {EvaluationData} without the texts and positions */
const plain = ({ depth, nodes, ms, lines }) => ({
  depth,
  nodes,
  ms,
  lines: lines.map(({ score, mate, table, moves }) => ({ score, mate, table, moves })),
});

/** @param {string} error @returns {LinesUpdate} */
const failure = (error) => ({ depth: 0, nodes: 0, ms: 0, lines: [], nps: 0, final: true, error });

/** @param {number} nodes @param {number} ms */
const speed = (nodes, ms) => (ms > 0 ? Math.round((1000 * nodes) / ms) : 0);

const stopped = () => new DOMException("stopped", "AbortError");

/**
 * @typedef {object} Task a search, in one or several parts
 * @property {LinesRequest & {nodes?: number, choices?: string[]}} request
 * @property {(evaluation: EvaluationData, final: boolean) => void} onResult
 * @property {(error: string) => void} onError
 * @property {EvaluationData | null} best
 * @property {number} nodes of the parts that have ended
 * @property {number} ms
 * @property {boolean} isRetried whether its worker has died once
 */

const UNSEARCHED = { best: null, nodes: 0, ms: 0, isRetried: false };

class DeviceSource {
  where = /** @type {const} */ ("device");
  #page;
  /** @type {Worker | null} */ #worker = null;
  /** @type {WebAssembly.Module | undefined} */ #module;
  /** Number of the request to continue, shared with the worker where pages may share memory. */
  #wanted = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  #id = 0;
  #timer = 0;
  /** Whether the worker has its kernel. */
  #isReady = false;
  /** @type {{task: Task, id: number, ms: number, interrupted: boolean} | null} */ #running = null;
  /** @type {Task | null} */ #lines = null;
  /** @type {Task[]} */ #queue = [];
  #error = "";

  /** @param {PageData} page */
  constructor(page) {
    this.#page = page;
    this.#start();
  }

  /** @param {LinesRequest} request @param {(update: LinesUpdate) => void} onUpdate */
  start(request, onUpdate) {
    /** @type {Task} */
    const task = {
      request,
      onResult: (evaluation, final) => onUpdate({ ...evaluation, nps: speed(evaluation.nodes, evaluation.ms), final }),
      onError: (error) => onUpdate(failure(error)),
      ...UNSEARCHED,
    };
    this.#lines = task;
    this.#schedule();
  }

  stop() {
    this.#lines = null;
    this.#schedule();
  }

  /** @param {EvaluateRequest} request @param {{signal?: AbortSignal}} [options] @returns {Promise<EvaluationData>} */
  evaluate(request, { signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(stopped());
      /** @type {Task} */
      const task = {
        request,
        onResult: (evaluation, final) => final && resolve(plain(evaluation)),
        onError: (error) => reject(new Error(error)),
        ...UNSEARCHED,
      };
      this.#queue.push(task);
      signal?.addEventListener("abort", () => {
        this.#queue = this.#queue.filter((each) => each !== task);
        reject(stopped());
        this.#schedule();
      });
      this.#schedule();
    });
  }

  close() {
    this.#lines = null;
    this.#queue.splice(0).forEach(({ onError }) => onError("closed"));
    this.#end();
  }

  // The worker

  #start() {
    const worker = new Worker(new URL("./analysis_worker.js", import.meta.url), { type: "module" });
    const { kernel, edit } = this.#page;
    const isSmall = matchMedia("(pointer: coarse)").matches;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#fail(event.message || "worker");
    };
    worker.postMessage({ kernel, rules: edit?.rules, module: this.#module, wanted: this.#wanted, hashMb: isSmall ? SMALL_HASH_MB : HASH_MB });
    this.#worker = worker;
    this.#isReady = false;
    return worker;
  }

  #end() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = this.#running = null;
  }

  /** Replace a worker that died in a search, once for a search; else report it. @param {string} error */
  #fail(error) {
    const task = this.#running?.task;
    this.#end();
    if (this.#module && task && !task.isRetried) {
      task.isRetried = true;
      return this.#next();
    }
    // A kernel that has started once can start again.
    if (!this.#module) this.#error = error;
    const tasks = [...(this.#lines ? [this.#lines] : []), ...this.#queue.splice(0)];
    this.#lines = null;
    for (const { onError } of tasks) onError(t(this.#module ? "analysis.lines.stopped" : "analysis.lines.failed"));
  }

  /** @param {{id?: number, evaluation?: EvaluationData, final?: boolean, error?: string, failed?: string, module?: WebAssembly.Module}} message */
  #receive({ id, evaluation, final, error, failed, module }) {
    if (module) this.#module = module;
    if (failed) return this.#fail(failed);
    if (id) this.#isReady = true;
    const running = this.#running;
    if (!running || id !== running.id) return;
    const { task, interrupted } = running;
    if (error) {
      this.#drop(task);
      task.onError(t("analysis.lines.stopped"));
      return this.#next();
    }
    if (!evaluation) return;
    const whole = { ...evaluation, nodes: task.nodes + evaluation.nodes, ms: task.ms + evaluation.ms };
    // A search that continues begins with the first depths again.
    if (!task.best || evaluation.depth >= task.best.depth) task.best = whole;
    const isPart = interrupted || running.ms < limitOf(task);
    if (!final) {
      if (task.best === whole && !interrupted) task.onResult(whole, false);
      return;
    }
    [task.nodes, task.ms] = [whole.nodes, whole.ms];
    const reachedTime = whole.ms >= limitOf(task);
    if (!isPart || reachedTime) {
      this.#drop(task);
      task.onResult({ ...task.best, nodes: whole.nodes, ms: whole.ms }, true);
    }
    this.#next();
  }

  /** Remove a task that has ended. @param {Task} task */
  #drop(task) {
    if (this.#lines === task) this.#lines = null;
    this.#queue = this.#queue.filter((each) => each !== task);
  }

  // Order of the searches

  /** The search to run now, and its time. @returns {{task: Task, ms: number} | null} */
  #choice() {
    const [first] = this.#queue;
    const lines = this.#lines;
    if (lines && !first) return { task: lines, ms: limitOf(lines) };
    if (lines && lines.ms < FRESH_MS) return { task: lines, ms: FRESH_MS };
    return first ? { task: first, ms: limitOf(first) } : null;
  }

  /** Interrupt the running search if another one is due. */
  #schedule() {
    if (this.#error) return this.#fail(this.#error);
    const running = this.#running;
    if (!running) return this.#next();
    const choice = this.#choice();
    if (running.interrupted || (choice?.task === running.task && choice.ms === running.ms)) return;
    running.interrupted = true;
    if (this.#wanted) Atomics.store(this.#wanted, 0, 0);
    else this.#worker?.postMessage({ stop: true, id: 0 });
    this.#timer = setTimeout(() => {
      // Once it is loaded, a worker ends the search at once.
      if (!this.#isReady) return;
      this.#end();
      this.#next();
    }, STOP_MS);
  }

  #next() {
    clearTimeout(this.#timer);
    this.#running = null;
    const choice = this.#choice();
    if (!choice) return;
    const { task, ms } = choice;
    const { fen, moves, lines, threat, choices, nodes = Number.MAX_SAFE_INTEGER } = task.request;
    const id = ++this.#id;
    this.#running = { task, id, ms, interrupted: false };
    if (this.#wanted) Atomics.store(this.#wanted, 0, id);
    const left = { nodes: Math.max(1, nodes - task.nodes), ms: Math.max(1, ms - task.ms) };
    (this.#worker ?? this.#start()).postMessage({ id, fen, moves, lines, threat, choices, ...left });
  }
}

/** @param {Task} task */
const limitOf = ({ request }) => request.ms ?? MAX_MS;

class ServerSource {
  where = /** @type {const} */ ("server");
  #page;
  #controller = new AbortController();
  /** @type {Promise<unknown>} */ #queue = Promise.resolve();

  /** @param {PageData} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {LinesRequest} request @param {(update: LinesUpdate) => void} onUpdate */
  start(request, onUpdate) {
    this.stop();
    const { signal } = (this.#controller = new AbortController());
    /** @param {LinesUpdate} update */
    const show = (update) => signal.aborted || onUpdate(update);
    this.#read(request, signal, show).catch((error) => show(failure(error instanceof TypeError ? t("offline") : error.message)));
  }

  stop() {
    this.#controller.abort();
  }

  /** @param {EvaluateRequest} request @param {{signal?: AbortSignal}} [options] @returns {Promise<EvaluationData>} */
  evaluate(request, { signal = new AbortController().signal } = {}) {
    const result = this.#queue.then(async () => {
      /** @type {EvaluationData | null} */
      let last = null;
      await this.#read(request, signal, (update) => (last = update));
      if (!last) throw stopped();
      return plain(last);
    });
    this.#queue = result.catch(() => {});
    return result;
  }

  close() {
    this.stop();
  }

  /**
   * Search; a stream that is cut, as by a restart of the server, is requested once more.
   * @param {LinesRequest & {nodes?: number}} request @param {AbortSignal} signal @param {(update: LinesUpdate) => void} onUpdate
   */
  async #read(request, signal, onUpdate) {
    if (await this.#stream(request, signal, onUpdate)) return;
    await new Promise((done) => setTimeout(done, RETRY_MS));
    signal.throwIfAborted();
    if (!(await this.#stream(request, signal, onUpdate))) throw new TypeError("the stream was cut");
  }

  /**
   * Read a stream of JSON lines; return whether it was complete.
   * @param {LinesRequest & {nodes?: number}} request @param {AbortSignal} signal @param {(update: LinesUpdate) => void} onUpdate
   */
  async #stream({ fen, moves, lines, threat = false, nodes, tables = false }, signal, onUpdate) {
    const { lang, edit } = this.#page;
    const body = JSON.stringify({ stream: true, fen: fen || null, moves, lines, threat, tables, nodes: nodes ?? null });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`/api/analysis?${edit?.query}&lang=${lang}`, { method: "POST", headers, body, signal });
    if (!response.ok || !response.body) throw new Error((await response.json().catch(() => null))?.message ?? "");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    let isFinal = false;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const rows = `${text}${part.value}`.split("\n");
      text = rows.pop() ?? "";
      for (const row of rows) {
        const { t: type, message, ...update } = row.trim() ? JSON.parse(row) : {};
        if (type === "error") throw new Error(message);
        if (type !== "lines") continue;
        isFinal = update.final;
        onUpdate({ ...update, nps: speed(update.nodes, update.ms) });
      }
    }
    return isFinal;
  }
}
