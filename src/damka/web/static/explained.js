/** Refusals explain themselves in full once; the browser stores their kinds. */

import { recall, remember } from "./prefs.js";

const KEY = "damka.explained";

/**
 * Return a refusal without the text of its rule if one of its kind has been explained before.
 * @template {{code: string, more?: string | null}} T
 * @param {T} refusal
 * @returns {T}
 */
export function explainOnce(refusal) {
  /** @type {Record<string, boolean>} */
  const known = recall(KEY, {});
  if (known[refusal.code]) return { ...refusal, more: null };
  if (refusal.more) remember(KEY, { ...known, [refusal.code]: true });
  return refusal;
}
