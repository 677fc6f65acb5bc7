/**
 * Board of the editor, registered by the page as <damka-editor>. It draws a position as the game
 * page does, and dispatches events; the page changes the position.
 *
 * - "tap" {square}: a square was tapped, or chosen with Enter
 * - "slide" {from, to}: a piece was dragged; `to` is 0 outside the squares
 * - "key" {square, key}: another key on a square
 * - "cancel": Escape
 */

import { BoardState, sideOf } from "./board_state.js";
import { BoardView } from "./board_view.js";
import { Gestures } from "./gestures.js";
import { Layout } from "./layout.js";
import * as motion from "./motion.js";
import { NUMBER_SIZE } from "./shapes.js";

/** Keys that the page needs on a square. */
const KEYS = /^([0-9]|Delete|Backspace)$/;

export class EditBoard extends HTMLElement {
  #rules = /** @type {RulesData} */ ({});
  #t = /** @type {Sentences} */ (String);
  #layout = /** @type {Layout} */ ({});
  #view = /** @type {BoardView} */ ({});
  #state = new BoardState();
  #held = 0;

  /** Build the board's drawing. Call this once. @param {RulesData} rules @param {Sentences} t */
  setup(rules, t) {
    [this.#rules, this.#t] = [rules, t];
    this.#layout = new Layout(rules);
    const view = new BoardView(rules, this.#layout);
    this.#view = view;
    view.svg.setAttribute("aria-label", t("board", { title: rules.title }));
    this.style.setProperty("--columns", String(rules.width));
    this.style.setProperty("--number", `${NUMBER_SIZE}px`);
    this.classList.toggle("lined", rules.lined ?? false);
    this.label(true);
    this.replaceChildren(view.svg);
    view.layOut((square) => this.name(square));
    view.cells.rove(rules.cells.length, false);
    new Gestures(view.svg, this.#layout, {
      touch: motion.finishAll,
      press: (square) => {
        view.cells.rove(square, false);
        return false;
      },
      lift: (square) => view.lift(square),
      drag: (from, point) => view.place(from, point),
      endDrag: () => view.endDrag(),
      drop: (from, to) => this.#drop(from, to),
      tap: (square, _, again) => again || this.#emit("tap", { square }),
      release: () => view.settle(),
      go: (down, right) => view.cells.move(down, right),
      enter: () => this.#emit("tap", { square: view.cells.focus }),
      back: () => {
        this.#emit("cancel", {});
        return true;
      },
    });
    // Listen on this element: Chromium makes an SVG with a listener a tab stop.
    this.addEventListener("focusin", ({ target }) => {
      const square = squareOf(target);
      if (square) view.cells.rove(square, false);
    });
    this.addEventListener("keydown", (event) => {
      const square = squareOf(event.target);
      if (!square || event.ctrlKey || event.metaKey || event.altKey || !KEYS.test(event.key)) return;
      event.preventDefault();
      this.#emit("key", { square, key: event.key });
    });
  }

  /** Show or hide the square names. @param {boolean} on */
  label(on) {
    this.classList.toggle("rimmed", this.#view.label(on));
    this.classList.toggle("unnumbered", !on);
  }

  get flipped() {
    return this.#layout.flipped;
  }

  set flipped(value) {
    this.#layout.flipped = value;
    this.#view.layOut((square) => this.name(square));
    this.#refresh();
  }

  /** The displayed position. */
  get pieces() {
    return this.#state.pieces;
  }

  /** Accessible label of a square. @param {number} square */
  name(square) {
    return this.#rules.names?.[square - 1] ?? String(square);
  }

  /** Accessible label of a piece. @param {string} kind */
  pieceName(kind) {
    const colour = this.#rules.colour_names[sideOf(kind)];
    return this.#t(kind === kind.toUpperCase() ? "cell_king" : "cell_man", { colour });
  }

  /** Playing square at a point of the window, 0 if none. @param {number} x @param {number} y */
  squareAt(x, y) {
    return this.#view.squareAt(x, y);
  }

  /** Show a position; changed pieces fade. @param {string} pieces */
  show(pieces) {
    motion.finishAll();
    this.#state.pieces = pieces;
    this.#view.show(pieces);
    this.#refresh();
  }

  /** Mark the piece to move, 0 for none. @param {number} square */
  hold(square) {
    this.#view.lower(this.#held);
    this.#held = square;
    this.#view.raise(square);
    this.#refresh();
  }

  /** Mark the squares of a problem. @param {number[]} squares */
  blame(squares) {
    if (squares.join() === this.#state.refused.join()) return;
    this.#state.refused = squares;
    this.#refresh();
  }

  /** Highlight the square under a dragged piece, 0 for none. @param {number} square */
  aim(square) {
    if (square === this.#state.square) return;
    this.#state.square = square;
    this.#draw();
  }

  /** Give a dragged piece its new square, so that it does not fade. @param {number} from @param {number} to */
  #drop(from, to) {
    const piece = this.#state.at(from);
    if (to && to !== from) {
      const pieces = [...this.#state.pieces];
      [pieces[from - 1], pieces[to - 1]] = [piece, "."];
      this.#view.show(pieces.join(""));
      const moved = { from, to, captures: [], crowns: false };
      void this.#view.move(/** @type {any} */ (moved), [from, to], 1);
    }
    // A piece dropped outside fades there.
    if (to) this.#view.settle();
    this.#emit("slide", { from, to });
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Update the marks and the labels of the squares. */
  #refresh() {
    this.#draw();
    this.#view.cells.describe((square) => {
      const kind = this.#state.at(square);
      return [this.name(square), kind !== "." && this.pieceName(kind)];
    }, this.#held);
  }

  #draw() {
    const { marks, square } = this.#state;
    this.#view.mark({ ...marks, held: square || this.#held });
  }
}

/** @param {EventTarget | null} target @returns {number} its square, 0 for none */
const squareOf = (target) => Number(/** @type {Element} */ (target).closest("[data-square]")?.getAttribute("data-square"));
