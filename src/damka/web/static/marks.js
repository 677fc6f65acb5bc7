/** The marks on the board; each differs by its shape as well as by its colour. */

import { svg } from "./pieces.js";
import { BRANCH_RADIUS, DOT_RADIUS, MUST_RADIUS, REFUSED, SQUARE } from "./shapes.js";

/**
 * @param {import("./layout.js").Layout} layout
 * @param {Marks} marks
 * @returns {{under: Element[], over: Element[], tip: Element[]}} below the pieces, around them, above all
 */
export function drawMarks(layout, marks) {
  /** @param {string} name @param {number} square */
  const box = (name, square) => svg("rect", { class: name, ...layout.corner(square), width: SQUARE, height: SQUARE });
  /** The outline of a square, without the corner that has its number. @param {string} name @param {number} at */
  const frame = (name, at) => {
    const { x, y } = layout.corner(at);
    return svg("path", { class: name, d: `M${x} ${y}${REFUSED}` });
  };
  /** @param {string} name @param {number} r @returns {(square: number) => Element} */
  const round = (name, r) => (square) => {
    const [cx, cy] = layout.centre(square);
    return svg("circle", { class: name, cx, cy, r, "data-to": square });
  };
  /** @param {string} name @param {number[]} squares @param {number} r with a dark edge, visible on any square */
  const rings = (name, squares, r) =>
    squares.flatMap((square) => [round(`${name} edge`, r)(square), round(name, r)(square)]);
  const path = marks.arrow.length > 1 && `M${marks.arrow.map((at) => layout.centre(at).join(" ")).join("L")}`;
  return {
    under: [
      ...marks.last.flatMap((square) => [box("last", square), corners(layout.corner(square))]),
      ...(marks.held ? [box("held", marks.held)] : []),
    ],
    over: [
      ...rings("must", marks.must.filter((square) => square !== marks.held), MUST_RADIUS),
      ...rings("huffable", marks.huffable, MUST_RADIUS),
      ...(marks.huffed ? rings(`huffed ${marks.huffed.side.toLowerCase()}`, [marks.huffed.square], MUST_RADIUS) : []),
      ...rings("branch", marks.branches, BRANCH_RADIUS),
      ...marks.ends.map(round(marks.offence ? "target offence" : "target", DOT_RADIUS)),
      ...marks.refused.flatMap((at) => [frame("refused edge", at), frame("refused", at)]),
    ],
    tip: path
      ? [
          svg("path", { class: "arrow edge", d: path }),
          svg("path", { class: "arrow", d: path }),
          arrowHead(...marks.arrow.slice(-2).map((at) => layout.centre(at))),
        ]
      : [],
  };
}

/** At the end of the last leg. @param {number[][]} leg */
function arrowHead(...[[fromX, fromY], [x, y]]) {
  const turn = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  return svg("path", { class: "arrow-head", d: "M26 0L-18 -25V25Z", transform: `translate(${x} ${y}) rotate(${turn})` });
}

/** Three corners of a square; the fourth has its number. @param {{x: number, y: number}} corner */
function corners({ x, y }) {
  const d = `M${x + 82} ${y + 4}h14v14M${x + 4} ${y + 82}v14h14M${x + 82} ${y + 96}h14v-14`;
  return svg("path", { class: "last-corners", d });
}

/**
 * The letters under and the digits beside an algebraic board.
 * @param {string[][]} rim letters from the left, digits from the top
 * @param {boolean} flipped
 * @param {number} margin
 */
export function coordinates(rim, flipped, margin) {
  const [files, ranks] = rim.map((names) => (flipped ? [...names].reverse() : names));
  /** @param {number} x @param {number} y @param {string} text */
  const text = (x, y, text) => {
    const element = svg("text", { x, y });
    element.textContent = text;
    return element;
  };
  const middle = (/** @type {number} */ i) => (i + 0.5) * SQUARE;
  return [
    ...files.map((file, i) => text(middle(i), ranks.length * SQUARE + margin * 0.75, file)),
    ...ranks.map((rank, i) => text(-margin / 2, middle(i) + margin * 0.25, rank)),
  ];
}
