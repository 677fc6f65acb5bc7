/** Opens the kernel in the variant that this browser supports. */

import { ASSETS } from "./assets.js";
import { hasSimd } from "./kernel.js";
import { compiled } from "./loading.js";

export const kernelModule = () => compiled(hasSimd() ? ASSETS.simd : ASSETS.plain);
