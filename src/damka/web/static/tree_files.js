/** Trees from and to the server: games with variations, comments and marks. */

import { analysis } from "./analysis_board.js";
import { page, t } from "./i18n.js";
import { request } from "./transport.js";
import * as trees from "./tree_state.js";

const edit = /** @type {EditData} */ (page.edit);

/** @typedef {Partial<Omit<TreeNode, "id" | "parent">> & {pieces: string, turn: Side}} WireNode */
/** @typedef {{fen: string, tags: Record<string, string>, nodes: WireNode[], dropped?: number, at?: number}} WireTree */

/**
 * Snapshot of a tree from JSON values whose nodes name their children by index.
 * @param {WireTree} wire
 * @param {number} next id of the next new node
 * @returns {{tree: TreeSnapshot, next: number}}
 */
export function treeFrom({ fen, tags, nodes, at = 0 }, next) {
  const idOf = (/** @type {number} */ i) => (i ? next + i : trees.ROOT);
  const map = /** @type {TreeSnapshot["nodes"]} */ (new Map());
  const parents = new Map(nodes.flatMap(({ children = [] }, i) => children.map((child) => [child, i])));
  nodes.forEach((node, i) => {
    const parent = i ? idOf(parents.get(i) ?? 0) : 0;
    map.set(idOf(i), { ...trees.blank(), ...node, id: idOf(i), parent, children: (node.children ?? []).map(idOf) });
  });
  return { tree: { fen, tags, nodes: map, current: idOf(at) }, next: next + nodes.length };
}

/**
 * JSON values of the tree, the displayed node in `at`.
 * @param {TreeState} state
 * @param {boolean} whole whether to include what the rules say about the moves
 * @returns {WireTree}
 */
export function wireOf(state, whole) {
  const ids = [trees.ROOT];
  // The list grows: parents come before their children.
  for (let i = 0; i < ids.length; i++) ids.push(...trees.nodeOf(state, ids[i]).children);
  const indices = new Map(ids.map((id, i) => [id, i]));
  const nodes = ids.map((id) => {
    const { parent: _parent, id: _id, ...node } = trees.nodeOf(state, id);
    const children = node.children.map((child) => indices.get(child) ?? 0);
    const { key, before, comment, nags, marks, commands } = node;
    const kept = whole ? node : { key, before, comment, nags, marks, commands };
    const filled = Object.entries({ ...kept, children }).filter(([, value]) => value !== "" && value !== false && !(Array.isArray(value) && !value.length));
    return /** @type {WireNode} */ (Object.fromEntries(filled));
  });
  return { fen: state.fen, tags: state.tags, nodes, at: indices.get(state.current) ?? 0 };
}

/** Show a tree in place of the present one. @param {WireTree} wire */
export function load(wire) {
  const { tree, next } = treeFrom(wire, analysis.state.next);
  analysis.edit(trees.replace(analysis.state, tree, next));
}

/** Load a game of the server, or of this browser. @param {string} id @returns {Promise<string>} an error message, or "" */
export async function loadGame(id) {
  const { ok, data } = await request(`/api/games/${encodeURIComponent(id)}/tree?lang=${page.lang}`);
  if (!ok) return data?.message ?? t("offline");
  load(data.tree);
  return "";
}

/** The tree as PDN, with a name for its file, or an error. @returns {Promise<{ok: boolean, text: string, name: string}>} */
export async function pdn() {
  const { nodes, fen, tags } = wireOf(analysis.state, false);
  const body = JSON.stringify({ nodes, fen, tags });
  const { ok, data } = await request(`/api/tree/pdn?${edit.query}&lang=${page.lang}`, { body, type: "application/json" });
  return { ok, text: ok ? data.pdn : (data?.message ?? t("offline")), name: data?.name ?? "" };
}
