// Example of a page in TypeScript, checked by `tsc --strict` against the package's declarations.
import {
  Analysis,
  Board,
  DamkaError,
  Engine,
  FenError,
  Move,
  MoveError,
  Rules,
  RulesError,
  SearchError,
  SearchTable,
  formatFen,
  init,
  label,
  loadRules,
  loadWeights,
  memoryBytes,
  parameters,
  parseFen,
  ruleSets,
  squareOf,
  weightsFor,
  type Counter,
  type Limits,
  type Result,
  type RulesInput,
  type RulesParameters,
  type Side,
} from "damka";
import { BoardElement, type Chosen } from "damka/element";

await init({ wasm: new URL("https://example.org/damka.wasm") });
const rules: Rules = await loadRules("international");
const input: RulesInput = { base: "dama64", name: "mine", king_landing: "any", precedence: ["count", "value"] };
const mine = new Rules(input).with({ repetition: 0 });
const all: Readonly<RulesParameters> = mine.parameters;
const promotion: "stop" | "pass" | "go" = all.promotion;
// @ts-expect-error no such value
const wrong: RulesInput = { base: "dama64", king_range: "long" };
// @ts-expect-error the parameters are frozen
rules.parameters.width = 8;

const board = new Board(rules, "W:W31-50:B1-20", { labels: true });
const turn: Side = board.turn;
const legal: readonly Move[] = board.legalMoves;
const played: Move = board.push("32-28");
board.push(legal[0], { offence: true });
board.push([19, 23]);
const path: readonly number[] = played.path;
const square: number | undefined = played.captures[0];
const back: Move = board.pop();
const result: Result | null = board.result;
if (result) {
  const winner: Side | null = result.winner;
  const reason: "no_moves" | string = result.reason;
  console.log(winner, reason);
}
const counters: Counter[] = board.counters;
const piece: "w" | "b" | "W" | "B" | null = board.pieceAt(1);
const count: number = board.perft(3, { hashMb: 16 });
const key: bigint = board.key;
const copy: Board = board.copy().root();
// @ts-expect-error a move is not a plain object
new Board(rules).push({ from: 1, to: 2 });
// @ts-expect-error the list of moves is read-only
board.legalMoves.push(played);

const limits: Limits = { ms: 500, lines: 2, choices: [...legal] };
const weights = await loadWeights(rules, weightsFor(rules) ?? undefined);
const table = new SearchTable({ mb: 32 });
const analysis: Analysis = board.search({ ...limits, table, onDepth: ({ depth, score }) => depth < 8 && score < 100, ...(weights && { weights }) });
const best: Move | null = analysis.move;
const mate: number | null = analysis.lines[0].mate;
table.free();

const engine = new Engine({ weights: "bundled", hashMb: 8 });
const aborted = new AbortController();
try {
  const asynchronous: Analysis = await engine.search(board, { nodes: 1e6, signal: aborted.signal, onDepth: (analysis) => console.log(analysis.line) });
  console.log(asynchronous.ms);
} catch (error) {
  if (error instanceof SearchError || error instanceof MoveError) console.log(error.code);
  else if (error instanceof RulesError) console.log(error.faults.map(({ key, expected }) => `${key}: ${expected}`));
  else if (error instanceof FenError) console.log(error.at);
  else if (error instanceof DamkaError) throw error;
}
engine.stop();
engine.close();

const element: BoardElement = document.createElement("damka-board");
element.player = "WB";
element.flipped = true;
element.words = { cell_man: "{colour} Stein", colours: ["Weiß", "Schwarz"] };
element.addEventListener("move", ({ detail }) => {
  const { move, path, offence }: Chosen = detail;
  board.push(move, { offence });
  console.log(path, move.notation);
  void element.show(board, { animate: false });
});
element.addEventListener("attempt", ({ detail: { squares } }) => console.log(squares[0]));
element.addEventListener("huff", ({ detail: { square } }) => board.huff(square));
element.addEventListener("click", ({ clientX }) => console.log(clientX));
element.hint(best);
const firstBoard: BoardElement | null = document.querySelector("damka-board");
// @ts-expect-error a side is W or B
element.player = "white";

console.log(turn, promotion, wrong, square, back, path, counters, piece, count, key, copy, mate, firstBoard);
console.log(formatFen(rules, board.pieces, turn), parseFen(rules, "W:W1:B2"), label(rules, 1), squareOf(rules, "a1"));
console.log(ruleSets.length, parameters[0].key, memoryBytes());
