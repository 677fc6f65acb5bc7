/**
 * The tree of moves on the page Analyse, with undo and redo. Pure functions: each returns a new
 * state, or the same one if nothing changes. The rules decide elsewhere which moves are possible.
 */

export const ROOT = 1;
/** Limits of a tree, as on the server. */
export const MAX_NODES = 20_000;
export const MAX_DEPTH = 1000;
export const MAX_COMMENT = 4000;
/** Snapshots that can be undone, and the greatest number of nodes in all of them. */
const MAX_UNDO = 200;
const MAX_UNDO_NODES = 400_000;

/** @type {Omit<TreeNode, "id" | "parent" | "pieces" | "turn">} */
const BLANK = {
  children: [],
  key: "",
  text: "",
  route: [],
  captures: [],
  crowns: false,
  before: "",
  comment: "",
  nags: [],
  marks: [],
  commands: "",
};

/** @typedef {Partial<TreeNode> & {pieces: string, turn: Side}} NewNode */

/** Fields of a node without a move. */
export const blank = () => ({ ...BLANK });

/** A tree without moves. @param {string} fen @param {string} pieces @param {Side} turn @returns {TreeState} */
export function begin(fen, pieces, turn) {
  const root = { ...BLANK, id: ROOT, parent: 0, pieces, turn };
  return { nodes: new Map([[ROOT, root]]), tags: {}, fen, current: ROOT, next: ROOT + 1, past: [], future: [] };
}

/** @param {TreeState} state @param {number} [id] the displayed node if omitted @returns {TreeNode} */
export const nodeOf = (state, id = state.current) => /** @type {TreeNode} */ (state.nodes.get(id) ?? state.nodes.get(ROOT));

/** Nodes from the first move to `id`. @param {TreeState} state @param {number} [id] */
export function lineTo(state, id = state.current) {
  const line = [];
  for (let node = nodeOf(state, id); node.parent; node = nodeOf(state, node.parent)) line.push(node);
  return line.reverse();
}

/** Keys of the moves from the start. @param {TreeState} state @param {number} [id] */
export const keysTo = (state, id) => lineTo(state, id).map(({ key }) => key);

/** Nodes that follow `id` in its line. @param {TreeState} state @param {number} id */
export function lineAfter(state, id) {
  const line = [];
  for (let node = nodeOf(state, id); node.children.length; ) line.push((node = nodeOf(state, node.children[0])));
  return line;
}

/** Half-moves before the first one of the game: 1 if the second player begins. @param {TreeState} state @param {Side} first */
export const offset = (state, first) => (nodeOf(state, ROOT).turn === first ? 0 : 1);

/** Show another node. @param {TreeState} state @param {number} id @returns {TreeState} */
export const goTo = (state, id) => (id === state.current || !state.nodes.has(id) ? state : { ...state, current: id });

/**
 * Record a change for undo.
 * @param {TreeState} state
 * @param {Partial<TreeState>} changes
 * @returns {TreeState}
 */
function commit(state, changes) {
  const { nodes, tags, fen, current } = state;
  const most = Math.max(10, Math.min(MAX_UNDO, Math.floor(MAX_UNDO_NODES / nodes.size)));
  return { ...state, ...changes, past: [...state.past, { nodes, tags, fen, current }].slice(-most), future: [] };
}

/** @param {TreeState} state @param {TreeNode[]} changed @returns {Map<number, TreeNode>} */
function withNodes({ nodes }, ...changed) {
  const copy = new Map(nodes);
  for (const node of changed) copy.set(node.id, node);
  return copy;
}

/**
 * Append moves to a node and show the last one. Moves that are there already are followed.
 * @param {TreeState} state
 * @param {number} parent
 * @param {NewNode[]} moves
 * @returns {TreeState}
 */
export function add(state, parent, moves) {
  let at = nodeOf(state, parent);
  let rest = moves;
  for (;;) {
    const child = at.children.find((id) => rest.length && nodeOf(state, id).key === rest[0].key);
    if (child === undefined) break;
    [at, rest] = [nodeOf(state, child), rest.slice(1)];
  }
  const depth = lineTo(state, at.id).length;
  rest = rest.slice(0, Math.max(0, Math.min(MAX_NODES - state.nodes.size, MAX_DEPTH - depth)));
  if (!rest.length) return goTo(state, at.id);
  const nodes = rest.map((move, i) => ({
    ...BLANK,
    ...move,
    id: state.next + i,
    parent: i ? state.next + i - 1 : at.id,
    children: i < rest.length - 1 ? [state.next + i + 1] : [],
  }));
  const parentNode = { ...at, children: [...at.children, state.next] };
  const next = state.next + nodes.length;
  return commit(state, { nodes: withNodes(state, parentNode, ...nodes), next, current: next - 1 });
}

/** Whether no more moves fit after a node. @param {TreeState} state @param {number} [id] */
export const isFull = (state, id) => state.nodes.size >= MAX_NODES || lineTo(state, id).length >= MAX_DEPTH;

/**
 * Change the comments, glyphs or marks of a node.
 * @param {TreeState} state
 * @param {number} id
 * @param {Partial<Pick<TreeNode, "before" | "comment" | "nags" | "marks">>} changes
 */
export function annotate(state, id, changes) {
  const node = nodeOf(state, id);
  const same = Object.entries(changes).every(
    ([name, value]) => JSON.stringify(node[/** @type {keyof TreeNode} */ (name)]) === JSON.stringify(value),
  );
  return same ? state : commit(state, { nodes: withNodes(state, { ...node, ...changes }) });
}

/** Complete a node with what the rules say; this cannot be undone. @param {TreeState} state @param {number} id @param {Partial<TreeNode>} facts @returns {TreeState} */
export function complete(state, id, facts) {
  const node = nodeOf(state, id);
  const same = Object.entries(facts).every(([name, value]) => node[/** @type {keyof TreeNode} */ (name)] === value);
  return same ? state : { ...state, nodes: withNodes(state, { ...node, ...facts }) };
}

/** Glyphs of which a move has only one: judgements of the move, and of the position. */
const GROUPS = [
  [1, 2, 3, 4, 5, 6, 7],
  [10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21],
];

/** Set or remove a glyph. @param {TreeState} state @param {number} id @param {number} nag */
export function toggleGlyph(state, id, nag) {
  const { nags } = nodeOf(state, id);
  const group = GROUPS.find((each) => each.includes(nag)) ?? [];
  const others = nags.filter((each) => each !== nag && !group.includes(each));
  return annotate(state, id, { nags: nags.includes(nag) ? others : [...others, nag].sort((a, b) => a - b) });
}

/** Set or remove a mark; a mark of another colour on the same squares is replaced. @param {TreeState} state @param {number} id @param {TreeMark} mark */
export function toggleMark(state, id, [colour, from, to]) {
  const { marks } = nodeOf(state, id);
  const others = marks.filter(([, start, end]) => start !== from || end !== to);
  const isThere = marks.some((mark) => mark.join() === [colour, from, to].join());
  return annotate(state, id, { marks: isThere ? others : [...others, /** @type {TreeMark} */ ([colour, from, to])] });
}

/**
 * Move a variation among its siblings.
 * @param {TreeState} state
 * @param {number} id
 * @param {(place: number) => number} to new place
 */
function shift(state, id, to) {
  const { parent } = nodeOf(state, id);
  if (!parent) return state;
  const { children } = nodeOf(state, parent);
  const place = children.indexOf(id);
  const target = Math.max(0, Math.min(children.length - 1, to(place)));
  if (target === place) return state;
  const others = children.filter((each) => each !== id);
  others.splice(target, 0, id);
  return commit(state, { nodes: withNodes(state, { ...nodeOf(state, parent), children: others }) });
}

/** First move of the variation that has `id`: the nearest one that is not a first continuation; 0 in the main line. @param {TreeState} state @param {number} id */
export function variationOf(state, id) {
  for (let node = nodeOf(state, id); node.parent; node = nodeOf(state, node.parent)) {
    if (nodeOf(state, node.parent).children[0] !== node.id) return node.id;
  }
  return 0;
}

/** Move the variation of a node one place up. @param {TreeState} state @param {number} id */
export const promote = (state, id) => shift(state, variationOf(state, id), (place) => place - 1);

/** Move the line of a node one place down, behind the next variation. @param {TreeState} state @param {number} id */
export function demote(state, id) {
  for (let node = nodeOf(state, id); node.parent; node = nodeOf(state, node.parent)) {
    const { children } = nodeOf(state, node.parent);
    if (children.length > 1) return shift(state, node.id, (place) => place + 1);
  }
  return state;
}

/** Make the line of a node the main line. @param {TreeState} state @param {number} id */
export function makeMain(state, id) {
  const changed = [];
  for (let node = nodeOf(state, id); node.parent; node = nodeOf(state, node.parent)) {
    const parent = nodeOf(state, node.parent);
    if (parent.children[0] === node.id) continue;
    changed.push({ ...parent, children: [node.id, ...parent.children.filter((each) => each !== node.id)] });
  }
  return changed.length ? commit(state, { nodes: withNodes(state, ...changed) }) : state;
}

/** Remove a move and all that follows; the one before it is shown if it was. @param {TreeState} state @param {number} id @returns {TreeState} */
export function remove(state, id) {
  const { parent } = nodeOf(state, id);
  if (!parent) return state;
  const before = nodeOf(state, parent);
  const nodes = withNodes(state, { ...before, children: before.children.filter((each) => each !== id) });
  const rest = [id];
  for (let each = rest.pop(); each; each = rest.pop()) {
    rest.push(...nodeOf(state, each).children);
    nodes.delete(each);
  }
  return commit(state, { nodes, current: nodes.has(state.current) ? state.current : parent });
}

/** Replace the tree. @param {TreeState} state @param {TreeSnapshot} tree @param {number} next id of the next new node @returns {TreeState} */
export const replace = (state, tree, next) => commit(state, { ...tree, next });

/** @param {TreeState} state @returns {TreeState} */
export function undo(state) {
  const before = state.past[state.past.length - 1];
  if (!before) return state;
  const { nodes, tags, fen, current } = state;
  return { ...state, ...before, past: state.past.slice(0, -1), future: [{ nodes, tags, fen, current }, ...state.future] };
}

/** @param {TreeState} state @returns {TreeState} */
export function redo(state) {
  const [after, ...future] = state.future;
  if (!after) return state;
  const { nodes, tags, fen, current } = state;
  return { ...state, ...after, past: [...state.past, { nodes, tags, fen, current }], future };
}

/**
 * Name of the player of a side in the tags, or "". PDN writes "?" for an unknown one.
 * @param {TreeState} state
 * @param {Side} side
 */
export function playerOf({ tags }, side) {
  const name = tags[side === "W" ? "White" : "Black"] ?? "";
  return /[^?. ]/.test(name) ? name : "";
}

/** Names of both players, White's first, or "" if neither is known. @param {TreeState} state */
export function playersOf(state) {
  const names = [playerOf(state, "W"), playerOf(state, "B")];
  return names.some(Boolean) ? names.map((name) => name || "?").join(" – ") : "";
}
