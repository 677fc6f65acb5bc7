// Replays recorded calls and compares the results; see `Recorder` in support.py.
import { Kernel } from "./kernel.js";

const sameBytes = (one, two) => one.length === two.length && one.every((byte, i) => byte === two[i]);

/** Returns the number of calls and the first calls with different results. */
export async function replay(wasm, calls) {
  const module = await WebAssembly.compileStreaming(fetch(wasm));
  const kernel = await Kernel.open(module);
  const file = new Uint8Array(await (await fetch(calls)).arrayBuffer());
  const view = new DataView(file.buffer);
  const text = new TextDecoder();
  const wrong = [];
  let count = 0;
  for (let at = 0; at < file.length; count++) {
    const name = text.decode(file.subarray(at + 1, at + 1 + file[at]));
    at += 1 + file[at];
    const size = view.getUint32(at, true);
    const data = file.subarray(at + 4, at + 4 + size);
    at += 4 + size;
    const numbers = [];
    for (let i = 0; i < file[at]; i++) numbers.push(view.getInt32(at + 1 + 4 * i, true));
    at += 1 + 4 * file[at];
    const expected = view.getInt32(at, true);
    const length = view.getUint32(at + 4, true);
    const recorded = file.subarray(at + 8, at + 8 + length);
    at += 8 + length;
    const n = kernel.call(name, data, ...numbers);
    const output = length && n > 0 ? kernel.output(n) : new Uint8Array();
    if (name === "damka_search") output.fill(0, 16, 24);
    if (n !== expected || !sameBytes(output, recorded)) wrong.push(`${count}: ${name} ${n} ${expected}`);
    if (wrong.length > 5) break;
  }
  return { count, wrong, bytes: kernel.bytes };
}
