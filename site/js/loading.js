/** Fetches the files of Python and counts the bytes received. */

import { ASSETS } from "./assets.js";

/** @param {string} address relative to the static files */
export const assetUrl = (address) => new URL(address, import.meta.url).href;

/** @type {Map<string, {got: number, all: number}>} compressed bytes, by address */
const files = new Map();
let last = 0;
/** Milliseconds between two progress reports. */
const REPORT_INTERVAL = 150;
/** @type {(bytes: {got: number, all: number}) => void} */
let report = () => {};

/** Set the progress callback. @param {typeof report} callback */
export function reportTo(callback) {
  report = callback;
}

/** @param {boolean} [now] */
function reportProgress(now = false) {
  if (!now && performance.now() - last < REPORT_INTERVAL) return;
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
export async function fetchCounted(address) {
  const [bytes, sent] = ASSETS.sizes[address];
  const file = { got: 0, all: sent };
  files.set(address, file);
  const response = await fetch(assetUrl(address));
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  // Count a clone: the browser caches compiled code only for the original response.
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.clone().body).getReader();
  const count = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      file.got = Math.min(sent, file.got + (part.value.length * sent) / bytes);
      reportProgress();
    }
    file.got = sent;
    reportProgress(true);
  };
  void count().catch(() => {});
  return response;
}

/** Compile a WebAssembly file and report its progress. @param {string} address */
export async function compileCounted(address) {
  const response = await fetchCounted(address);
  // Not every host sends the MIME type that streaming compilation requires.
  const isWasm = /^application\/wasm\b/.test(response.headers.get("content-type") ?? "");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
