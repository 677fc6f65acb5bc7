/** Files of weights for the search's evaluation, as `damka.engine.weights.file` describes them. */

const MAGIC = "damka weights 1";
const MARGINS = { probcut: 30, probcut_per_ply: 8, lmr_base: 80, lmr_scale: 55 };

/**
 * Unpack a file of weights: the input of the kernel's `damka_weights`, and its two numbers.
 * @param {Uint8Array} file
 * @returns {Promise<{data: Uint8Array, step: number, full: number}>}
 * @throws {Error} for what is no whole file of weights
 */
export async function unpack(file) {
  const first = file.indexOf(10) + 1;
  const second = file.indexOf(10, first) + 1;
  const text = new TextDecoder();
  if (!first || !second || text.decode(file.subarray(0, first - 1)) !== MAGIC) throw new Error("this is no file of weights");
  const { step, full_board: full, numbers, margins } = JSON.parse(text.decode(file.subarray(first, second)));
  const packed = /** @type {Uint8Array<ArrayBuffer>} */ (file.subarray(second));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (planes.length !== 2 * numbers) throw new Error("the file of weights is not whole");
  const data = new Uint8Array(16 + planes.length);
  const { probcut, probcut_per_ply: more, lmr_base: base, lmr_scale: scale } = { ...MARGINS, ...margins };
  new Int32Array(data.buffer, 0, 4).set([probcut, more, base, scale]);
  const quarter = planes.length / 4;
  for (let plane = 0; plane < 4; plane++) {
    for (let i = 0, from = plane * quarter, to = 16 + plane; i < quarter; i++, to += 4) data[to] = planes[from + i];
  }
  return { data, step, full };
}
