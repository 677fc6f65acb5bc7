/**
 * Keeps every file of one version of the site. VERSION, FILES and KERNELS are written by the build:
 * addresses relative to this file; what has a hash in its address is taken over from an older
 * version. Of the kernels one is kept, as `open_kernel.js` chooses it.
 */

/* global VERSION, FILES, KERNELS */
const CACHE = `damka-${VERSION}`;
const scope = new URL("./", self.location.href);

// As in kernel.js, which is a module: not every browser lets a service worker import one.
const WITH_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

async function fill() {
  const cache = await caches.open(CACHE);
  const kernel = WebAssembly.validate(WITH_SIMD) ? KERNELS.simd : KERNELS.plain;
  for (const file of [kernel, ...FILES]) {
    const address = new URL(file, scope).href;
    const lasting = /[.\/-][0-9a-f]{16}[.\/-]|\/pyodide\//.test(address);
    const known = lasting && (await caches.match(address));
    const answer = known || (await fetch(address, { cache: lasting ? "default" : "no-cache" }));
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(address, answer);
  }
}

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("message", ({ data }) => data === "take over" && skipWaiting());
addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("damka-") && name !== CACHE) await caches.delete(name);
      }
      await clients.claim();
    })(),
  ),
);
addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || !address.href.startsWith(scope.href)) return;
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  address.search = address.hash = "";
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(address.href))
      // A file that is damaged or gone is fetched again.
      .then((known) => known ?? fetch(event.request)),
  );
});
