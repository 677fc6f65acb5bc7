/** Search of games by name or alias, in any language and word order. Pure functions. */

/** Normalise for comparison: lower case, without accents, "10x10" as one word. @param {string} text */
export const normalise = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/(\d+)\s*[x×х*]\s*(\d+)/g, "$1x$2");

/**
 * Whether every word of the query is a prefix of a word of the text.
 * @param {string} text
 * @param {string} query
 */
export function matches(text, query) {
  const words = normalise(text).split(/[^\p{L}\p{N}]+/u);
  return normalise(query)
    .split(/[^\p{L}\p{N}]+/u)
    .every((prefix) => words.some((word) => word.startsWith(prefix)));
}
