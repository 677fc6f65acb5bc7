/**
 * Python: Pyodide, with compiled code in place of its library's sources. Compiling these would take
 * most of the time until Python runs.
 */

import { ASSETS } from "./assets.js";

const FOLDER = "/python";
const BLOCK = 512; // bytes, of a tar archive

const at = (/** @type {string} */ address) => new URL(address, import.meta.url).href;

/** Fetch a deflated file. @param {string} address */
async function inflated(address) {
  const answer = await fetch(at(address));
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const stream = answer.body.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The files of a tar archive. @param {Uint8Array} tar @returns {Generator<[string, Uint8Array]>} */
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

/** Start Python, with the packages of the site. @returns {Promise<any>} Pyodide */
export async function startPython() {
  const archive = inflated(ASSETS.python);
  archive.catch(() => {}); // told below
  const { loadPyodide } = await import(at(`${ASSETS.pyodide}pyodide.mjs`));
  return loadPyodide({
    indexURL: at(ASSETS.pyodide),
    lockFileContents: ASSETS.packages,
    stdLibURL: at(ASSETS.stdlib),
    env: { HOME: "/home/pyodide", PYTHONPATH: FOLDER },
    fsInit: async (/** @type {any} */ files) => {
      const made = new Set();
      for (const [name, data] of filesIn(await archive)) {
        const path = `${FOLDER}/${name}`;
        const folder = path.slice(0, path.lastIndexOf("/"));
        if (!made.has(folder)) files.mkdirTree(folder);
        made.add(folder);
        files.writeFile(path, data, { canOwn: true });
      }
    },
  });
}
