/** Fetches the files of Python and counts the bytes received. */

import { ASSETS } from "./assets.js";

/** @param {string} address seen from the static files */
export const at = (address) => new URL(address, import.meta.url).href;

/** @type {Map<string, {got: number, all: number}>} bytes as they are sent, by address */
const files = new Map();
let last = 0;
/** Milliseconds between two progress reports. */
const PACE = 150;
/** @type {(bytes: {got: number, all: number}) => void} */
let report = () => {};

/** Set the callback for progress. @param {typeof report} to */
export function reportTo(to) {
  report = to;
}

/** @param {boolean} [now] */
function told(now = false) {
  if (!now && performance.now() - last < PACE) return;
  last = performance.now();
  let [got, all] = [0, 0];
  for (const file of files.values()) {
    got += file.got;
    all += file.all;
  }
  report({ got, all });
}

/**
 * Fetch a file and report its progress.
 * @param {string} address one of `ASSETS.sizes`
 */
export async function counted(address) {
  const [bytes, sent] = ASSETS.sizes[address];
  const file = { got: 0, all: sent };
  files.set(address, file);
  const answer = await fetch(at(address));
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  // Count a copy: the browser needs the response itself to cache compiled code.
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.clone().body).getReader();
  const count = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      file.got = Math.min(sent, file.got + (part.value.length * sent) / bytes);
      told();
    }
    file.got = sent;
    told(true);
  };
  void count().catch(() => {});
  return answer;
}

/** Compile a WebAssembly file and report its progress. @param {string} address */
export async function compiled(address) {
  const answer = await counted(address);
  // Not every host sends the MIME type that streaming compilation requires.
  const typed = /^application\/wasm\b/.test(answer.headers.get("content-type") ?? "");
  return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
