/**
 * Board element, registered by the page (game.js registers <damka-board>). It shows a position and
 * turns clicks, drags and keys into moves from a list of legal moves. It depends neither on the rules
 * nor on the language: `BoardState` has the choices and clicks, `BoardView` draws, `Gestures` handles
 * the pointer and the keys. It dispatches events:
 *
 * - "play" {move, route, legs}: the player has chosen a legal move (or an offence)
 * - "attempt" {clicks}: the clicks fit no move, or the tapped piece cannot move
 * - "huff" {square}: the player tapped a piece that may be huffed
 * - "plan" {clicks}: a click or drag for a premove, where premoves are allowed
 * - "choosing" {resolution}: the clicks have changed; null if no piece is chosen
 */

import { BoardState, sideOf } from "./board_state.js";
import { BoardView } from "./board_view.js";
import { Gestures } from "./gestures.js";
import { Layout } from "./layout.js";
import * as motion from "./motion.js";
import { NUMBER_SIZE } from "./shapes.js";

const REFUSAL = 1400; // milliseconds
// Milliseconds that a huffed piece stays ringed before it fades
const HUFF = 900;

export class DamkaBoard extends HTMLElement {
  #rules = /** @type {RulesData} */ ({});
  #t = /** @type {Sentences} */ (String);
  #layout = /** @type {Layout} */ ({});
  #view = /** @type {BoardView} */ ({});
  #gestures = /** @type {Gestures} */ ({});
  #state = new BoardState();
  #timer = 0;
  // Where the last chosen move ended
  #target = 0;
  // Whether a click plays a piece's only move
  quick = false;

  /**
   * Build the board's drawing. Call this once.
   * @param {RulesData} rules
   * @param {Sentences} t sentences of the labels for screen readers
   */
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
    this.#refresh();
    view.cells.rove(rules.cells.length, false);
    this.#gestures = new Gestures(view.svg, this.#layout, {
      touch: motion.finishAll,
      press: (square) => this.#press(square),
      lift: (square) => this.#lift(square),
      drag: (from, point, over) => this.#drag(from, point, over),
      endDrag: (from) => this.#endDrag(from),
      drop: (from, to) => this.#drop(from, to),
      tap: (square, fresh, again) => this.#tap(square, fresh, again),
      release: () => this.release(),
      go: (down, right) => view.cells.move(down, right),
      enter: () => this.#enter(),
      back: () => this.back(),
    });
    // Listen on this element: Chromium makes an SVG with a listener a tab stop.
    this.addEventListener("focusin", ({ target }) => {
      const cell = /** @type {Element} */ (target).closest("[data-square]");
      if (cell) view.cells.rove(Number(cell.getAttribute("data-square")), false);
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
    if (value === this.#layout.flipped) return;
    this.#layout.flipped = value;
    this.#deselect();
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

  /** Let the player make captures of several pieces one jump at a time. @param {boolean} on */
  set stepwise(on) {
    this.#state.stepwise = on;
  }

  // From the page

  /**
   * Show a position without moving pieces; changed pieces fade.
   * @param {string} pieces
   * @param {number[]} last the squares of the last move
   */
  show(pieces, last) {
    motion.finishAll();
    this.#deselect();
    Object.assign(this.#state, { pieces, last, arrow: [], huffed: null });
    this.#view.show(pieces);
    this.#refresh();
  }

  /** Set the moves and huffs that the player can choose. @param {Choices | null} choices null: none */
  allow(choices) {
    if (!this.#state.allow(choices)) this.#deselect();
    this.#refresh();
  }

  /**
   * Animate a move: the piece follows its route; captured men fade, and are removed at its end.
   * @param {Move} move
   * @param {number[]} route
   * @param {string} pieces the position after the move
   * @param {number} [legs] number of legs already shown (by a drag or earlier clicks)
   */
  async perform(move, route, pieces, legs = 0) {
    if (!this.#view.has(move.from)) return;
    this.#clear();
    Object.assign(this.#state, { last: [move.from, move.to], refused: [], arrow: [] });
    this.#draw();
    if (!(await this.#view.move(move, route, legs))) return;
    this.#state.pieces = pieces;
    this.#view.show(pieces);
    this.#refresh();
  }

  /**
   * Ring the piece that is about to be huffed.
   * @param {number} square
   * @param {Side} side the side that huffs it
   */
  async ring(square, side) {
    if (!this.#view.has(square)) return;
    this.#deselect();
    this.#state.huffed = { square, side };
    this.#draw();
    await this.#view.pause(HUFF);
  }

  /**
   * Remove the ringed piece: it fades.
   * @param {number} square
   * @param {string} pieces the position without it
   */
  async huff(square, pieces) {
    if (!this.#view.has(square)) return;
    this.#state.pieces = pieces;
    if (!(await this.#view.remove(square, HUFF))) return;
    this.#state.huffed = null;
    this.#refresh();
  }

  /** Return the piece of a refused move to its square and shake it once. @param {number[]} clicks */
  async refuse(clicks) {
    this.release();
    this.#state.refused = [...new Set([clicks[0], clicks[clicks.length - 1]])];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#state.refused = [];
      this.#draw();
    }, REFUSAL);
    this.#draw();
    await this.#view.shake(clicks[0]);
  }

  /** Show an arrow along a route, and the squares that an explanation is about. @param {number[]} route @param {number[]} [noted] */
  point(route, noted = []) {
    if (`${route};${noted}` === `${this.#state.arrow};${this.#state.noted}`) return;
    Object.assign(this.#state, { arrow: route, noted });
    this.#draw();
  }

  /** Show the squares of a planned move. @param {number[]} squares */
  plan(squares) {
    if (squares.join() === this.#state.planned.join()) return;
    this.#state.planned = squares;
    this.#refresh();
  }

  /** Choose a piece and a target square, as if both had been clicked. @param {number[]} clicks */
  select([from, to]) {
    const chosen = this.#state.choose(from);
    this.#follow(chosen ?? { do: "attempt", clicks: to ? [from, to] : [from] });
    if (chosen && to) this.#click(to);
  }

  /** Playing square at a point of the window, 0 if none. @param {number} x @param {number} y */
  squareAt(x, y) {
    return this.#view.squareAt(x, y);
  }

  /** End the press of a pointer, which then neither taps nor drags. */
  cancelPress() {
    this.#gestures.cancel();
  }

  /** Draw coloured squares and arrows above the pieces. @param {(layout: Layout) => Element[]} draw */
  annotate(draw) {
    this.#view.annotate(draw);
  }

  /** Pulse the rings of the pieces that must capture. */
  urge() {
    this.#view.urge();
  }

  /** Clear the clicks and return the piece to its square. */
  release() {
    this.#deselect();
    this.#refresh();
  }

  /** Undo the last click; return false if there is none. */
  back() {
    const action = this.#state.back();
    this.#follow(action);
    return action.do !== "nothing";
  }

  // From the player

  /** @param {number} square */
  #click(square) {
    this.#follow(this.#state.click(square, false));
  }

  /** Choose a piece, unless its square continues the move. @param {number} square */
  #press(square) {
    this.#view.cells.rove(square, false);
    const state = this.#state;
    if (!state.isOwn(square) || square === state.chosen || state.continues(square)) return false;
    const chosen = state.choose(square);
    if (chosen) this.#follow(chosen);
    return Boolean(chosen);
  }

  /**
   * Handle a tap. A double-click counts once: its second tap neither releases the piece that the
   * first has chosen, nor counts as a click on the piece that the first has moved.
   * @param {number} square
   * @param {boolean} fresh
   * @param {boolean} again
   */
  #tap(square, fresh, again) {
    const state = this.#state;
    if (fresh) this.#playOnly();
    else if (!again || state.continues(square) || (square !== state.chosen && square !== this.#target)) this.#click(square);
  }

  #enter() {
    motion.finishAll();
    const isFirst = !this.#state.chosen;
    this.#click(this.#view.cells.focus);
    if (isFirst) this.#playOnly();
  }

  /** With quick moves, play the only move of the chosen piece. */
  #playOnly() {
    if (this.quick) this.#follow(this.#state.playOnly());
  }

  /** Pieces that cannot move can be dragged too; they return when dropped. @param {number} from */
  #lift(from) {
    const state = this.#state;
    return (!state.chosen || from === state.square) && this.#view.lift(state.dragged(from));
  }

  /** @param {number} from @param {number[]} point @param {number} over a square, 0 for none */
  #drag(from, point, over) {
    const square = this.#state.dragged(from);
    if (!square) return;
    this.#view.place(square, point);
    this.#view.hover(over);
  }

  /** @param {number} from @param {number} to 0 outside the squares */
  #drop(from, to) {
    const state = this.#state;
    if (!state.choices.plan && !state.chosen && to && to !== from && state.isOwn(from)) {
      // The drag may have begun on the other side's turn.
      const chosen = state.choose(from);
      if (chosen) this.#follow(chosen);
    }
    this.#follow(state.drop(from, to));
  }

  /** @param {number} from where the drag began */
  #endDrag(from) {
    this.#view.endDrag();
    if (!this.#state.chosen) this.#view.putBack(from);
  }

  /** Show and report the result of an input. @param {BoardAction} action */
  #follow(action) {
    const [state, view] = [this.#state, this.#view];
    switch (action.do) {
      case "nothing":
        break;
      case "choose":
        if (action.previous) {
          view.lower(action.previous);
          view.putBack(action.previous);
        }
        view.raise(state.chosen);
        this.#refresh();
        this.#emit("choosing", { resolution: state.resolution });
        break;
      case "path":
        this.#target = state.square;
        view.showPath(state.chosen, state.square, state.path, action.dropped ? motion.LEG / 2 : motion.LEG);
        this.#refresh();
        this.#emit("choosing", { resolution: state.resolution });
        break;
      case "release":
        this.release();
        break;
      case "play":
        if (action.dropped) view.place(action.chosen.move.from, this.#layout.centre(action.dropped));
        this.#target = action.chosen.move.to;
        this.#emit("play", action.chosen);
        break;
      case "attempt":
      case "plan":
        this.#emit(action.do, { clicks: action.clicks });
        break;
      case "huff":
        this.#emit("huff", { square: action.square });
    }
  }

  /** Deselect the chosen piece and return it to its square. */
  #deselect() {
    const { chosen } = this.#state;
    if (!chosen) return;
    this.#clear();
    this.#view.putBack(chosen);
    this.#emit("choosing", { resolution: null });
  }

  #clear() {
    this.#view.lower(this.#state.chosen);
    this.#state.clear();
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // Drawing

  /** Update the marks and the labels of the squares. */
  #refresh() {
    this.#draw();
    const [state, t] = [this.#state, this.#t];
    const { planned, chosen, resolution } = state;
    const { must, huffable } = state.choices;
    const targets = resolution ? [...resolution.ends, ...resolution.branches] : [];
    this.#view.cells.describe((square) => {
      const kind = state.at(square);
      const colour = this.#rules.colour_names[sideOf(kind)];
      return [
        this.name(square),
        kind !== "." && t(kind === kind.toUpperCase() ? "cell_king" : "cell_man", { colour }),
        must.includes(square) && t("cell_must"),
        huffable.includes(square) && t("cell_huff"),
        planned.includes(square) && t("cell_planned"),
        targets.includes(square) && t("cell_target"),
      ];
    }, chosen);
  }

  #draw() {
    this.#view.mark(this.#state.marks);
  }
}
