/** Offline use: cache the site, repair the cache, and announce new versions. */

import { notice } from "./notice.js";

/** @param {{update: string, update_now: string, later: string}} words */
export async function keepOffline(words) {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(new URL("../../sw.js", import.meta.url));
  const offer = (/** @type {ServiceWorker} */ waiting) =>
    notice(
      "update",
      words.update,
      { label: words.update_now, act: () => waiting.postMessage("take over") },
      { label: words.later, act: () => notice("update", "") },
    );
  if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && navigator.serviceWorker.controller) offer(installing);
    });
  });
  let controlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (controlled) location.reload();
    controlled = true;
  });
}

/** Timeout for fetching damaged files, in milliseconds. */
const REPAIR_TIMEOUT = 60_000;

/**
 * Find damaged cached files and fetch them again.
 * @returns {Promise<{mended: number, lost: number}>} number of repaired files, and of files that
 * could not be fetched
 */
export async function repair() {
  const nothing = { mended: 0, lost: 0 };
  const serviceWorker = navigator.serviceWorker?.controller;
  if (!serviceWorker) return nothing;
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
    setTimeout(() => done(nothing), REPAIR_TIMEOUT);
    serviceWorker.postMessage("mend", [port2]);
  });
}
