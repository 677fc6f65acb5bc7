/**
 * Embedded data of the page, and its sentences in the player's language.
 */

import { embedded } from "./transport.js";

export const page = /** @type {PageData} */ (embedded("page"));

/**
 * Return the sentence of `key` with its {placeholders} filled.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = page.strings[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
