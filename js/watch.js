/**
 * Tells when a worker has ended, whatever ended it: the lock that it holds while it lives is then free.
 * Browsers end workers without a word, for want of memory for example.
 */

// Milliseconds until a worker must run; some end before they do.
const SLOWEST = 30_000;
const LOCK = "damka-worker-";

/** In a worker: hold its lock as long as it lives, if `start` has started it. */
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
