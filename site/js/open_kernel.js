/** The kernel of this site, as this browser can run it. */

import { ASSETS } from "./assets.js";
import { hasSimd } from "./kernel.js";
import { compiled } from "./loading.js";

export const kernelModule = () => compiled(hasSimd() ? ASSETS.simd : ASSETS.plain);
