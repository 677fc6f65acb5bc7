// Calls the functions below for the tests: `node in_node.mjs PACKAGE WASM` reads lines of JSON with
// a name and arguments, and writes each result as a line of JSON.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder, wasm] = process.argv;
const damka = await import(pathToFileURL(`${folder}/index.js`));
const { Board, DamkaError, Rules, SearchTable, init, loadRules, loadWeights, memoryBytes, ruleSets } = damka;
await init(wasm ? { wasm: pathToFileURL(`${folder}/${wasm}`) } : {});

/** A seeded random number generator, for reproducible games. */
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A position with too many captures to list. */
const COMPLEX =
  "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,K27,K29,K30,K31,K32,K33," +
  "K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";

const key = (move) => `${move.hub}${move.crowns ? "+" : ""}`;

/** The state of a board, except its moves. */
const boardState = (board) => [board.turn, board.pieces, board.result, board.counters.map(({ kind, n, limit }) => [kind, n, limit])];

/** Whether the squares of a move select it, or are ambiguous with other moves. */
function selects(board, move) {
  try {
    return board.parse(move.path) === move;
  } catch (error) {
    return error.code === "ambiguous" && error.moves.includes(move.text);
  }
}

/** The error thrown by `f`, as plain data; null if none. */
function thrown(f) {
  try {
    f();
    return null;
  } catch (error) {
    if (!(error instanceof DamkaError)) return { unexpected: String(error) };
    const { name, code, message, faults, at, moves } = error;
    return { name, code, message, faults, at, moves };
  }
}

const functions = {
  names: () => ruleSets,
  parameters: () => Object.fromEntries(ruleSets.map((name) => [name, new Rules({ base: name }).parameters])),
  perft: (depths) => depths.map(([name, depth]) => new Board(name).perft(depth)),

  /** Random games: for every ply the legal moves, the action, and the board's state after it. */
  games: (name, count, first, longest) =>
    Array.from({ length: count }, (_, i) => {
      const next = random(first + i);
      const board = new Board(name);
      const plies = [];
      while (!board.isOver && plies.length < longest) {
        const legal = board.legalMoves;
        const { offences } = board;
        const quiet = board.rules.parameters.obligation === "huff" && legal[0]?.isCapture ? board.quietMoves : [];
        const ply = { legal: legal.map(key), offences };
        if (offences.length && (!legal.length || next(2))) {
          ply.huff = offences[next(offences.length)];
          board.huff(ply.huff);
        } else {
          const offence = quiet.length > 0 && next(3) === 0;
          const move = offence ? quiet[next(quiet.length)] : legal[next(legal.length)];
          Object.assign(ply, { move: key(move), offence, path: move.path });
          board.push(move, { offence });
        }
        ply.state = boardState(board);
        plies.push(ply);
      }
      const end = board.fen;
      const moves = board.moveCount;
      const back = [];
      while (board.moveCount) back.push(key(board.pop()));
      return { plies, end, moves, back: back.reverse(), start: board.equals(new Board(name)) };
    }),

  /** Texts of the moves and positions of a random game. */
  texts: (name, seed, plies) => {
    const next = random(seed);
    const board = new Board(name);
    const found = [];
    for (let i = 0; i < plies && !board.isOver; i++) {
      const legal = board.legalMoves;
      found.push({
        fen: board.fen,
        labelled: board.fenWith({ labels: true }),
        again: new Board(name, board.fen).equals(new Board(name, board.fenWith({ labels: true }), { labels: true })),
        moves: legal.map((move) => [key(move), move.text, move.notation, move.path, move.paths]),
        parsed: legal.every((move) => board.parse(move.text) === move),
        pathed: legal.every((move) => selects(board, move)),
        labels: legal.every((move) => board.parse(move.notation, { labels: true }) === move),
      });
      board.push(legal[next(legal.length)].text);
    }
    return found;
  },

  rules: (inputs) => inputs.map((input) => thrown(() => new Rules(input))),
  fens: (name, texts, labels) =>
    texts.map((text) => {
      const error = thrown(() => new Board(name, text, { labels }));
      return error ? [error.code, error.at ?? null, error.message] : new Board(name, text, { labels }).fen;
    }),
  moves: (name, fen, texts) =>
    texts.map((text) => {
      const board = fen ? new Board(name, fen) : new Board(name);
      const error = thrown(() => board.push(text));
      return error ? [error.name, error.code, error.message] : key(board.lastMove);
    }),

  search: async (name, moves, limits, learned, fen) => {
    const rules = await loadRules(name);
    const board = fen ? new Board(rules, fen) : new Board(rules);
    for (const move of moves) board.push(move);
    const weights = learned ? await loadWeights(rules) : undefined;
    const depths = [];
    const table = new SearchTable({ mb: 16 });
    const found = board.search({ ...limits, weights, table, onDepth: ({ depth }) => depths.push(depth) && limits.stop !== depth });
    table.free();
    return {
      depth: found.depth,
      nodes: found.nodes,
      lines: found.lines.map(({ score, mate, line }) => [score, mate, line.map(key)]),
      notation: found.line.map((move) => move.notation),
      depths,
    };
  },

  /** Results of a search that is stopped after some polls, and of one that continues from its table. */
  stopped: (name, polls) => {
    const board = new Board(name);
    const table = new SearchTable({ mb: 16 });
    let left = polls;
    const first = board.search({ ms: 60_000, table, shouldStop: () => --left < 0 });
    const second = board.search({ depth: first.depth, table });
    table.free();
    return { depth: first.depth, ms: first.ms, nodes: first.nodes, again: second.nodes };
  },

  failures: async () => {
    const rules = await loadRules("russian");
    const board = new Board(rules);
    const other = new Board("american", "W:W18:B14").legalMoves[0];
    const weights = await loadWeights(rules);
    const table = new SearchTable();
    table.free();
    const cases = {
      no_limit: () => board.search({}),
      depth: () => board.search({ depth: 0 }),
      nodes: () => board.search({ nodes: 0.5 }),
      ms: () => board.search({ ms: -1 }),
      lines: () => board.search({ depth: 1, lines: 0 }),
      handicap: () => board.search({ depth: 1, handicap: { noise: -1 } }),
      choices: () => board.search({ depth: 1, choices: [other] }),
      none: () => board.search({ depth: 1, choices: [] }),
      weights: () => new Board("international").search({ depth: 1, weights }),
      freed: () => board.search({ depth: 1, table }),
      perft: () => board.perft(61),
      hash: () => board.perft(2, { hashMb: 5000 }),
      square: () => board.pieceAt(33),
      pieces: () => Board.of(rules, "w", "W"),
      pieces_row: () => Board.of(rules, `w${".".repeat(31)}`, "W"),
      pop: () => board.pop(),
      huff: () => board.huff(1),
      unhuff: () => board.unhuff(),
      foreign: () => board.push(other),
      name: () => new Board("chess"),
      label: () => damka.label(rules, 99),
      complex: () => new Board("frisian", COMPLEX).legalMoves,
    };
    const found = Object.fromEntries(Object.entries(cases).map(([name, f]) => [name, thrown(f)]));
    for (const source of [new Uint8Array([1, 2, 3]), "./weights/none.weights"]) {
      const wrong = await loadWeights(rules, source).catch((error) => error);
      found[typeof source] = { name: wrong.name, code: wrong.code };
    }
    const missing = await loadRules("chess").catch((error) => error);
    found.load = { name: missing.name, code: missing.code };
    return found;
  },

  /** Memory of the kernel and of JavaScript, before and after many boards and rules. */
  memory: async (boards, sets) => {
    const settle = async () => {
      for (let i = 0; i < 5; i++) {
        globalThis.gc();
        await new Promise((done) => setTimeout(done, 20));
      }
      return [memoryBytes(), process.memoryUsage().heapUsed];
    };
    const play = (count) => {
      for (let i = 0; i < count; i++) {
        const board = new Board(ruleSets[i % ruleSets.length]);
        for (let ply = 0; ply < 6; ply++) board.push(board.legalMoves[0]);
        board.copy().pop();
      }
    };
    const make = (count, free) => {
      for (let i = 0; i < count; i++) {
        const rules = new Rules({ base: "russian", name: `r${i}` });
        new Board(rules);
        if (free) rules.free();
      }
    };
    play(500);
    make(500, true);
    const before = await settle();
    play(boards);
    make(sets, true);
    const after = await settle();
    const forgotten = [];
    for (let i = 0; i < sets; i += 500) {
      make(500, false);
      forgotten.push(await settle());
    }
    return { before, after, forgotten };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...rest] = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await functions[name](...rest))}\n`);
}
