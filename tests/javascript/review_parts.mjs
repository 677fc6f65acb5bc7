// Runs the pure parts of the page's review: `node review_parts.mjs STATIC` prints JSON.
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
/** @type {Record<string, string>} */
const kept = {};
/** Characters that fit into the storage. */
let room = Infinity;
globalThis.localStorage = /** @type {any} */ ({
  getItem: (key) => kept[key] ?? null,
  setItem(key, text) {
    if (text.length > room) throw new DOMException("full", "QuotaExceededError");
    kept[key] = text;
  },
});
globalThis.document = /** @type {any} */ ({ getElementById: () => ({ textContent: '{"strings": {}}' }) });

const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const { plyAfter, xOf, yOf } = await load("review_graph.js");
const { add, lineBefore } = await load("review_run.js");
const { store, stored } = await load("review_store.js");

const graph = {
  corners: [xOf(0, 41), xOf(40, 41), xOf(0, 1), yOf(1), yOf(0.5), yOf(0)],
  keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageDown", "PageUp", "a"].map((key) => plyAfter(key, 10, 40, [4, 10, 17])),
  ends: [plyAfter("ArrowLeft", 0, 40, []), plyAfter("ArrowRight", 40, 40, []), plyAfter("PageDown", 17, 40, [4, 17])],
};

const known = new Map();
const request = (nodes, lines, moves = null, ply = 3) => ({ ply, huff: null, nodes, lines, moves });
for (const each of [request(2500, 2), request(100, 1), request(600, 1, ["22-18"]), request(2500, 1, null, 4), request(5000, 2)]) {
  add(known, { request: each, evaluation: {} });
}

const line = { score: 40, table: false, moves: Array.from({ length: 12 }, (_, i) => `${i}`) };
const before = [3, -2, null].map((mate) => lineBefore("x", { ...line, mate }));

const review = (game, size = 10) => ({ game: `${game}`, language: "en", reader: null, review: { moments: [] }, evaluations: ["x".repeat(size)] });
const names = () => JSON.parse(kept["damka.reviews"]).map(({ game }) => game);
for (let game = 0; game < 25; game++) store(review(game));
store(review(7));
const latest = names();
store(review("large", 1_400_000));
const bounded = names();
room = 1000;
store(review("last"));
const full = names();
const found = [stored("last")?.game, stored("large")];
kept["damka.reviews"] = '[{"game": "last"}]';
const damaged = stored("last");

console.log(JSON.stringify({ graph, known: [...known.values()].map(({ request: { nodes, lines, moves, ply } }) => [nodes, lines, moves, ply]), before, latest, bounded, full, found, damaged }));
