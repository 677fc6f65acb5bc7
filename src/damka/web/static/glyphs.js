/** Numeric annotation glyphs (NAGs) and their signs. */

import { page, t } from "./i18n.js";

/** @type {Record<number, string>} */
const SIGNS = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  7: "□",
  10: "=",
  11: "=",
  13: "∞",
  14: "+=",
  15: "=+",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
  22: "⨀",
  23: "⨀",
  32: "↑↑",
  36: "↑",
  40: "→",
  44: "=∞",
  132: "⇆",
  138: "⊕",
  140: "∆",
  146: "N",
};

/** Meaning of a glyph, or its sign if it has no text. @param {number} nag */
export function meaning(nag) {
  const { W: w, B: b } = /** @type {RulesData} */ (page.rules).colour_names;
  const key = `analysis.say.nag.${nag}`;
  return page.strings[key] ? t(key, { w, b }) : sign(nag);
}

/** Glyphs on offer, in the order of their buttons: of moves, of positions, others. */
export const OFFERED = [
  [1, 2, 3, 4, 5, 6, 7],
  [10, 13, 14, 15, 16, 17, 18, 19],
  [22, 36, 40, 132, 138, 140, 146],
];

/** Sign of a glyph, "$9" for one without. @param {number} nag */
export const sign = (nag) => SIGNS[nag] ?? `$${nag}`;
