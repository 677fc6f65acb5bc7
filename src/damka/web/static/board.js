/**
 * Board element, registered by the page (game.js registers <damka-board>). It shows a position and
 * turns clicks, drags and keys into moves from a list of legal moves. It knows neither rules nor
 * languages, and dispatches events:
 *
 * - "play" {move, route, legs}: the player has chosen a legal move (or an offence)
 * - "attempt" {clicks}: the clicks fit no move, or the tapped piece cannot move
 * - "huff" {square}: the player tapped a piece that may be huffed
 * - "plan" {clicks}: a click or drag for a premove, where premoves are allowed
 * - "choosing" {resolution}: the clicks have changed; null without a chosen piece
 */

import { Cells } from "./cells.js";
import { Layout } from "./layout.js";
import { coordinates, drawMarks } from "./marks.js";
import * as motion from "./motion.js";
import { crown, disc, piece, svg } from "./pieces.js";
import { Pointer } from "./pointer.js";
import { resolve } from "./resolve.js";
import { KING_LOWER, KING_UPPER, NUMBER_INSET, NUMBER_SIZE, SQUARE } from "./shapes.js";

// Fraction of the board's width, so that the margin scales with the squares.
// Only algebraic boards have it, for letters and digits.
const MARGIN = 0.04;
const REFUSAL = 1400; // milliseconds
// Milliseconds that a huffed piece stays ringed before it fades
const HUFF = 900;
/** @type {Choices} */
const NOTHING = { legal: [], offences: [], must: [], huffable: [], side: null };

/** @param {string} kind @returns {Side} */
const sideOf = (kind) => (kind.toUpperCase() === "W" ? "W" : "B");
/** @param {string} name */
const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });

export class DamkaBoard extends HTMLElement {
  #rules = /** @type {RulesData} */ ({});
  #t = /** @type {Sentences} */ (String);
  #layout = /** @type {Layout} */ ({});
  #cells = /** @type {Cells} */ ({});
  /** @type {Map<number, SVGGElement>} */ #men = new Map();
  #svg = svg("svg", { role: "grid" });
  #under = layer("under");
  #figures = layer("figures");
  #table = layer("men");
  #over = layer("over");
  // Layer of the chosen or moving piece, above the marks
  #hand = layer("men");
  #tip = layer("over");
  #rim = layer("rim");
  #choices = NOTHING;
  /** @type {number[]} */ #last = [];
  /** @type {number[]} */ #refused = [];
  /** @type {number[]} */ #arrow = [];
  /** @type {number[]} */ #planned = [];
  /** @type {{square: number, side: Side} | null} */ #huffed = null;
  #timer = 0;
  // Incremented on every change, so that outdated animations can stop
  #turn = 0;
  /** @type {number[]} */ #clicks = [];
  /** @type {Resolution | null} */ #result = null;
  // Displayed square of the chosen piece until its route is complete
  #square = 0;
  // A click plays a piece's only move
  quick = false;
  pieces = "";

  /**
   * Build the board's drawing. Call this once.
   * @param {RulesData} rules
   * @param {Sentences} t sentences of the labels for screen readers
   */
  setup(rules, t) {
    this.#rules = rules;
    this.#t = t;
    this.#layout = new Layout(rules);
    this.#cells = new Cells(rules, this.#layout);
    this.#svg.setAttribute("aria-label", t("board", { title: rules.title }));
    const [width, height] = [rules.width * SQUARE, rules.height * SQUARE];
    this.style.setProperty("--columns", String(rules.width));
    this.style.setProperty("--number", `${NUMBER_SIZE}px`);
    this.classList.toggle("lined", rules.lined ?? false);
    this.label(true);
    this.#svg.append(svg("rect", { class: "rest", width, height }), ...this.#cells.rows);
    this.#svg.append(this.#under, this.#table, this.#over, this.#figures, this.#hand, this.#tip, this.#rim);
    this.replaceChildren(this.#svg);
    this.#layOut();
    this.#cells.rove(rules.cells.length, false);
    new Pointer(this.#svg, this.#layout, {
      touch: motion.finishAll,
      press: (square) => this.#onPress(square),
      lift: (square) => this.#lift(square),
      drag: (from, point, over) => this.#drag(from, point, over),
      endDrag: (from) => this.#endDrag(from),
      drop: (from, to) => this.#drop(from, to),
      tap: (square, fresh) => (fresh ? this.#playOnly() : this.#click(square, false)),
      release: () => this.release(),
    });
    // A click does not focus the board, so that ← and → still browse the moves; Tab focuses it.
    this.#svg.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const { activeElement: active } = /** @type {Document} */ (this.getRootNode());
      if (active instanceof HTMLElement) active.blur();
    });
    this.#svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    // Listen on this element: Chromium makes an SVG with a listener a tab stop.
    this.addEventListener("focusin", ({ target }) => {
      const cell = /** @type {Element} */ (target).closest("[data-square]");
      if (cell) this.#cells.rove(Number(cell.getAttribute("data-square")), false);
    });
  }

  /** Show or hide the square names. @param {boolean} on */
  label(on) {
    const { width, height, coordinates: rim } = this.#rules;
    const margin = on && rim ? this.#margin : 0;
    const size = `${width * SQUARE + margin} ${height * SQUARE + margin}`;
    this.#svg.setAttribute("viewBox", `${-margin} 0 ${size}`);
    this.classList.toggle("rimmed", margin > 0);
    this.classList.toggle("unnumbered", !on);
  }

  get #margin() {
    return MARGIN * this.#layout.width;
  }

  get flipped() {
    return this.#layout.flipped;
  }

  set flipped(value) {
    if (value === this.#layout.flipped) return;
    this.#layout.flipped = value;
    this.#layOut();
  }

  /** Accessible label of a square. @param {number} square */
  name(square) {
    return this.#rules.names?.[square - 1] ?? String(square);
  }

  /** Piece on a square, "." for an empty one. @param {number} square */
  at(square) {
    return this.pieces[square - 1] ?? ".";
  }

  /**
   * Show a position without moving pieces; changed pieces fade.
   * @param {string} pieces
   * @param {number[]} last the squares of the last move
   */
  show(pieces, last) {
    const first = !this.pieces;
    this.#turn += 1;
    motion.finishAll();
    this.#deselect();
    [this.#last, this.#arrow, this.#huffed] = [last, [], null];
    for (let square = 1; square <= pieces.length; square++) {
      const kind = pieces[square - 1];
      const node = this.#men.get(square);
      if (kind === this.at(square) && Boolean(node) === (kind !== ".")) continue;
      if (node) void motion.vanish(node);
      this.#men.delete(square);
      if (kind !== ".") {
        const newNode = piece(kind);
        this.#men.set(square, newNode);
        if (!first) void motion.appear(newNode);
      }
    }
    this.pieces = pieces;
    this.#settle();
  }

  /** Set the moves and huffs that the player can choose. @param {Choices | null} choices null: none */
  allow(choices) {
    this.#choices = choices ?? NOTHING;
    if (this.#clicks.length && !this.#resolve(this.#clicks).moves.length) this.#deselect();
    this.#refresh();
  }

  /**
   * Animate a move: the piece follows its route; captured men fade, and are removed at its end.
   * @param {Move} move
   * @param {number[]} route
   * @param {number} [legs] number of legs already shown (by a drag or earlier clicks)
   */
  async perform(move, route, legs = 0) {
    const node = this.#men.get(move.from);
    if (!node) return;
    const turn = ++this.#turn;
    this.#clear();
    this.#hand.append(node);
    node.classList.add("moving");
    [this.#last, this.#refused, this.#arrow] = [[move.from, move.to], [], []];
    this.#draw();
    const time = route.length > 2 ? motion.LEG : motion.STEP;
    const finishes = motion.finishes();
    for (let i = 0; i + 1 < route.length; i++) {
      if (i >= legs && motion.finishes() === finishes) {
        await motion.glide(node, this.#layout.centre(route[i + 1]), time);
        if (turn !== this.#turn) return;
      }
      this.#fade(route[i], route[i + 1], move.captures);
    }
    const board = [...this.pieces];
    const kind = this.at(move.from);
    const captured = move.captures.map((square) => this.#men.get(square));
    for (const square of [move.from, ...move.captures]) {
      board[square - 1] = ".";
      this.#men.delete(square);
    }
    board[move.to - 1] = move.crowns ? kind.toUpperCase() : kind;
    this.#men.set(move.to, node);
    this.pieces = board.join("");
    node.classList.remove("moving");
    if (move.crowns) this.#crown(node);
    for (const man of captured) if (man) void motion.vanish(man);
    this.#settle();
  }

  /**
   * Ring the piece that is about to be huffed.
   * @param {number} square
   * @param {Side} side the side that huffs it
   */
  async ring(square, side) {
    const node = this.#men.get(square);
    if (!node) return;
    this.#turn += 1;
    this.#deselect();
    this.#huffed = { square, side };
    this.#draw();
    await motion.pause(node, HUFF);
  }

  /** Remove the ringed piece: it fades, and the ring stays a little longer. @param {number} square */
  async huff(square) {
    const node = this.#men.get(square);
    if (!node) return;
    const turn = ++this.#turn;
    this.pieces = `${this.pieces.slice(0, square - 1)}.${this.pieces.slice(square)}`;
    this.#men.delete(square);
    await motion.vanish(node, HUFF / 2);
    await motion.pause(this.#svg, HUFF / 2);
    if (turn !== this.#turn) return;
    this.#huffed = null;
    this.#settle();
  }

  /** Return the piece of a refused move to its square and shake it once. @param {number[]} clicks */
  async refuse(clicks) {
    this.release();
    this.#refused = [...new Set([clicks[0], clicks[clicks.length - 1]])];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#refused = [];
      this.#draw();
    }, REFUSAL);
    this.#draw();
    const body = this.#men.get(clicks[0])?.querySelector(".body");
    if (body) await motion.shake(body);
  }

  /** Show an arrow along a route. @param {number[]} route */
  point(route) {
    if (route.join() === this.#arrow.join()) return;
    this.#arrow = route;
    this.#draw();
  }

  /** Show the squares of a planned move. @param {number[]} squares */
  plan(squares) {
    if (squares.join() === this.#planned.join()) return;
    this.#planned = squares;
    this.#refresh();
  }

  /** Choose a piece and a target square, as if both had been clicked. @param {number[]} clicks */
  select([from, to]) {
    if (!this.#choose(from)) this.#emit("attempt", { clicks: to ? [from, to] : [from] });
    else if (to) this.#click(to, false);
  }

  /** Pulse the rings of the pieces that must capture. */
  urge() {
    this.#over.classList.remove("urge");
    // Restarts the animation if it has run before
    void this.#svg.getBoundingClientRect();
    this.#over.classList.add("urge");
  }

  /** Clear the clicks and return the piece to its square. */
  release() {
    this.#deselect();
    this.#draw();
  }

  // Clicks

  /** @param {number[]} clicks */
  #resolve(clicks) {
    const legal = resolve(this.#choices.legal, clicks);
    return legal.moves.length ? legal : resolve(this.#choices.offences, clicks);
  }

  /** Whether the square has a piece of the side to move. @param {number} square */
  #isOwn(square) {
    return this.at(square) !== "." && sideOf(this.at(square)) === this.#choices.side;
  }

  /**
   * Handle a click on a square, a drop on it, or the Enter key.
   * @param {number} square
   * @param {boolean} dropped
   */
  #click(square, dropped) {
    if (this.#choices.plan) return this.#emit("plan", { clicks: [square] });
    if (this.#clicks.length) {
      const clicks = [...this.#clicks, square];
      const result = this.#resolve(clicks);
      if (result.moves.length) this.#advance(clicks, result, dropped);
      else if (square === this.#clicks[0] || square === this.#square) this.release();
      else if (dropped || !this.#isOwn(square) || !this.#choose(square)) {
        this.#emit("attempt", { clicks: this.#isOwn(square) && !dropped ? [square] : clicks });
      }
      return;
    }
    if (this.#isOwn(square) && this.#choose(square)) return;
    if (this.#choices.huffable.includes(square)) this.#emit("huff", { square });
    else if (this.at(square) !== ".") this.#emit("attempt", { clicks: [square] });
  }

  /** Choose a piece; return false if it cannot move. @param {number} square */
  #choose(square) {
    const result = this.#resolve([square]);
    const node = this.#men.get(square);
    if (!result.moves.length || !node) return false;
    this.#deselect();
    [this.#refused, this.#arrow] = [[], []];
    [this.#clicks, this.#result, this.#square] = [[square], result, square];
    this.#hand.append(node);
    node.classList.add("chosen");
    this.#refresh();
    this.#emit("choosing", { resolution: result });
    return true;
  }

  /**
   * Play the move if the clicks select one; else wait for another click.
   * @param {number[]} clicks
   * @param {Resolution} result
   * @param {boolean} dropped
   */
  #advance(clicks, result, dropped) {
    const target = clicks[clicks.length - 1];
    const { move, route, walked } = result;
    if (!move) {
      [this.#clicks, this.#result] = [clicks, result];
      this.#showPath(dropped ? target : walked[walked.length - 1], dropped ? motion.LEG / 2 : motion.LEG);
      return;
    }
    // Legs already shown by the drag or after earlier clicks
    const shownPath = this.#result?.walked ?? [];
    let legs = shownPath.every((square, i) => route[i] === square) ? shownPath.length - 1 : 0;
    if (dropped) {
      legs = target === move.to ? route.length - 1 : route.indexOf(target, 1);
      const node = this.#men.get(move.from);
      if (node) motion.place(node, this.#layout.centre(target));
    }
    this.#emit("play", { move, route, legs });
  }

  /**
   * Show the chosen piece on a square of its route, with the pieces captured so far faded.
   * @param {number} spot
   * @param {number} duration
   */
  #showPath(spot, duration) {
    this.#square = spot;
    const node = this.#men.get(this.#clicks[0]);
    if (node) void motion.glide(node, this.#layout.centre(spot), duration);
    this.#unfade();
    const { walked, moves } = /** @type {Resolution} */ (this.#result);
    const captures = moves.flatMap((move) => move.captures);
    for (let i = 0; i + 1 < walked.length; i++) this.#fade(walked[i], walked[i + 1], captures);
    this.#refresh();
    this.#emit("choosing", { resolution: this.#result });
  }

  /** Undo the last click; return false without one. */
  back() {
    if (this.#clicks.length < 2) {
      const hasChosen = this.#clicks.length > 0;
      this.release();
      return hasChosen;
    }
    this.#clicks = this.#clicks.slice(0, -1);
    this.#result = this.#resolve(this.#clicks);
    this.#showPath(this.#result.walked[this.#result.walked.length - 1], motion.LEG);
    return true;
  }

  /** Deselect the chosen piece and return it to its square. */
  #deselect() {
    const [square] = this.#clicks;
    if (!square) return;
    this.#clear();
    const node = this.#men.get(square);
    if (node) {
      this.#table.append(node);
      void motion.glide(node, this.#layout.centre(square), motion.LEG);
    }
    this.#emit("choosing", { resolution: null });
  }

  #clear() {
    this.#men.get(this.#clicks[0])?.classList.remove("chosen", "dragged");
    this.#unfade();
    [this.#clicks, this.#result, this.#square] = [[], null, 0];
  }

  /**
   * Fade the pieces captured between two squares; they stay on the board until the move ends.
   * @param {number} from
   * @param {number} to
   * @param {number[]} captures
   */
  #fade(from, to, captures) {
    for (const square of this.#layout.between(from, to, captures)) {
      this.#men.get(square)?.classList.add("captured");
    }
  }

  #unfade() {
    for (const man of this.#men.values()) man.classList.remove("captured");
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // Pointer

  /** @param {number} square */
  #onPress(square) {
    this.#cells.rove(square, false);
    // A press chooses a piece, unless its square continues the move.
    const onTheWay = this.#clicks.length > 0 && this.#resolve([...this.#clicks, square]).moves.length > 0;
    return this.#isOwn(square) && !onTheWay && square !== this.#clicks[0] && this.#choose(square);
  }

  /** Whether the drag is of a piece that cannot move and returns afterwards. @param {number} from */
  #cannotMove(from) {
    return !this.#clicks.length && this.#isOwn(from);
  }

  /** Piece that a drag from a square moves. @param {number} from */
  #draggedNode(from) {
    return this.#men.get(this.#cannotMove(from) ? from : this.#clicks[0]);
  }

  /** @param {number} from */
  #lift(from) {
    const node = this.#draggedNode(from);
    if (!node || !(this.#cannotMove(from) || from === this.#square)) return false;
    this.#hand.append(node);
    node.classList.add("dragged");
    return true;
  }

  /** @param {number} from @param {number[]} point @param {number} over a square, 0 for none */
  #drag(from, point, over) {
    const node = this.#draggedNode(from);
    if (!node) return;
    motion.place(node, point);
    this.#hover(over);
  }

  /** @param {number} from @param {number} to 0 outside the squares */
  #drop(from, to) {
    if (this.#choices.plan) this.#emit("plan", { clicks: to && to !== from ? [from, to] : [from] });
    else if (!this.#clicks.length) {
      // The drag may have begun on the other side's turn.
      if (to && to !== from && this.#isOwn(from) && this.#choose(from)) this.#click(to, true);
      else if (this.#isOwn(from)) this.#emit("attempt", { clicks: [from, to || from] });
    } else if (to && to !== this.#square) this.#click(to, true);
    else this.#showPath(this.#square, motion.LEG);
  }

  /** @param {number} square where the drag began */
  #endDrag(square) {
    this.#hover(0);
    for (const node of this.#men.values()) node.classList.remove("dragged");
    const idle = this.#men.get(square);
    if (idle && !this.#clicks.length) {
      this.#table.append(idle);
      void motion.glide(idle, this.#layout.centre(square), motion.LEG);
    }
  }

  /** With quick moves, selecting a piece plays its only move. */
  #playOnly() {
    const [move, ...others] = this.#result?.moves ?? [];
    if (this.quick && move && !others.length) this.#emit("play", { move, route: move.route, legs: 0 });
  }

  /** @param {number} square square under a dragged piece */
  #hover(square) {
    for (const mark of this.#over.querySelectorAll(".target, .branch")) {
      mark.classList.toggle("hover", Number(mark.getAttribute("data-to")) === square);
    }
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) this.#cells.go(step[0], step[1]);
    else if (event.key === "Enter" || event.key === " ") {
      motion.finishAll();
      const choosing = !this.#clicks.length;
      this.#click(this.#cells.focus, false);
      if (choosing) this.#playOnly();
    } else if (event.key !== "Escape" || !this.back()) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Drawing

  /** Place all parts that depend on the board's orientation. */
  #layOut() {
    this.#deselect();
    const { coordinates: rim } = this.#rules;
    this.#cells.layOut();
    const figures = this.#rules.cells.map((_, i) => {
      const { x, y } = this.#layout.corner(i + 1);
      const figure = svg("text", { x: x + NUMBER_INSET, y: y + NUMBER_INSET });
      figure.textContent = this.name(i + 1);
      return figure;
    });
    this.#figures.replaceChildren(...(rim ? [] : figures));
    this.#rim.replaceChildren(...(rim ? coordinates(rim, this.flipped, this.#margin) : []));
    this.#settle();
  }

  /** @param {SVGGElement} node */
  #crown(node) {
    const body = node.querySelector(".body");
    body?.querySelector(".disc")?.setAttribute("transform", `translate(0 ${KING_LOWER})`);
    const upper = disc(KING_UPPER);
    body?.append(upper, crown());
    node.classList.add("king");
    void motion.stack(upper);
  }

  /** Put every piece on its square. */
  #settle() {
    for (const [square, node] of this.#men) {
      node.classList.remove("captured", "moving");
      if (node.parentNode !== this.#table) this.#table.append(node);
      motion.place(node, this.#layout.centre(square));
    }
    this.#refresh();
  }

  /** Update the marks and the labels of the squares. */
  #refresh() {
    this.#draw();
    const { must, huffable } = this.#choices;
    const t = this.#t;
    const words = (/** @type {number} */ square) => {
      const kind = this.at(square);
      const colour = this.#rules.colour_names[sideOf(kind)];
      return [
        this.name(square),
        kind !== "." && t(kind === kind.toUpperCase() ? "cell_king" : "cell_man", { colour }),
        must.includes(square) && t("cell_must"),
        huffable.includes(square) && t("cell_huff"),
        this.#planned.includes(square) && t("cell_planned"),
        this.#result && [...this.#result.ends, ...this.#result.branches].includes(square) && t("cell_target"),
      ];
    };
    this.#cells.describe(words, this.#clicks[0] ?? 0);
  }

  #draw() {
    const { must, huffable, legal } = this.#choices;
    const [held = 0] = this.#clicks;
    const notHere = (/** @type {number} */ square) => square !== this.#square;
    const { under, over, tip } = drawMarks(this.#layout, {
      last: this.#last,
      held,
      must,
      huffable,
      ends: this.#result?.ends.filter(notHere) ?? [],
      branches: this.#result?.branches.filter(notHere) ?? [],
      offence: !legal.some(({ from }) => from === held),
      refused: this.#refused,
      planned: this.#planned,
      arrow: this.#arrow,
      huffed: this.#huffed,
    });
    this.#under.replaceChildren(...under);
    this.#over.replaceChildren(...over);
    this.#tip.replaceChildren(...tip);
  }
}
