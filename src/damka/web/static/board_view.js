/** Drawing of the board: squares, pieces, marks, and the pieces' animations. */

import { Cells } from "./cells.js";
import { coordinates, drawMarks } from "./marks.js";
import * as motion from "./motion.js";
import { crown, disc, piece, svg } from "./pieces.js";
import { KING_LOWER, KING_UPPER, NUMBER_INSET, SQUARE } from "./shapes.js";

// Fraction of the board's width, so that the margin scales with the squares.
// Only boards with algebraic coordinates have a margin.
const MARGIN = 0.04;

/** @param {string} name */
const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });

export class BoardView {
  svg = svg("svg", { role: "grid" });
  /** @type {Cells} */ cells;
  #rules;
  #layout;
  /** Displayed pieces by square. @type {Map<number, {kind: string, node: SVGGElement}>} */ #pieces = new Map();
  #under = layer("under");
  #figures = layer("figures");
  #table = layer("men");
  #over = layer("over");
  // Layer of the chosen or moving piece, above the marks
  #hand = layer("men");
  #tip = layer("over");
  #notes = layer("over");
  #rim = layer("rim");
  /** @type {(layout: import("./layout.js").Layout) => Element[]} */ #drawNotes = () => [];
  // Incremented on every change, so that outdated animations can stop
  #change = 0;

  /** @param {RulesData} rules @param {import("./layout.js").Layout} layout */
  constructor(rules, layout) {
    this.#rules = rules;
    this.#layout = layout;
    this.cells = new Cells(rules, layout);
    const [width, height] = [rules.width * SQUARE, rules.height * SQUARE];
    const frame = (/** @type {string} */ name) => svg("rect", { class: name, width, height });
    this.svg.append(frame("frame"), frame("frame shade"), frame("rest"), ...this.cells.rows);
    this.svg.append(this.#under, this.#table, this.#over, this.#figures, this.#hand, this.#tip, this.#notes, this.#rim);
  }

  get #margin() {
    return MARGIN * this.#layout.width;
  }

  /** Show or hide the coordinates; return whether there is a margin for them. @param {boolean} on */
  label(on) {
    const { width, height, coordinates: rim } = this.#rules;
    const margin = on && rim ? this.#margin : 0;
    const size = `${width * SQUARE + margin} ${height * SQUARE + margin}`;
    this.svg.setAttribute("viewBox", `${-margin} 0 ${size}`);
    return margin > 0;
  }

  /** Place the squares and their names for the board's orientation. @param {(square: number) => string} name */
  layOut(name) {
    const { cells, coordinates: rim } = this.#rules;
    this.cells.layOut();
    const figures = cells.map((_, i) => {
      const { x, y } = this.#layout.corner(i + 1);
      const figure = svg("text", { x: x + NUMBER_INSET, y: y + NUMBER_INSET });
      figure.textContent = name(i + 1);
      return figure;
    });
    this.#figures.replaceChildren(...(rim ? [] : figures));
    this.#rim.replaceChildren(...(rim ? coordinates(rim, this.#layout.flipped, this.#margin) : []));
    this.annotate(this.#drawNotes);
    this.settle();
  }

  /** Draw the marks. @param {Marks} marks */
  mark(marks) {
    const { under, over, tip } = drawMarks(this.#layout, marks);
    this.#under.replaceChildren(...under);
    this.#over.replaceChildren(...over);
    this.#tip.replaceChildren(...tip);
  }

  /** Draw above everything, now and whenever the board turns. @param {(layout: import("./layout.js").Layout) => Element[]} draw */
  annotate(draw) {
    this.#drawNotes = draw;
    this.#notes.replaceChildren(...draw(this.#layout));
  }

  /** Playing square at a point of the window, 0 if none. @param {number} x @param {number} y */
  squareAt(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return this.#layout.squareAt([point.x, point.y]);
  }

  /** Highlight the target under a dragged piece. @param {number} square 0 for none */
  hover(square) {
    for (const mark of this.#over.querySelectorAll(".target, .branch")) {
      mark.classList.toggle("hover", Number(mark.getAttribute("data-to")) === square);
    }
  }

  /** Pulse the rings of the pieces that must capture. */
  urge() {
    this.#over.classList.remove("urge");
    // Forces a layout, so that the animation restarts
    void this.svg.getBoundingClientRect();
    this.#over.classList.add("urge");
  }

  // Pieces

  /** Whether a piece is displayed. @param {number} square */
  has(square) {
    return this.#pieces.has(square);
  }

  /** @param {number} square */
  #node(square) {
    return this.#pieces.get(square)?.node;
  }

  /** Show a position; changed pieces fade in and out. @param {string} pieces */
  show(pieces) {
    const isFirst = !this.#pieces.size;
    this.#change += 1;
    for (let square = 1; square <= pieces.length; square++) {
      const kind = pieces[square - 1];
      const shown = this.#pieces.get(square);
      if (kind === (shown?.kind ?? ".")) continue;
      if (shown) void motion.vanish(shown.node);
      this.#pieces.delete(square);
      if (kind === ".") continue;
      const node = piece(kind);
      this.#pieces.set(square, { kind, node });
      if (!isFirst) void motion.appear(node);
    }
    this.settle();
  }

  /**
   * Animate a move along its route; captured pieces are dimmed on the way.
   * @param {Move} move
   * @param {number[]} route
   * @param {number} legs number of legs already shown
   * @returns {Promise<boolean>} false if another change interrupted it
   */
  async move(move, route, legs) {
    const moving = this.#pieces.get(move.from);
    if (!moving) return false;
    const { node } = moving;
    const change = ++this.#change;
    this.#hand.append(node);
    node.classList.add("moving");
    const time = route.length > 2 ? motion.LEG : motion.STEP;
    const finishes = motion.finishes();
    for (let i = 0; i + 1 < route.length; i++) {
      if (i >= legs && motion.finishes() === finishes) {
        await motion.glide(node, this.#layout.centre(route[i + 1]), time);
        if (change !== this.#change) return false;
      }
      this.#dim(route[i], route[i + 1], move.captures);
    }
    this.#pieces.delete(move.from);
    this.#pieces.set(move.to, { kind: move.crowns ? moving.kind.toUpperCase() : moving.kind, node });
    node.classList.remove("moving");
    if (move.crowns) crownPiece(node);
    return true;
  }

  /**
   * Remove a huffed piece: it fades, and its ring stays a little longer.
   * @param {number} square
   * @param {number} duration
   * @returns {Promise<boolean>} false if another change interrupted it
   */
  async remove(square, duration) {
    const node = this.#node(square);
    if (!node) return false;
    const change = ++this.#change;
    this.#pieces.delete(square);
    await motion.vanish(node, duration / 2);
    await this.pause(duration / 2);
    return change === this.#change;
  }

  /** Wait, unless the player taps. @param {number} duration */
  pause(duration) {
    return motion.pause(this.svg, duration);
  }

  /** Put every piece on its square. */
  settle() {
    for (const [square, { node }] of this.#pieces) {
      node.classList.remove("captured", "moving");
      if (node.parentNode !== this.#table) this.#table.append(node);
      motion.place(node, this.#layout.centre(square));
    }
  }

  /** Shake the piece of a refused move once. @param {number} square */
  async shake(square) {
    const body = this.#node(square)?.querySelector(".body");
    if (body) await motion.shake(body);
  }

  // Chosen piece

  /** Raise a chosen piece above the marks. @param {number} square */
  raise(square) {
    const node = this.#node(square);
    if (!node) return;
    this.#hand.append(node);
    node.classList.add("chosen");
  }

  /**
   * Glide the chosen piece to a square of its route, and dim the pieces it has captured.
   * @param {number} from its own square
   * @param {number} to
   * @param {{walked: number[], captures: number[]}} path
   * @param {number} duration
   */
  showPath(from, to, { walked, captures }, duration) {
    const node = this.#node(from);
    if (node) void motion.glide(node, this.#layout.centre(to), duration);
    this.#restore();
    for (let i = 0; i + 1 < walked.length; i++) this.#dim(walked[i], walked[i + 1], captures);
  }

  /** Restore the normal look of a chosen piece. @param {number} square */
  lower(square) {
    this.#node(square)?.classList.remove("chosen", "dragged");
    this.#restore();
  }

  /** Return a piece to its square. @param {number} square */
  putBack(square) {
    const node = this.#node(square);
    if (!node) return;
    this.#table.append(node);
    void motion.glide(node, this.#layout.centre(square), motion.LEG);
  }

  /** Start dragging a piece; return whether there is one. @param {number} square */
  lift(square) {
    const node = this.#node(square);
    if (!node) return false;
    this.#hand.append(node);
    node.classList.add("dragged");
    return true;
  }

  /** Place a piece at a point. @param {number} square @param {number[]} point */
  place(square, point) {
    const node = this.#node(square);
    if (node) motion.place(node, point);
  }

  /** End every drag. */
  endDrag() {
    this.hover(0);
    for (const { node } of this.#pieces.values()) node.classList.remove("dragged");
  }

  /**
   * Dim the pieces captured between two squares; they stay on the board until the move ends.
   * @param {number} from
   * @param {number} to
   * @param {number[]} captures
   */
  #dim(from, to, captures) {
    for (const square of this.#layout.between(from, to, captures)) this.#node(square)?.classList.add("captured");
  }

  #restore() {
    for (const { node } of this.#pieces.values()) node.classList.remove("captured");
  }
}

/** Put a second disc on a man. @param {SVGGElement} node */
function crownPiece(node) {
  const body = node.querySelector(".body");
  body?.querySelector(".disc")?.replaceWith(disc(KING_LOWER, true));
  const upper = disc(KING_UPPER);
  body?.append(upper, crown());
  node.classList.add("king");
  void motion.stack(upper);
}
