/** Weight files of the evaluation, as documented in `damka.engine.weights.file`. */

const MAGIC = "damka weights 1";
const MARGINS = { probcut: 30, probcut_per_ply: 8, lmr_base: 80, lmr_scale: 55 };

/**
 * Decode a weight file: its parameters, and a function that writes the `size` bytes of the input of
 * `damka_weights`. It writes directly to the kernel's memory, to save memory on phones.
 * @param {Uint8Array} file
 * @returns {Promise<{size: number, step: number, full: number, write: (input: Uint8Array) => void}>}
 * @throws {Error} for an invalid or incomplete weight file
 */
export async function unpack(file) {
  const first = file.indexOf(10) + 1;
  const second = file.indexOf(10, first) + 1;
  const text = new TextDecoder();
  if (!first || !second || text.decode(file.subarray(0, first - 1)) !== MAGIC) throw new Error("not a weight file");
  const { step, full_board: full, numbers, margins } = JSON.parse(text.decode(file.subarray(first, second)));
  const packed = /** @type {Uint8Array<ArrayBuffer>} */ (file.subarray(second));
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > 2 * numbers) break;
  }
  if (size !== 2 * numbers) throw new Error("incomplete weight file");
  const { probcut, probcut_per_ply: more, lmr_base: base, lmr_scale: scale } = { ...MARGINS, ...margins };
  const write = (/** @type {Uint8Array} */ input) => {
    const view = new DataView(input.buffer, input.byteOffset);
    [probcut, more, base, scale].forEach((margin, i) => view.setInt32(4 * i, margin, true));
    // Byte planes: the first bytes of all numbers, then the second bytes.
    const quarter = size / 4;
    let plane = 0;
    let i = 0;
    for (const part of parts) {
      for (const byte of part) {
        input[16 + plane + 4 * i] = byte;
        if (++i === quarter) [i, plane] = [0, plane + 1];
      }
    }
  };
  return { size: 16 + size, step, full, write };
}
