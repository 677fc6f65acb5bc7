/** Unit tests of the tree of moves in the module `TREE_STATE`, run by test_tree_state.py. */

import assert from "node:assert/strict";
import { test } from "node:test";

const trees = await import(process.env.TREE_STATE ?? "");
const { ROOT } = trees;
const move = (key) => ({ key, text: key, pieces: "w..b", turn: "B" });
/** A tree with lines, each a text of keys from the start. */
const tree = (...lines) =>
  lines.reduce((state, line) => trees.add(state, ROOT, line.split(" ").map(move)), trees.begin("fen", "w..b", "W"));
/** The tree as nested text, and the key of the displayed node. */
const shape = (state) => {
  const write = (id) => {
    const { key, children } = trees.nodeOf(state, id);
    return children.length ? `${key}(${children.map(write).join(",")})` : key;
  };
  return [write(ROOT), trees.nodeOf(state).key];
};
const at = (state, ...keys) =>
  keys.reduce((id, key) => trees.nodeOf(state, id).children.find((child) => trees.nodeOf(state, child).key === key), ROOT);

test("moves are added once, and known ones followed", () => {
  const state = tree("a b c", "a x", "a b");
  assert.deepEqual(shape(state), ["(a(b(c),x))", "b"]);
  assert.deepEqual(trees.keysTo(state, at(state, "a", "b", "c")), ["a", "b", "c"]);
  assert.equal(state.past.length, 2, "following is no edit");
  assert.deepEqual(trees.lineAfter(state, at(state, "a")).map(({ key }) => key), ["b", "c"]);
  assert.deepEqual(shape(trees.add(state, at(state, "a"), [])), ["(a(b(c),x))", "a"]);
});

test("variations move up and down, and become the main line", () => {
  const state = tree("a", "b", "c d");
  const d = at(state, "c", "d");
  assert.equal(trees.variationOf(state, d), at(state, "c"));
  assert.equal(trees.variationOf(state, at(state, "a")), 0);
  assert.deepEqual(shape(trees.promote(state, d)), ["(a,c(d),b)", "d"]);
  assert.deepEqual(shape(trees.makeMain(state, d)), ["(c(d),a,b)", "d"]);
  assert.deepEqual(shape(trees.demote(state, at(state, "a"))), ["(b,a,c(d))", "d"]);
  assert.equal(trees.promote(state, at(state, "a")), state, "the main line cannot rise");
  assert.equal(trees.demote(state, d), state, "nor the last one sink");
  const deep = tree("a b", "a c", "x a", "x y");
  assert.deepEqual(shape(trees.makeMain(deep, at(deep, "x", "y")))[0], "(x(y,a),a(b,c))");
});

test("a removed move takes what follows, and the display goes back", () => {
  const state = tree("a b c", "a x");
  const removed = trees.remove(trees.goTo(state, at(state, "a", "b", "c")), at(state, "a", "b"));
  assert.deepEqual(shape(removed), ["(a(x))", "a"]);
  assert.equal(removed.nodes.size, 3);
  assert.deepEqual(shape(trees.remove(state, at(state, "a", "b"))), ["(a(x))", "x"], "elsewhere it stays");
  assert.equal(trees.remove(state, ROOT), state);
});

test("every edit is undone and redone with its place", () => {
  const start = tree("a b", "a x");
  const edits = [
    (state) => trees.annotate(state, at(state, "a"), { comment: "good" }),
    (state) => trees.toggleGlyph(state, at(state, "a"), 1),
    (state) => trees.toggleMark(state, at(state, "a"), ["G", 1, 4]),
    (state) => trees.makeMain(state, at(state, "a", "x")),
    (state) => trees.remove(state, at(state, "a")),
    (state) => trees.replace(state, trees.begin("other", "....", "B"), 99),
  ];
  const states = [start];
  for (const edit of edits) states.push(edit(states.at(-1)));
  let state = states.at(-1);
  const same = (one, other) => assert.deepEqual([one.nodes, one.tags, one.fen, one.current], [other.nodes, other.tags, other.fen, other.current]);
  for (const before of states.slice(0, -1).reverse()) same((state = trees.undo(state)), before);
  for (const after of states.slice(1)) same((state = trees.redo(state)), after);
  assert.equal(trees.redo(state), state);
  assert.equal(trees.undo(trees.begin("fen", "", "W")).past.length, 0);
  const branched = trees.toggleGlyph(trees.undo(state), ROOT, 10);
  assert.equal(branched.future.length, 0, "an edit ends redo");
});

test("glyphs and marks replace each other", () => {
  let state = tree("a");
  const id = at(state, "a");
  for (const nag of [1, 16, 140, 3]) state = trees.toggleGlyph(state, id, nag);
  assert.deepEqual(trees.nodeOf(state, id).nags, [3, 16, 140]);
  assert.deepEqual(trees.nodeOf(trees.toggleGlyph(state, id, 3), id).nags, [16, 140]);
  for (const mark of [["G", 1, 1], ["G", 1, 4], ["R", 1, 1]]) state = trees.toggleMark(state, id, mark);
  assert.deepEqual(trees.nodeOf(state, id).marks, [["G", 1, 4], ["R", 1, 1]]);
  assert.deepEqual(trees.nodeOf(trees.toggleMark(state, id, ["R", 1, 1]), id).marks, [["G", 1, 4]]);
  assert.equal(trees.annotate(state, id, { comment: "" }), state, "nothing has changed");
  const known = trees.complete(state, id, { offence: true });
  assert.deepEqual([known.past.length, trees.complete(known, id, { offence: true })], [state.past.length, known]);
});

test("a tree has limits", () => {
  const long = Array.from({ length: trees.MAX_DEPTH + 5 }, (_, i) => move(`${i}`));
  const state = trees.add(trees.begin("fen", "w", "W"), ROOT, long);
  assert.equal(trees.lineTo(state).length, trees.MAX_DEPTH);
  assert.ok(trees.isFull(state));
  assert.equal(trees.add(state, state.current, [move("more")]), state);
  let wide = trees.begin("fen", "w", "W");
  for (let i = 0; !trees.isFull(wide, ROOT); i++) {
    wide = trees.add(wide, ROOT, Array.from({ length: 900 }, (_, j) => move(`${i} ${j}`)));
  }
  assert.equal(wide.nodes.size, trees.MAX_NODES);
  assert.ok(wide.past.reduce((sum, { nodes }) => sum + nodes.size, 0) <= 400_000);
});

test("half-moves are counted from the first player", () => {
  const state = trees.begin("fen", "w..b", "B");
  assert.deepEqual([trees.offset(state, "B"), trees.offset(state, "W")], [0, 1]);
});
