/** Small board that plays a line of the engine, over the page. */

import { piece, svg } from "./pieces.js";
import { SQUARE } from "./shapes.js";

/** Time of a position, and of the last one, in milliseconds. */
const STEP = 750;
const REST = 2000;
const GAP = 8;

/** @typedef {{pieces: string, from?: number, to?: number}} Position */

/**
 * Draw a position.
 * @param {RulesData} rules @param {Position} position @param {boolean} [flipped] whether Black is at the bottom
 */
export function drawPosition({ width, height, cells, lined }, { pieces, from, to }, flipped = false) {
  const [w, h] = [width * SQUARE, height * SQUARE];
  const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, class: lined ? "lined" : "", "aria-hidden": "true" }, svg("rect", { class: "rest", width: w, height: h }));
  const corner = (/** @type {number[]} */ [row, column]) =>
    flipped ? [(width - 1 - column) * SQUARE, (height - 1 - row) * SQUARE] : [column * SQUARE, row * SQUARE];
  cells.forEach((cell, i) => {
    const [x, y] = corner(cell);
    const square = { x, y, width: SQUARE, height: SQUARE };
    picture.append(svg("rect", { class: "play", ...square }));
    if (i + 1 === from || i + 1 === to) picture.append(svg("rect", { class: "last", ...square }));
  });
  cells.forEach((cell, i) => {
    if (pieces[i] === ".") return;
    const [x, y] = corner(cell);
    const man = piece(pieces[i]);
    man.setAttribute("transform", `translate(${x + SQUARE / 2} ${y + SQUARE / 2})`);
    picture.append(man);
  });
  return picture;
}

export class LineBoard {
  #rules;
  #element = document.createElement("div");
  #timer = 0;

  /** @param {RulesData} rules */
  constructor(rules) {
    this.#rules = rules;
    this.#element.className = "line-board";
    this.#element.hidden = true;
    this.#element.setAttribute("aria-hidden", "true");
    document.body.append(this.#element);
  }

  /**
   * Play positions beside an element, again and again.
   * @param {Element} anchor
   * @param {Position[]} positions the first is the position before the line
   * @param {{flipped: boolean, at?: number, onStep: (index: number) => void}} options `at`: show this
   * position only
   */
  play(anchor, positions, { flipped, at, onStep }) {
    clearTimeout(this.#timer);
    const show = (/** @type {number} */ i) => {
      this.#element.replaceChildren(drawPosition(this.#rules, positions[i], flipped));
      onStep(i);
      if (at !== undefined) return;
      const isLast = i + 1 === positions.length;
      this.#timer = setTimeout(() => show(isLast ? 0 : i + 1), isLast ? REST : STEP);
    };
    show(at ?? Math.min(1, positions.length - 1));
    this.#element.hidden = false;
    this.#place(anchor.getBoundingClientRect());
  }

  hide() {
    clearTimeout(this.#timer);
    this.#element.hidden = true;
  }

  /** Place the board below an element, or above it where there is no room. @param {DOMRect} anchor */
  #place({ left, right, top, bottom }) {
    const { width, height } = this.#element.getBoundingClientRect();
    const x = Math.max(GAP, Math.min(right - width, innerWidth - width - GAP, Math.max(left, right - width)));
    const y = bottom + GAP + height <= innerHeight ? bottom + GAP : Math.max(GAP, top - GAP - height);
    this.#element.style.setProperty("left", `${x}px`);
    this.#element.style.setProperty("top", `${y}px`);
  }
}
