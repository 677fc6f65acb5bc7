/** Keeps the site for times without a network, and tells of a new version. */

import { notice } from "./notice.js";

/** @param {{update: string, update_now: string}} words */
export async function keepOffline(words) {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(new URL("../../sw.js", import.meta.url));
  const offer = (/** @type {ServiceWorker} */ waiting) =>
    notice(words.update, { label: words.update_now, act: () => waiting.postMessage("take over") });
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
