/**
 * Service worker: caches all files of one version of the site. The build writes VERSION, FILES,
 * KERNELS and SUMS: URLs relative to this file, and a prefix of the SHA-256 of each file. Files with
 * a hash in their URL are copied from an older version's cache. One kernel is cached, as chosen by
 * `open_kernel.js`.
 */

/* global VERSION, FILES, KERNELS, SUMS */
const CACHE = `damka-${VERSION}`;
const scope = new URL("./", self.location.href);

// As in kernel.js: not every browser lets a service worker import modules.
const WITH_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

/** Return the files to cache. */
const cachedFiles = () => [WebAssembly.validate(WITH_SIMD) ? KERNELS.simd : KERNELS.plain, ...FILES];

async function fillCache() {
  const cache = await caches.open(CACHE);
  for (const file of cachedFiles()) {
    const address = new URL(file, scope).href;
    const isImmutable = /[.\/-][0-9a-f]{16}[.\/-]|\/pyodide\//.test(address);
    const cached = isImmutable && (await caches.match(address));
    if (cached && (await isIntact(file, cached))) await cache.put(address, cached);
    else await fetchIntoCache(cache, file, isImmutable ? "default" : "no-cache");
  }
}

/** Fetch a file and cache it. @param {Cache} cache @param {string} file @param {RequestCache} from */
async function fetchIntoCache(cache, file, from) {
  const address = new URL(file, scope).href;
  const response = await fetch(address, { cache: from });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  if (!(await isIntact(file, response))) throw new Error(`${file}: wrong checksum`);
  await cache.put(address, response.clone());
  return response;
}

/** Whether a file has its checksum; pages must only be complete, because some hosts inject code into them. @param {string} file @param {Response} response */
async function isIntact(file, response) {
  if (/\.html$/.test(file)) return (await response.clone().text()).includes("</html>");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  const sum = [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return sum === SUMS[file];
}

/** Find damaged cached files and fetch them again. */
async function repair() {
  const cache = await caches.open(CACHE);
  const result = { repaired: 0, lost: 0 };
  for (const file of cachedFiles()) {
    const cached = await cache.match(new URL(file, scope).href);
    if (cached && (await isIntact(file, cached))) continue;
    await fetchIntoCache(cache, file, "reload").then(
      () => (result.repaired += 1),
      () => (result.lost += 1),
    );
  }
  return result;
}

/**
 * Return a file from the cache, else from the network. Small files are verified first; large ones are
 * only verified by `repair`, to avoid a delay.
 * @param {Request} request @param {string} file
 */
async function respond(request, file) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(new URL(file, scope).href);
  if (!(file in SUMS)) return cached ?? fetch(request);
  if (cached && (/^(data|pyodide)\//.test(file) || (await isIntact(file, cached)))) return cached;
  return fetchIntoCache(cache, file, "reload").catch(() => fetch(request));
}

addEventListener("install", (event) => event.waitUntil(fillCache()));
addEventListener("message", (event) => {
  if (event.data === "skipWaiting") skipWaiting();
  if (event.data === "repair") event.waitUntil(repair().then((result) => event.ports[0].postMessage(result)));
});
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
  event.respondWith(respond(event.request, address.href.slice(scope.href.length)));
});
