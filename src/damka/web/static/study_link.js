/** A whole study in the fragment of a link, compressed, for studies that no server shares. */

/** Longest link that mail programs and chats leave whole. */
const MAX_LENGTH = 7500;
/** Bytes of a study in a link; a compressed text may be much larger than its link. */
const MAX_BYTES = 400_000;
const PREFIX = "#s=";

/** @param {Uint8Array} bytes */
const toText = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** @param {string} text */
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** @param {Blob} blob @param {ReadableWritablePair} stream @returns {Promise<Uint8Array>} at most MAX_BYTES */
async function through(blob, stream) {
  const reader = blob.stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MAX_BYTES) throw new RangeError("the study is too large");
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Fragment of a link with a study; "" if it would be too long. @param {StudyData} study */
export async function encode({ title, chapters }) {
  if (!("CompressionStream" in globalThis)) return "";
  const list = chapters.map(({ title: name = "", query, game, pdn }) => [name, query, game, pdn]);
  const text = new Blob([JSON.stringify([title, list])]);
  const packed = await through(text, new CompressionStream("deflate-raw")).catch(() => null);
  const fragment = packed && PREFIX + toText(packed);
  return fragment && fragment.length <= MAX_LENGTH ? fragment : "";
}

/** The study of a fragment, without an id; null for a missing or damaged one. @param {string} fragment @returns {Promise<StudyData | null>} */
export async function decode(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const packed = new Blob([toBytes(fragment.slice(PREFIX.length))]);
    const text = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
    const [title, list] = JSON.parse(text);
    const chapters = list.map((/** @type {unknown[]} */ fields, /** @type {number} */ i) => {
      const [name, query, game, pdn] = fields.map(String);
      // Only parameters of rules belong into addresses.
      if (!/^(base=[a-z0-9-]+|r=[A-Za-z0-9._~-]+)$/.test(query)) throw new Error("invalid rules");
      return { id: String(i), title: name, query, game, pdn };
    });
    if (!chapters.length) return null;
    return { id: "", title: String(title), own: false, share: null, updated: "", chapters };
  } catch {
    return null;
  }
}
