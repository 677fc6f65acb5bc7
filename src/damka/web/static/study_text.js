/** Data of the pages of studies, and their sentences. */

import { embedded } from "./transport.js";

export const data = /** @type {StudyPageData} */ (embedded("study"));

// The page Analyse is rendered without the account.
const dialog = document.getElementById("saving-study");
if (dialog) data.account = Boolean(dialog.dataset.account);

const plurals = new Intl.PluralRules(document.documentElement.lang);

/**
 * Return the sentence of `key` with its {placeholders} filled; with the plural form for `n`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  const form = typeof values.n === "number" ? `.${plurals.select(values.n)}` : "";
  const name = `study.say.${key}`;
  const text = data.strings[name + form] ?? data.strings[`${name}.other`] ?? data.strings[name] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, placeholder) => String(values[placeholder] ?? whole));
}

/** Title of a chapter's rules. @param {StudyChapter} chapter */
export const gameOf = ({ query, game }) => data.games[query] ?? game;

/** Title of a chapter. @param {StudyChapter} chapter @param {number} i its place */
export const titleOf = ({ title }, i) => title || say("chapter", { number: i + 1 });
