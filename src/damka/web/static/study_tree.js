/** Texts of chapters: PDN from the tree of the page Analyse, and back. The rules do both. */

import { page } from "./i18n.js";
import { PDN } from "./study_store.js";
import { say } from "./study_text.js";
import { request } from "./transport.js";
import { treeFrom, wireOf } from "./tree_files.js";
import { ROOT } from "./tree_state.js";

const query = `${/** @type {EditData} */ (page.edit).query}&lang=${page.lang}`;

/** @typedef {import("./tree_files.js").WireTree} JsonTree */

/** JSON of a tree with what the page shows of each position, for `fromJson`. @param {TreeState} state */
export const toJson = (state) => wireOf(state, true);

/** State of the page with a tree. @param {JsonTree} tree @returns {TreeState} */
export function fromJson(tree) {
  const { tree: snapshot, next } = treeFrom(tree, ROOT + 1);
  return { ...snapshot, next, past: [], future: [] };
}

/** @template T @param {string} path @param {string | Blob} body @param {string} type @returns {Promise<StudyAnswer<T>>} */
async function send(path, body, type) {
  const { ok, data } = await request(`${path}?${query}`, { body, type });
  const { error = "offline", message = say("offline") } = data ?? {};
  return { ok, data, error: ok ? "" : error, message: ok ? "" : message };
}

/** The tree of a text. @param {string} text @returns {Promise<StudyAnswer<JsonTree>>} */
export async function treeOf(text) {
  /** @type {StudyAnswer<{tree: JsonTree}>} */
  const answer = await send("/api/tree", new Blob([text]), PDN);
  return { ...answer, data: answer.data?.tree };
}

/** The text of a tree. @param {TreeState} state @returns {Promise<StudyAnswer<string>>} */
export async function format(state) {
  const { nodes, fen, tags } = wireOf(state, false);
  /** @type {StudyAnswer<{pdn: string}>} */
  const answer = await send("/api/tree/pdn", JSON.stringify({ nodes, fen, tags }), "application/json");
  return { ...answer, data: answer.ok ? answer.data.pdn : "" };
}
