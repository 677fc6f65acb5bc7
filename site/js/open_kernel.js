/** Opens the kernel in the variant that this browser supports. */

import { ASSETS } from "./assets.js";
import { hasSimd } from "./kernel.js";
import { compileCounted } from "./loading.js";

export const kernelModule = () => compileCounted(hasSimd() ? ASSETS.simd : ASSETS.plain);
