/**
 * The data that the server embeds in the page, and the page's sentences in the player's language.
 */

/** @param {string} id */
export function embedded(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

export const page = /** @type {PageData} */ (embedded("page"));

/**
 * Return the sentence of `key` with its {placeholders} filled.
 * @param {string} key without the leading "page."
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = page.strings[`page.${key}`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
