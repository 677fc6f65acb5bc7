/** Offline use: cache the site, repair the cache, and announce new versions. */

import { notice } from "./notice.js";

/** @param {{update: string, update_now: string, later: string}} words */
export async function enableOfflineUse(words) {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(new URL("../../sw.js", import.meta.url));
  const offer = (/** @type {ServiceWorker} */ waiting) =>
    notice(
      "update",
      words.update,
      { label: words.update_now, onClick: () => waiting.postMessage("skipWaiting") },
      { label: words.later, onClick: () => notice("update", "") },
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
 * @returns {Promise<{repaired: number, lost: number}>} number of repaired files, and of files that
 * could not be fetched
 */
export async function repair() {
  const nothing = { repaired: 0, lost: 0 };
  const serviceWorker = navigator.serviceWorker?.controller;
  if (!serviceWorker) return nothing;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(nothing), REPAIR_TIMEOUT);
    serviceWorker.postMessage("repair", [port2]);
  });
}
