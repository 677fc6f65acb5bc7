/**
 * Detects the end of a worker, whatever the cause: its lock is released. Browsers end workers
 * silently, for example when memory is low.
 */

// Timeout for a worker's start in milliseconds; some end before they run.
const SLOWEST = 30_000;
const LOCK = "damka-worker-";

/** In a worker started by `start`: hold its lock for its lifetime. */
export function hold() {
  if (!self.name.startsWith(LOCK)) return;
  void navigator.locks?.request(self.name, () => {
    postMessage({ holds: self.name });
    return new Promise(() => {});
  });
}

/**
 * Start a worker that calls `hold`.
 * @param {URL} address
 * @param {(worker: Worker) => void} ended called once, also when `terminate` has ended it
 */
export function start(address, ended) {
  const name = LOCK + Math.random();
  const worker = new Worker(address, { type: "module", name });
  if (!navigator.locks) return worker;
  const late = setTimeout(() => ended(worker), SLOWEST);
  worker.addEventListener("message", ({ data }) => {
    if (data.holds !== name) return;
    clearTimeout(late);
    void navigator.locks.request(name, () => ended(worker));
  });
  return worker;
}
