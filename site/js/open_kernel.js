/** The kernel of this site, as this browser can run it. */

import { ASSETS } from "./assets.js";
import { compile, hasSimd } from "./kernel.js";

/** @returns {Promise<WebAssembly.Module>} */
export const kernelModule = () => compile(new URL(hasSimd() ? ASSETS.simd : ASSETS.plain, import.meta.url));
