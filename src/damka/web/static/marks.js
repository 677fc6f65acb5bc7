/** Board marks; they differ in shape as well as in colour. */

import { svg } from "./pieces.js";
import {
  ARROW_EDGE,
  ARROW_HEAD,
  ARROW_SHAFT,
  ARROW_SPREAD,
  ARROW_START,
  BRANCH_RADIUS,
  DOT_RADIUS,
  LAST_CORNERS,
  LAST_LINE,
  MUST_RADIUS,
  REFUSED,
  SQUARE,
} from "./shapes.js";

// Distance of the chosen square's outline from the edges of the square
const HELD_INSET = 4;

/**
 * @param {import("./layout.js").Layout} layout
 * @param {Marks} marks
 * @returns {{under: Element[], over: Element[], tip: Element[]}} below the pieces, around them, above all
 */
export function drawMarks(layout, marks) {
  /** @param {string} name @param {number} square @param {number} [inset] */
  const box = (name, square, inset = 0) => {
    const { x, y } = layout.corner(square);
    const side = SQUARE - 2 * inset;
    return svg("rect", { class: name, x: x + inset, y: y + inset, width: side, height: side });
  };
  /** Outline of a square, without the corner with its number. @param {string} name @param {number} at */
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
  return {
    under: [
      ...marks.last.flatMap((square) => [box("last", square), corners(layout.corner(square))]),
      ...(marks.held ? [box("held", marks.held, HELD_INSET)] : []),
      ...marks.routes.map((route) => svg("path", { class: "route", d: line(route.map((at) => layout.centre(at))) })),
    ],
    over: [
      ...rings("must", marks.must.filter((square) => square !== marks.held), MUST_RADIUS),
      ...rings("huffable", marks.huffable, MUST_RADIUS),
      ...(marks.huffed ? rings(`huffed ${marks.huffed.side.toLowerCase()}`, [marks.huffed.square], MUST_RADIUS) : []),
      ...rings("branch", marks.branches, BRANCH_RADIUS),
      ...(marks.home ? rings("home", [marks.home], MUST_RADIUS) : []),
      ...marks.ends.map(round(marks.offence ? "target offence" : "target", DOT_RADIUS)),
      ...marks.planned.flatMap((at) => [frame("planned edge", at), frame("planned", at)]),
      ...marks.noted.flatMap((at) => [frame("noted edge", at), frame("noted", at)]),
      ...marks.refused.flatMap((at) => [frame("refused edge", at), frame("refused", at)]),
    ],
    tip: marks.arrow.length > 1 ? arrow(marks.arrow.map((at) => layout.centre(at))) : [],
  };
}

/** Arrow from the rim of the piece along all legs. @param {number[][]} centres */
function arrow(centres) {
  const points = [towards(centres[0], centres[1], ARROW_START), ...centres.slice(1)];
  const [from, [x, y]] = points.slice(-2);
  const [dx, dy] = towards([0, 0], [x - from[0], y - from[1]], 1);
  const neck = [x - dx * ARROW_HEAD, y - dy * ARROW_HEAD];
  const side = [dy * ARROW_SPREAD, -dx * ARROW_SPREAD];
  const shaft = line([...points.slice(0, -1), [neck[0] + dx, neck[1] + dy]]);
  const head = `${line([[neck[0] - side[0], neck[1] - side[1]], [x, y], [neck[0] + side[0], neck[1] + side[1]]])}z`;
  return [
    svg(
      "g",
      { class: "arrow edge" },
      svg("path", { class: "shaft", d: shaft, "stroke-width": ARROW_SHAFT + ARROW_EDGE }),
      svg("path", { class: "head", d: head, "stroke-width": ARROW_EDGE }),
    ),
    svg(
      "g",
      { class: "arrow" },
      svg("path", { class: "shaft", d: shaft, "stroke-width": ARROW_SHAFT }),
      svg("path", { class: "head", d: head, "stroke-width": 0 }),
    ),
  ];
}

/** Point at `distance` from `a` towards `b`. @param {number[]} a @param {number[]} b @param {number} distance */
function towards(a, b, distance) {
  const share = distance / Math.hypot(b[0] - a[0], b[1] - a[1]);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** @param {number[][]} points */
const line = (points) => `M${points.map((point) => point.join(" ")).join("L")}`;

/** Three corners of a square; the fourth has the number. @param {{x: number, y: number}} corner */
function corners({ x, y }) {
  return svg("path", { class: "last-corners", d: `M${x} ${y}${LAST_CORNERS}`, "stroke-width": LAST_LINE });
}

/**
 * Letters below and digits beside an algebraic board.
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
