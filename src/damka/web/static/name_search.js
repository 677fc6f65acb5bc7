/** Finding a game by its name or an alias, in any language and any order. Pure functions. */

/** @param {string} text as it is compared: without marks on letters, in small letters, "10x10" as one word */
export const bare = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/(\d+)\s*[x×х*]\s*(\d+)/g, "$1x$2");

/**
 * Whether every word that is looked for begins a word of a text.
 * @param {string} text
 * @param {string} query
 */
export function finds(text, query) {
  const words = bare(text).split(/[^\p{L}\p{N}]+/u);
  return bare(query)
    .split(/[^\p{L}\p{N}]+/u)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}
