/** Small live boards, drawn with the pieces of the game page. */

import { embedded } from "./transport.js";
import { paint, piece, svg } from "./pieces.js";
import { SQUARE } from "./shapes.js";

/**
 * @typedef {object} Board displayed state of a game
 * @property {string} pieces
 * @property {string} turn "W" or "B"; "" once it is over
 * @property {number} ply
 */

const data = /** @type {RulesData} */ (embedded("board-data"));

/** @param {string} pieces one character for each square */
function draw(pieces) {
  const [width, height] = [data.width * SQUARE, data.height * SQUARE];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  picture.append(svg("rect", { class: "rest", width, height }));
  data.cells.forEach(([row, column]) => {
    const [x, y] = [column * SQUARE, row * SQUARE];
    picture.append(svg("rect", { class: data.lined ? "play lined" : "play", x, y, width: SQUARE, height: SQUARE }));
  });
  data.cells.forEach(([row, column], i) => {
    if (pieces[i] === ".") return;
    const man = piece(pieces[i]);
    man.setAttribute("transform", `translate(${(column + 0.5) * SQUARE} ${(row + 0.5) * SQUARE})`);
    picture.append(man);
  });
  return picture;
}

/** Update the page's boards, by game id. @param {Record<string, Board>} boards */
export function show(boards) {
  for (const [id, board] of Object.entries(boards)) {
    const place = /** @type {HTMLElement | null} */ (document.querySelector(`[data-game="${CSS.escape(id)}"]`));
    const picture = place?.querySelector(".pic");
    if (!place || !picture) continue;
    if (place.dataset.pieces !== board.pieces) {
      place.dataset.pieces = board.pieces;
      paint(place, data.theme);
      picture.replaceChildren(draw(board.pieces));
    }
    place.querySelectorAll(".who").forEach((who, i) => who.toggleAttribute("data-turn", board.turn === (i ? "W" : "B")));
  }
}
