/**
 * Detects the end of a worker for any reason, by the release of its lock. Browsers end workers
 * silently, for example when memory is low.
 */

// Timeout for a worker's start in milliseconds: a worker may end before it runs.
const START_TIMEOUT = 30_000;
const LOCK = "damka-worker-";

/** In a worker started by `startWatched`: hold its lock for its lifetime. */
export function holdLock() {
  if (!self.name.startsWith(LOCK)) return;
  void navigator.locks?.request(self.name, () => {
    postMessage({ lock: self.name });
    return new Promise(() => {});
  });
}

/**
 * Start a worker that calls `holdLock`.
 * @param {URL} address
 * @param {(worker: Worker) => void} onEnd called once at its end, also after `terminate`
 */
export function startWatched(address, onEnd) {
  const name = LOCK + Math.random();
  const worker = new Worker(address, { type: "module", name });
  if (!navigator.locks) return worker;
  const timeout = setTimeout(() => onEnd(worker), START_TIMEOUT);
  worker.addEventListener("message", ({ data }) => {
    if (data.lock !== name) return;
    clearTimeout(timeout);
    void navigator.locks.request(name, () => onEnd(worker));
  });
  return worker;
}
