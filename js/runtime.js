/** The kernel of this page, and its calls: bytes and numbers in, a number or bytes out, or an error. */

import { DamkaError } from "./errors.js";
import { Kernel, compile, hasSimd } from "./kernel.js";

/** Error codes of a call; `Code` in core/wasm/api.hpp. */
export const Code = {
  illegal: -5,
  tooComplex: -6,
  busy: -7,
  noMemory: -8,
  notPlayed: -9,
  damaged: -10,
  otherRules: -11,
};

/** Error of a kernel call, which callers translate. */
export class KernelError extends DamkaError {
  /** @param {number} number @param {string} reason */
  constructor(number, reason) {
    super("kernel", reason || `kernel error ${number}`);
    this.number = number;
  }
}

/** @type {Kernel | null} */
let kernel = null;
/** @type {Promise<void> | null} */
let opening = null;
/** @type {WebAssembly.Module | null} */
let module = null;

/**
 * @typedef {object} InitOptions
 * @property {URL | string | BufferSource | WebAssembly.Module} [wasm] the kernel, or its URL
 *   relative to the page; default: beside this module
 */

/**
 * Load the kernel: the SIMD module if the browser supports it, else the plain one. Repeated calls
 * have no effect; `loadRules` calls it too.
 * @param {InitOptions} [options]
 * @returns {Promise<void>}
 * @throws {DamkaError} "load" if it is not available
 */
export function init(options = {}) {
  opening ??= open(options.wasm).catch((error) => {
    opening = null;
    throw new DamkaError("load", `the kernel cannot be loaded: ${error instanceof Error ? error.message : error}`);
  });
  return opening;
}

/** @param {InitOptions["wasm"]} wasm */
async function open(wasm) {
  module = await compileModule(wasm ?? defaultWasm());
  kernel = await Kernel.open(module);
}

// Bundlers recognise this form, with a literal name.
const defaultWasm = () =>
  inPackage(hasSimd() ? new URL("./damka-simd.wasm", import.meta.url) : new URL("./damka.wasm", import.meta.url));

/** Folder of optimised dependencies in Vite's development server, which contains only modules. */
const OPTIMISED = "/.vite/deps/";

/** Whether this module is in that folder and its URLs were not rewritten, as Vite 8 does. */
export const isOptimised = () => new URL("./damka.wasm", import.meta.url).href.includes(OPTIMISED);

/** URL of a file of this package, even if its modules were moved. @param {URL} url */
export const inPackage = ({ href }) => new URL(href.replace(OPTIMISED, "/damka/"));

/** URL of the worker in the package, for optimised modules; hidden from bundlers. */
export const workerInPackage = () => new URL(import.meta.url.replace(/\/\.vite\/deps\/.*/, "/damka/search_worker.js"));

/** @param {NonNullable<InitOptions["wasm"]>} wasm @returns {Promise<WebAssembly.Module>} */
async function compileModule(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof wasm === "string" || wasm instanceof URL) {
    const address = resolveUrl(wasm);
    return address.protocol === "file:" ? WebAssembly.compile(await readLocalFile(address)) : compile(address);
  }
  return WebAssembly.compile(wasm);
}

/** Resolve a URL relative to the page; in Node.js to this module. @param {URL | string} source */
export const resolveUrl = (source) =>
  new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url);

/** Read a local file in Node.js. @param {URL} address @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function readLocalFile(address) {
  // Bundlers would follow an import.
  const { process } = /** @type {any} */ (globalThis);
  return new Uint8Array(await process.getBuiltinModule("node:fs/promises").readFile(address));
}

/** The compiled kernel: other workers pass it to `init`. @throws {DamkaError} "not_loaded" @returns {WebAssembly.Module} */
export function kernelModule() {
  if (!module) throw notLoaded();
  return module;
}

const notLoaded = () => new DamkaError("not_loaded", "the kernel is not loaded yet: await loadRules(…) or init()");

/** @returns {Kernel} */
function loadedKernel() {
  if (!kernel) throw notLoaded();
  return kernel;
}

/**
 * Call a kernel function; return its result.
 * @param {string} name @param {Uint8Array | null} data the input @param {number[]} numbers
 * @returns {number}
 * @throws {DamkaError} "too_complex", "no_memory", or a `KernelError`
 */
export function call(name, data, ...numbers) {
  const k = loadedKernel();
  const n = k.call(name, data, ...numbers);
  if (n >= 0) return n;
  if (n === Code.tooComplex) throw new DamkaError("too_complex", "the position has too many captures to list");
  if (n === Code.noMemory) throw new DamkaError("no_memory", "out of memory");
  const hasReason = n === Code.notPlayed || n === Code.damaged;
  throw new KernelError(n, hasReason ? new TextDecoder().decode(k.output(k.call("damka_output_size", null))) : "");
}

/**
 * Call a kernel function; return its output. Throws like `call`.
 * @param {string} name @param {Uint8Array | null} data @param {number[]} numbers
 */
export function callBytes(name, data, ...numbers) {
  return loadedKernel().output(call(name, data, ...numbers));
}

/**
 * Call a kernel function with a host for its requests; return its output.
 * @param {import("./kernel.js").Host} host
 * @param {string} name @param {Uint8Array | null} data @param {number[]} numbers
 */
export function callWithHost(host, name, data, ...numbers) {
  const k = loadedKernel();
  k.setHost(host);
  try {
    return callBytes(name, data, ...numbers);
  } finally {
    k.setHost();
  }
}

/** Allocate a large input for the next call. @param {number} n bytes */
export const input = (n) => loadedKernel().input(n);

/** Copy the first bytes of the output, for a host. @param {number} n */
export const output = (n) => loadedKernel().output(n);

/** Size of the kernel's memory in bytes. @returns {number} */
export const memoryBytes = () => kernel?.bytes ?? 0;

/** @type {FinalizationRegistry<number>} */
const handleRegistry = new FinalizationRegistry((handle) => kernel?.call("damka_free", null, handle));

/** Handle of a kernel object; `free` or garbage collection frees the object. */
export class Handle {
  #number;

  /** @param {number} number return value of the call that created the object */
  constructor(number) {
    this.#number = number;
    handleRegistry.register(this, number, this);
  }

  /** @throws {DamkaError} "freed" */
  get number() {
    if (!this.#number) throw new DamkaError("freed", "the object was freed");
    return this.#number;
  }

  free() {
    if (!this.#number) return;
    handleRegistry.unregister(this);
    loadedKernel().call("damka_free", null, this.#number);
    this.#number = 0;
  }
}
