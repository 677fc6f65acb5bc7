// The kernel as WebAssembly: calls, input and output, as documented in core/wasm.
//
// Calls are synchronous: run searches in a worker, and stop them with `terminate()`.

/** Callback for the kernel's requests during a call; see `HostRequest` in core/wasm/api.hpp.
 * @typedef {(request: number, n: number) => number} Host */

/** Default host. @type {Host} */
const defaultHost = (request) => (request === 3 ? -1 : 0);

// A module with a vector instruction, which a browser without SIMD rejects.
const WITH_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

/** Whether this browser supports SIMD. */
export const hasSimd = () => WebAssembly.validate(WITH_SIMD);

/** Fetch and compile the kernel's module. @param {URL | string} address */
export async function compile(address) {
  // Not every host sends the MIME type that streaming compilation requires.
  return WebAssembly.compileStreaming(fetch(address)).catch(async () => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  });
}

export class Kernel {
  #calls = /** @type {Record<string, (...numbers: number[]) => number>} */ ({});
  #memory = /** @type {WebAssembly.Memory} */ ({});
  /** @type {Host} */
  #host = defaultHost;

  /** @param {WebAssembly.Module} module */
  static async open(module) {
    const kernel = new Kernel();
    const instance = await WebAssembly.instantiate(module, kernel.#imports());
    kernel.#start(instance.exports);
    return kernel;
  }

  /** @param {WebAssembly.Exports} exports */
  #start(exports) {
    this.#calls = /** @type {any} */ (exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#calls._initialize();
  }

  #imports() {
    const clockTimeGet = (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
      const time = BigInt(Math.round(performance.now() * 1e6));
      new DataView(this.#memory.buffer).setBigUint64(at, time, true);
      return 0;
    };
    const notSupported = () => 52; // no file system
    return {
      damka: { ask: (/** @type {number} */ request, /** @type {number} */ n) => this.#host(request, n) },
      wasi_snapshot_preview1: {
        clock_time_get: clockTimeGet,
        fd_close: notSupported,
        fd_seek: notSupported,
        fd_write: notSupported,
      },
    };
  }

  /** Set the host, or restore the default one. @param {Host} [host] */
  setHost(host) {
    this.#host = host ?? defaultHost;
  }

  /** Write the input. @param {Uint8Array} data */
  write(data) {
    this.input(data.length).set(data);
  }

  /** Allocate an input buffer; it is invalid after the next call or allocation.
   * @param {number} n bytes */
  input(n) {
    const at = this.#calls.damka_input(n);
    if (!at) throw new RangeError("the kernel cannot allocate the input");
    return new Uint8Array(this.#memory.buffer, at, n);
  }

  /** Call a kernel function; return its result, an error code if negative.
   * @param {string} name
   * @param {Uint8Array | null | undefined} data the input
   * @param {number[]} numbers */
  call(name, data, ...numbers) {
    if (data?.length) this.write(data);
    return this.#calls[name](...numbers);
  }

  /** Return a copy of the first `n` bytes of the output. @param {number} n */
  output(n) {
    return new Uint8Array(this.#memory.buffer, this.#calls.damka_output(), n).slice();
  }

  /** Size of the kernel's memory in bytes. */
  get bytes() {
    return this.#memory.buffer.byteLength;
  }
}
