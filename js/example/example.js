/** Example page: play every rule set against the computer in a worker. */

import { Board, Engine, Rules, SearchError, loadRules, ruleSets } from "damka";
import "damka/element";

/** @typedef {import("damka").Limits} Limits */
/** @typedef {import("damka").Result} Result */
/** @typedef {import("damka").Move} Move */

/** @type {Record<string, Limits>} */
const STRENGTHS = {
  easy: { depth: 2, handicap: { noise: 60 } },
  quick: { ms: 600 },
  long: { ms: 5000 },
};

/** @type {Record<import("damka").Reason, string>} */
const REASONS = {
  no_pieces: "no pieces are left",
  no_moves: "there is no move left",
  breakthrough: "the first king decides",
  repetition: "the position has come up too often",
  same_move: "the same move was made too often",
  no_progress: "nothing has happened for too long",
  material: "neither side can win with these pieces",
};

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (element(id));
const view = /** @type {import("damka/element").BoardElement} */ (element("board"));
const form = /** @type {HTMLFormElement} */ (element("game"));
const fields = /** @type {Record<"rules" | "side" | "strength", HTMLSelectElement>} */ (/** @type {unknown} */ (form.elements));

const engine = new Engine({ weights: "bundled" });
let board = new Board(await loadRules("russian"));
/** @type {import("damka").Side} */
let you = "W";
let games = 0;

function named(/** @type {import("damka").Side} */ side) {
  const [white, black] = board.rules.parameters.colours;
  const name = side === "W" ? white : black;
  return name[0].toUpperCase() + name.slice(1);
}

/** @param {Result} result */
const resultText = ({ winner, reason }) => `${winner ? `${named(winner)} wins` : "A draw"}: ${REASONS[reason]}.`;

/** @param {string} [status] */
function write(status) {
  const { result } = board;
  const captures = board.legalMoves.some((move) => move.isCapture);
  const turn = board.turn === you ? `Your move${captures ? ": you can capture" : ""}.` : "The computer is thinking…";
  element("status").textContent = status ?? (result ? resultText(result) : turn);
  const items = [];
  for (let i = 0; i < board.moves.length; i += 2) {
    const item = document.createElement("li");
    item.textContent = board.moves.slice(i, i + 2).map((move) => move.notation).join("  ");
    items.push(item);
  }
  element("moves").replaceChildren(...items);
  const mine = board.turn === you;
  button("undo").disabled = board.moveCount < (mine ? 2 : 1);
  button("hint").disabled = !mine || board.isOver;
}

/** Make a move and let the computer reply. @param {Move} move @param {boolean} offence */
async function play(move, offence = false) {
  board.push(move, { offence });
  write();
  await view.show(board);
  await answer();
}

/** Let the computer move, if it is its turn. */
async function answer() {
  if (board.turn === you || board.isOver) return write();
  const game = games;
  write();
  try {
    const analysis = await engine.search(board, STRENGTHS[fields.strength.value]);
    if (game === games && analysis.move) await play(analysis.move);
  } catch (error) {
    // Ignore a stopped search: the user has changed the game.
    if (!(error instanceof SearchError && error.code === "stopped")) write(String(error));
  }
}

async function start() {
  games += 1;
  engine.stop();
  board = new Board(await loadRules(fields.rules.value));
  you = fields.side.value === "B" ? "B" : "W";
  view.player = you;
  view.flipped = you === "B";
  const title = board.rules.title();
  document.title = `${title} draughts`;
  await view.show(board, { animate: false });
  await answer();
}

view.addEventListener("move", ({ detail: { move, offence } }) => void play(move, offence));
view.addEventListener("attempt", () => write("That is not a legal move."));
view.addEventListener("huff", ({ detail: { square } }) => {
  board.huff(square);
  void view.show(board);
  write("Huffed. Now your move.");
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void start();
});
button("flip").addEventListener("click", () => (view.flipped = !view.flipped));
button("undo").addEventListener("click", () => {
  games += 1;
  engine.stop();
  do board.pop();
  while (board.turn !== you && board.moveCount);
  void view.show(board).then(answer);
});
button("hint").addEventListener("click", async () => {
  const game = games;
  const at = board.moveCount;
  const { move } = await engine.search(board, { ms: 500 });
  if (game === games && at === board.moveCount) view.hint(move);
});

const titles = ruleSets.map((name) => ({ name, title: new Rules({ base: name }).title() }));
titles.sort((one, two) => one.title.localeCompare(two.title));
fields.rules.append(...titles.map(({ name, title }) => new Option(title, name, name === "russian", name === "russian")));
await start();
