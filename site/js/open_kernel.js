/** The kernel of this site, as this browser can run it. */

import { ASSETS } from "./assets.js";
import { Kernel, hasSimd } from "./kernel.js";

export async function openKernel() {
  const address = new URL(hasSimd() ? ASSETS.simd : ASSETS.plain, import.meta.url);
  // Not every host gives the type that compiling from a stream needs.
  const module = await WebAssembly.compileStreaming(fetch(address)).catch(async () =>
    WebAssembly.compile(await (await fetch(address)).arrayBuffer()),
  );
  return Kernel.open(module);
}
