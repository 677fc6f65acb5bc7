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
  no_moves: "there are no legal moves",
  breakthrough: "the first king wins",
  repetition: "the position was repeated too often",
  same_move: "the same move was repeated too often",
  no_progress: "too many moves without progress",
  move_limit: "the game has reached its last move",
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
let userSide = "W";
let gameNumber = 0;

function colourName(/** @type {import("damka").Side} */ side) {
  const [white, black] = board.rules.parameters.colours;
  const name = side === "W" ? white : black;
  return name[0].toUpperCase() + name.slice(1);
}

/** @param {Result} result */
const resultText = ({ winner, reason }) => `${winner ? `${colourName(winner)} wins` : "A draw"}: ${REASONS[reason]}.`;

/** @param {string} [status] */
function showStatus(status) {
  const { result } = board;
  const captures = board.legalMoves.some((move) => move.isCapture);
  const turn = board.turn === userSide ? `Your move${captures ? ": you can capture" : ""}.` : "The computer is thinking…";
  element("status").textContent = status ?? (result ? resultText(result) : turn);
  const items = [];
  for (let i = 0; i < board.moves.length; i += 2) {
    const item = document.createElement("li");
    item.textContent = board.moves.slice(i, i + 2).map((move) => move.notation).join("  ");
    items.push(item);
  }
  element("moves").replaceChildren(...items);
  const isUserTurn = board.turn === userSide;
  button("undo").disabled = board.moveCount < (isUserTurn ? 2 : 1);
  button("hint").disabled = !isUserTurn || board.isOver;
}

/** Make a move and let the computer reply. @param {Move} move @param {boolean} offence */
async function play(move, offence = false) {
  board.push(move, { offence });
  showStatus();
  await view.show(board);
  await replyIfComputer();
}

/** Let the computer move if it is to move. */
async function replyIfComputer() {
  if (board.turn === userSide || board.isOver) return showStatus();
  const game = gameNumber;
  showStatus();
  try {
    const analysis = await engine.search(board, STRENGTHS[fields.strength.value]);
    if (game === gameNumber && analysis.move) await play(analysis.move);
  } catch (error) {
    // Ignore a search stopped by a change of the game.
    if (!(error instanceof SearchError && error.code === "stopped")) showStatus(String(error));
  }
}

async function start() {
  gameNumber += 1;
  engine.stop();
  board = new Board(await loadRules(fields.rules.value));
  userSide = fields.side.value === "B" ? "B" : "W";
  view.player = userSide;
  view.flipped = userSide === "B";
  const title = board.rules.title();
  document.title = `${title} draughts`;
  await view.show(board, { animate: false });
  await replyIfComputer();
}

view.addEventListener("move", ({ detail: { move, offence } }) => void play(move, offence));
view.addEventListener("attempt", () => showStatus("That is not a legal move."));
view.addEventListener("huff", ({ detail: { square } }) => {
  board.huff(square);
  void view.show(board);
  showStatus("Huffed. Now your move.");
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void start();
});
button("flip").addEventListener("click", () => (view.flipped = !view.flipped));
button("undo").addEventListener("click", () => {
  gameNumber += 1;
  engine.stop();
  do board.pop();
  while (board.turn !== userSide && board.moveCount);
  void view.show(board).then(replyIfComputer);
});
button("hint").addEventListener("click", async () => {
  const game = gameNumber;
  const at = board.moveCount;
  const { move } = await engine.search(board, { ms: 500 });
  if (game === gameNumber && at === board.moveCount) view.hint(move);
});

const titles = ruleSets.map((name) => ({ name, title: new Rules({ base: name }).title() }));
titles.sort((one, two) => one.title.localeCompare(two.title));
fields.rules.append(...titles.map(({ name, title }) => new Option(title, name, name === "russian", name === "russian")));
await start();
