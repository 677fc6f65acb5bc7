/**
 * Python: Pyodide with compiled code instead of its standard library's sources, whose compilation
 * would dominate the startup time. Modules that a first game does not need are loaded later.
 */

import { ASSETS } from "./assets.js";
import { assetUrl, compileCounted, fetchCounted } from "./loading.js";

const FOLDER = "/python";
const BLOCK = 512; // block size of tar, in bytes
const ENGINE = `${ASSETS.pyodide}pyodide.asm.wasm`;

/** Decompress a response. @param {Promise<Response>} fetching */
async function decompress(fetching) {
  const body = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await fetching).body);
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

/** Yield the files of a tar archive. @param {Uint8Array} tar @returns {Generator<[string, Uint8Array]>} */
function* filesIn(tar) {
  const text = (/** @type {number} */ from, /** @type {number} */ to) =>
    new TextDecoder().decode(tar.subarray(from, to)).split("\0", 1)[0];
  for (let head = 0; tar[head]; ) {
    const start = head + BLOCK;
    const size = parseInt(text(head + 124, head + 136), 8);
    yield [text(head, head + 100), tar.subarray(start, start + size)];
    head = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** @param {any} files Pyodide's file system @param {Uint8Array} tar */
function unpack(files, tar) {
  const folders = new Set();
  for (const [name, data] of filesIn(tar)) {
    const path = `${FOLDER}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    files.writeFile(path, data, { canOwn: true });
  }
}

/** Fetch the second archive synchronously, for an import that needs it now. */
function fetchRestNow() {
  const request = new XMLHttpRequest();
  request.open("GET", assetUrl(ASSETS.more), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${ASSETS.more}: ${request.status}`);
  return new Uint8Array(request.response);
}

/** Prefetch the engine, which Pyodide would fetch only after its scripts. */
function startEngine() {
  const engine = compileCounted(ENGINE);
  engine.catch(() => {}); // reported by the caller
  const originalFetch = self.fetch;
  const address = assetUrl(ENGINE);
  self.fetch = (input, options) => (String(input) === address ? Promise.resolve(new Response()) : originalFetch(input, options));
  return engine;
}

/**
 * Start Python, with the packages of the site.
 * @param {Promise<string>} language language of the texts to load
 * @returns {Promise<{pyodide: any, loadRest: () => Promise<void>}>} Pyodide, and a function that loads
 * the rest
 */
export async function startPython(language) {
  const engine = startEngine();
  const archives = Promise.all([
    decompress(fetchCounted(ASSETS.python)),
    language.then((chosen) => decompress(fetchCounted(ASSETS.texts[chosen]))),
  ]);
  archives.catch(() => {}); // reported below
  /** Rejects if a file is missing or damaged; Pyodide would wait forever. @type {Promise<never>} */
  const broken = new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      const started = engine.then(async (module) => ({ module, instance: await WebAssembly.instantiate(module, imports) }));
      started.catch(reject);
      return started;
    };
  });
  const start = async () => {
    const { loadPyodide } = await import(assetUrl(`${ASSETS.pyodide}pyodide.mjs`));
    return loadPyodide({
      indexURL: assetUrl(ASSETS.pyodide),
      lockFileContents: ASSETS.packages,
      stdLibURL: assetUrl(ASSETS.stdlib),
      env: { HOME: "/home/pyodide", PYTHONPATH: FOLDER },
      fsInit: async (/** @type {any} */ files) => {
        for (const tar of await archives) unpack(files, tar);
      },
    });
  };
  const pyodide = await Promise.race([start(), broken]);
  const add = (/** @type {Uint8Array} */ tar) => unpack(pyodide.FS, tar);
  const finder = pyodide.pyimport("lazy_modules").in_worker(fetchRestNow, add);
  /** @type {Promise<void> | null} */
  let loadingRest = null;
  const fetchRest = async () => {
    add(await decompress(fetchChecked(ASSETS.more)));
    finder.mark_loaded();
  };
  const loadRest = () => {
    loadingRest ??= fetchRest();
    loadingRest.catch(() => (loadingRest = null));
    return loadingRest;
  };
  return { pyodide, loadRest };
}

/** @param {string} address */
async function fetchChecked(address) {
  const response = await fetch(assetUrl(address));
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  return response;
}
