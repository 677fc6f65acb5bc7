// @ts-check
/**
 * <damka-board>: the board. It shows a position and turns clicks, drags and keys into moves out of
 * the list of legal moves it was given. It knows no rules and talks to nobody but its page:
 *
 * - "play" {move, route, legs}: the player has chosen a legal move (or an offence)
 * - "attempt" {clicks}: the player tried what fits no move, or tapped a piece that has none
 * - "huff" {square}: the player tapped a piece that may be huffed
 * - "choosing" {resolution}: clicks came or went; null when nothing is chosen
 *
 * @typedef {import("../types").Move} Move
 * @typedef {import("../types").RulesData} RulesData
 * @typedef {import("../types").Resolution} Resolution
 * @typedef {import("../types").Side} Side
 * @typedef {{legal: Move[], offences: Move[], must: number[], huffable: number[], side: Side | null}} Choices
 */

import { SQUARE, crown, disc, piece, svg } from "./pieces.js";
import * as motion from "./motion.js";
import { resolve } from "./resolve.js";
import { t } from "./words.js";

const HALF = SQUARE / 2;
const MARGIN = 34; // for the letters and digits around an algebraic board
/** @type {Choices} */
const NOTHING = { legal: [], offences: [], must: [], huffable: [], side: null };

/** @param {string} kind @returns {Side} */
const sideOf = (kind) => (kind.toUpperCase() === "W" ? "W" : "B");

export class DamkaBoard extends HTMLElement {
  /** @type {RulesData} */ #rules = /** @type {RulesData} */ ({});
  /** @type {Map<number, SVGGElement>} */ #cells = new Map();
  /** @type {Map<number, SVGGElement>} */ #men = new Map();
  /** @type {SVGSVGElement} */ #svg = svg("svg");
  #under = svg("g", { class: "under" });
  #figures = svg("g", { class: "figures" });
  #layer = svg("g", { class: "men" });
  #over = svg("g", { class: "over" });
  #hand = svg("g", { class: "men" }); // the chosen or moving piece, above the marks
  #tip = svg("g", { class: "over" });
  #rim = svg("g", { class: "rim" });
  #choices = NOTHING;
  /** @type {number[]} */ #last = [];
  /** @type {number[]} */ #refused = [];
  /** @type {number[]} */ #arrow = [];
  #timer = 0;
  /** @type {number[]} */ #clicks = [];
  /** @type {Resolution | null} */ #open = null;
  #spot = 0; // where the chosen piece is shown while its way is not finished
  #focus = 0;
  #column = 0;
  #flipped = false;
  /** @type {null | {id: number, square: number, x: number, y: number, fresh: boolean, moved: boolean, touch: boolean}} */
  #press = null;
  quick = false;
  pieces = "";

  /** @param {RulesData} rules */
  setup(rules) {
    this.#rules = rules;
    this.#svg.setAttribute("role", "grid");
    this.#svg.setAttribute("aria-label", t("board", { title: rules.title }));
    const light = svg("rect", { class: "rest", width: rules.width * SQUARE, height: rules.height * SQUARE });
    const rows = Array.from({ length: rules.height }, () => svg("g", { role: "row" }));
    rules.cells.forEach(([row], i) => {
      const square = i + 1;
      const cell = svg(
        "g",
        { role: "gridcell", class: "cell", tabindex: -1, "data-square": square },
        svg("rect", { class: "play", width: SQUARE, height: SQUARE }),
        svg("rect", { class: "focus", x: 5, y: 5, width: SQUARE - 10, height: SQUARE - 10, rx: 4 }),
      );
      this.#cells.set(square, cell);
      rows[row].append(cell);
    });
    this.#figures.setAttribute("aria-hidden", "true");
    this.#rim.setAttribute("aria-hidden", "true");
    for (const layer of [this.#under, this.#layer, this.#over, this.#hand, this.#tip]) layer.setAttribute("aria-hidden", "true");
    this.#svg.append(light, ...rows, this.#under, this.#figures, this.#layer, this.#over, this.#hand, this.#tip, this.#rim);
    this.replaceChildren(this.#svg);
    this.#focus = rules.cells.length;
    this.#layOut();
    this.#svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.#svg.addEventListener("pointermove", (event) => this.#move(event));
    this.#svg.addEventListener("pointerup", (event) => this.#up(event));
    this.#svg.addEventListener("pointercancel", () => this.#cancel());
    this.#svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("focusin", (event) => {
      const cell = /** @type {Element} */ (event.target).closest("[data-square]");
      if (cell) this.#rove(Number(cell.getAttribute("data-square")), false);
    });
  }

  get flipped() {
    return this.#flipped;
  }

  set flipped(value) {
    if (value === this.#flipped) return;
    this.#flipped = value;
    this.#layOut();
  }

  /** The square, as it is printed. @param {number} square */
  name(square) {
    return this.#rules.numbers[square] ?? String(square);
  }

  /** The piece on a square as text, "." when none. @param {number} square */
  at(square) {
    return this.pieces[square - 1] ?? ".";
  }

  /** Is a way begun and not finished? */
  get choosing() {
    return this.#clicks.length > 0;
  }

  /**
   * Show a position at once; what changed fades.
   * @param {string} pieces
   * @param {number[]} last the squares of the last move
   */
  show(pieces, last) {
    const first = !this.pieces;
    this.#putDown();
    this.#last = last;
    this.#arrow = [];
    for (let square = 1; square <= pieces.length; square++) {
      const kind = pieces[square - 1];
      const node = this.#men.get(square);
      if (kind === this.at(square) && (node !== undefined || kind === ".")) continue;
      if (node) {
        this.#men.delete(square);
        void motion.vanish(node);
      }
      if (kind !== ".") {
        const fresh = this.#put(square, kind);
        if (!first) void motion.appear(fresh);
      }
    }
    this.pieces = pieces;
    this.#settle();
  }

  /**
   * Say what the player may do now.
   * @param {Choices | null} choices null: nothing
   */
  allow(choices) {
    this.#choices = choices ?? NOTHING;
    if (this.#clicks.length && !this.#resolve(this.#clicks).moves.length) this.#putDown();
    this.#refresh();
  }

  /**
   * Play a move on the board: the piece goes its way, captured men fade and go at its end.
   * @param {Move} move
   * @param {number[]} route
   * @param {number} [legs] how many legs the piece has already gone (by drag or by earlier clicks)
   */
  async perform(move, route, legs = 0) {
    const node = this.#men.get(move.from);
    if (!node) return;
    this.#clear();
    this.#hand.append(node);
    node.classList.add("moving");
    this.#last = [move.from, move.to];
    this.#refused = [];
    this.#arrow = [];
    this.#draw();
    const single = route.length === 2;
    for (let i = 0; i + 1 < route.length; i++) {
      if (i >= legs) {
        await motion.glide(node, this.#centre(route[i + 1]), single ? motion.STEP : motion.LEG);
      }
      for (const square of this.#between(route[i], route[i + 1], move.captures)) {
        this.#men.get(square)?.classList.add("captured");
      }
    }
    motion.place(node, this.#centre(move.to));
    node.classList.remove("moving");
    const kind = this.at(move.from);
    const board = [...this.pieces];
    board[move.from - 1] = ".";
    this.#men.delete(move.from);
    const gone = move.captures.map((square) => {
      board[square - 1] = ".";
      const taken = this.#men.get(square);
      this.#men.delete(square);
      return taken ? motion.vanish(taken) : null;
    });
    board[move.to - 1] = move.crowns ? kind.toUpperCase() : kind;
    this.#men.set(move.to, node);
    this.pieces = board.join("");
    if (move.crowns) await this.#crown(node);
    this.#settle();
    await Promise.all(gone);
  }

  /**
   * The move was refused: the piece goes back, and nods once.
   * @param {number[]} clicks
   */
  async refuse(clicks) {
    this.#refused = clicks.slice(0, 1).concat(clicks.slice(-1));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#refused = [];
      this.#draw();
    }, 1400);
    const node = this.#men.get(clicks[0]);
    this.#putDown();
    this.#draw();
    const body = node?.querySelector(".body");
    if (body) await motion.nod(body);
  }

  /** Point at a move. @param {number[]} route */
  point(route) {
    this.#arrow = route;
    this.#draw();
  }

  /** Let the rings of the pieces that must capture beat. */
  urge() {
    this.#over.classList.remove("urge");
    void this.#svg.getBoundingClientRect(); // restarts the animation
    this.#over.classList.add("urge");
  }

  /** Forget the clicks and put the piece back. */
  release() {
    this.#putDown();
    this.#draw();
  }

  // What clicks mean

  /** @param {number[]} clicks */
  #resolve(clicks) {
    const legal = resolve(this.#choices.legal, clicks);
    return legal.moves.length ? legal : resolve(this.#choices.offences, clicks);
  }

  /**
   * A square was clicked, a piece dropped on it, or Enter pressed.
   * @param {number} square
   * @param {boolean} dropped
   */
  #meant(square, dropped) {
    const { side, huffable } = this.#choices;
    const mine = side !== null && this.at(square) !== "." && sideOf(this.at(square)) === side;
    if (this.#clicks.length) {
      const clicks = [...this.#clicks, square];
      const found = this.#resolve(clicks);
      if (found.moves.length) {
        this.#advance(clicks, found, dropped);
        return;
      }
      if (square === this.#clicks[0] || square === this.#spot) {
        this.release();
        return;
      }
      if (!mine) {
        this.#tell("attempt", { clicks });
        return;
      }
      if (dropped) {
        this.#tell("attempt", { clicks });
        return;
      }
    }
    if (mine && this.#choose(square)) return;
    if (huffable.includes(square)) this.#tell("huff", { square });
    else if (this.at(square) !== ".") this.#tell("attempt", { clicks: [square] });
    else if (this.#refused.length) this.release();
  }

  /**
   * Take a piece in hand. False when it has no move.
   * @param {number} square
   */
  #choose(square) {
    const found = this.#resolve([square]);
    if (!found.moves.length) return false;
    this.#putDown();
    this.#refused = [];
    this.#arrow = [];
    this.#clicks = [square];
    this.#open = found;
    this.#spot = square;
    const node = this.#men.get(square);
    if (node) {
      this.#hand.append(node);
      node.classList.add("chosen");
    }
    this.#refresh();
    this.#tell("choosing", { resolution: found });
    return true;
  }

  /**
   * @param {number[]} clicks
   * @param {Resolution} found
   * @param {boolean} dropped
   */
  #advance(clicks, found, dropped) {
    const gone = this.#open && this.#spot !== clicks[0] ? this.#open.walked : [];
    if (found.move) {
      const { move, route } = found;
      let legs = gone.every((square, i) => route[i] === square) ? Math.max(0, gone.length - 1) : 0;
      if (dropped) {
        const square = clicks[clicks.length - 1];
        legs = square === move.to ? route.length - 1 : route.indexOf(square, 1);
        const node = this.#men.get(move.from);
        if (node) motion.place(node, this.#centre(square));
      }
      this.#tell("play", { move, route, legs });
      return;
    }
    this.#clicks = clicks;
    this.#open = found;
    const here = clicks[clicks.length - 1];
    const spot = dropped ? here : found.walked[found.walked.length - 1];
    this.#wait(spot, dropped ? 80 : motion.LEG);
    this.#tell("choosing", { resolution: found });
  }

  /**
   * Show the chosen piece waiting on a square of its way, what it has taken so far faded.
   * @param {number} spot
   * @param {number} duration
   */
  #wait(spot, duration) {
    const node = this.#men.get(this.#clicks[0]);
    this.#spot = spot;
    if (node) void motion.glide(node, this.#centre(spot), duration);
    for (const man of this.#men.values()) man.classList.remove("captured");
    const walked = this.#open?.walked ?? [];
    for (let i = 0; i + 1 < walked.length; i++) {
      for (const move of this.#open?.moves ?? []) {
        for (const square of this.#between(walked[i], walked[i + 1], move.captures)) {
          this.#men.get(square)?.classList.add("captured");
        }
      }
    }
    this.#refresh();
  }

  /** One click back. */
  #back() {
    if (!this.#clicks.length) return false;
    if (this.#clicks.length === 1) {
      this.release();
      return true;
    }
    this.#clicks = this.#clicks.slice(0, -1);
    this.#open = this.#resolve(this.#clicks);
    const { walked } = this.#open;
    this.#wait(walked[walked.length - 1], motion.LEG);
    this.#tell("choosing", { resolution: this.#open });
    return true;
  }

  /** The chosen piece goes back to where it stands; nothing is chosen any more. */
  #putDown() {
    const square = this.#clicks[0];
    if (!square) return;
    this.#clear();
    const node = this.#men.get(square);
    if (node) {
      this.#layer.append(node);
      void motion.glide(node, this.#centre(square), motion.LEG);
    }
    this.#tell("choosing", { resolution: null });
  }

  #clear() {
    const node = this.#men.get(this.#clicks[0]);
    node?.classList.remove("chosen", "dragged");
    for (const man of this.#men.values()) man.classList.remove("captured");
    this.#clicks = [];
    this.#open = null;
    this.#spot = 0;
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // Pointer

  /** @param {PointerEvent} event @returns {number[]} the pointer's place in the drawing's units */
  #pointer(event) {
    const matrix = this.#svg.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return [point.x, point.y];
  }

  /** @param {number[]} point @returns {number} the playing square there, 0 when none */
  #squareAt([x, y]) {
    const { width, height } = this.#rules;
    let [row, column] = [Math.floor(y / SQUARE), Math.floor(x / SQUARE)];
    if (this.#flipped) [row, column] = [height - 1 - row, width - 1 - column];
    return this.#rules.cells.findIndex(([r, c]) => r === row && c === column) + 1;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!event.isPrimary || event.button > 0 || this.#press) return;
    if (motion.moving()) motion.hurry();
    const square = this.#squareAt(this.#pointer(event));
    if (!square) return;
    this.#press = {
      id: event.pointerId,
      square,
      x: event.clientX,
      y: event.clientY,
      fresh: false,
      moved: false,
      touch: event.pointerType !== "mouse",
    };
    this.#svg.setPointerCapture(event.pointerId);
    const { side } = this.#choices;
    const mine = side !== null && this.at(square) !== "." && sideOf(this.at(square)) === side;
    const onItsWay = this.#clicks.length > 0 && this.#resolve([...this.#clicks, square]).moves.length > 0;
    // The piece is in hand as soon as it is touched, unless the square is a place to go to.
    if (mine && !onItsWay && square !== this.#clicks[0]) this.#press.fresh = this.#choose(square);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    if (!press.moved) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (far < (press.touch ? 10 : 5)) return;
      if (!this.#clicks.length || press.square !== this.#spot) return;
      press.moved = true;
      this.#svg.classList.add("dragging");
    }
    const node = this.#men.get(this.#clicks[0]);
    if (!node) return;
    node.classList.add("dragged");
    const [x, y] = this.#pointer(event);
    // Under a thumb the piece would be hidden: it is held a little above the finger.
    motion.place(node, [x, y - (press.touch ? 34 : 0)]);
    this.#hover(this.#squareAt([x, y]));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    this.#press = null;
    const square = this.#squareAt(this.#pointer(event));
    if (press.moved) {
      this.#endDrag();
      if (!square || square === this.#spot) {
        const node = this.#men.get(this.#clicks[0]);
        if (node) void motion.glide(node, this.#centre(this.#spot), motion.LEG);
        return;
      }
      this.#meant(square, true);
      return;
    }
    if (square !== press.square) return;
    if (press.fresh) this.#maybeQuick();
    else this.#meant(square, false);
  }

  #cancel() {
    if (this.#press?.moved) this.#endDrag();
    this.#press = null;
    this.#putDown();
    this.#draw();
  }

  #endDrag() {
    this.#svg.classList.remove("dragging");
    this.#men.get(this.#clicks[0])?.classList.remove("dragged");
    this.#hover(0);
  }

  #maybeQuick() {
    if (this.quick && this.#open?.moves.length === 1) {
      const move = this.#open.moves[0];
      this.#tell("play", { move, route: move.route, legs: 0 });
    }
  }

  /** @param {number} square the square under a dragged piece */
  #hover(square) {
    for (const mark of this.#over.querySelectorAll("[data-to]")) {
      mark.classList.toggle("hover", Number(mark.getAttribute("data-to")) === square);
    }
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const square = this.#focus;
    switch (event.key) {
      case "Enter":
      case " ":
        motion.hurry();
        if (!this.#clicks.length && this.#choices.side !== null) {
          const mine = this.at(square) !== "." && sideOf(this.at(square)) === this.#choices.side;
          if (mine && this.#choose(square)) {
            this.#maybeQuick();
            break;
          }
        }
        this.#meant(square, false);
        break;
      case "Escape":
        if (!this.#back()) return;
        break;
      case "ArrowLeft":
        this.#walk(0, -1);
        break;
      case "ArrowRight":
        this.#walk(0, 1);
        break;
      case "ArrowUp":
        this.#walk(-1, 0);
        break;
      case "ArrowDown":
        this.#walk(1, 0);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The nearest playing square in a direction, as the board is turned now. Going up and down keeps
   * to the column it began in, as near as the pattern allows.
   * @param {number} rows
   * @param {number} columns
   */
  #walk(rows, columns) {
    const [row, column] = this.#seen(this.#focus);
    const target = row + rows;
    const wanted = columns ? column : this.#column;
    const candidates = [...this.#cells.keys()]
      .map((square) => ({ square, cell: this.#seen(square) }))
      .filter(({ cell }) => cell[0] === target && (!columns || (cell[1] - column) * columns > 0))
      .sort((a, b) => Math.abs(a.cell[1] - wanted) - Math.abs(b.cell[1] - wanted));
    if (!candidates.length) return;
    this.#rove(candidates[0].square, true);
    if (columns) [, this.#column] = this.#seen(this.#focus);
  }

  /**
   * @param {number} square
   * @param {boolean} take also take the focus
   */
  #rove(square, take) {
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = square;
    if (!take) [, this.#column] = this.#seen(square);
    const cell = this.#cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (take) {
      const column = this.#column;
      cell?.focus();
      this.#column = column;
    }
  }

  // Drawing

  /** Row and column of a square as the board is turned now. @param {number} square */
  #seen(square) {
    const [row, column] = this.#rules.cells[square - 1];
    const { width, height } = this.#rules;
    return this.#flipped ? [height - 1 - row, width - 1 - column] : [row, column];
  }

  /** @param {number} square */
  #corner(square) {
    const [row, column] = this.#seen(square);
    return [column * SQUARE, row * SQUARE];
  }

  /** @param {number} square */
  #centre(square) {
    const [x, y] = this.#corner(square);
    return [x + HALF, y + HALF];
  }

  /**
   * The captured squares that lie on the straight way between two squares.
   * @param {number} from
   * @param {number} to
   * @param {number[]} captures
   */
  #between(from, to, captures) {
    const [r0, c0] = this.#rules.cells[from - 1];
    const [r1, c1] = this.#rules.cells[to - 1];
    return captures.filter((square) => {
      const [r, c] = this.#rules.cells[square - 1];
      const onLine = (r - r0) * (c1 - c0) === (c - c0) * (r1 - r0);
      return onLine && (r - r0) * (r - r1) + (c - c0) * (c - c1) < 0;
    });
  }

  /** Everything whose place depends on which way round the board lies. */
  #layOut() {
    const { width, height, numbers, algebraic } = this.#rules;
    const [w, h] = [width * SQUARE, height * SQUARE];
    const m = algebraic ? MARGIN : 0;
    this.#svg.setAttribute("viewBox", `${-m} ${-m} ${w + 2 * m} ${h + 2 * m}`);
    const figures = [];
    for (const [square, cell] of this.#cells) {
      const [x, y] = this.#corner(square);
      const [row, column] = this.#seen(square);
      cell.setAttribute("transform", `translate(${x} ${y})`);
      cell.setAttribute("aria-colindex", String(column + 1));
      cell.parentElement?.setAttribute("aria-rowindex", String(row + 1));
      const node = this.#men.get(square);
      if (node) motion.place(node, this.#centre(square));
      if (!algebraic) figures.push(svg("text", { x: x + 5, y: y + 5 }));
      if (!algebraic) figures[figures.length - 1].textContent = numbers[square];
    }
    this.#figures.replaceChildren(...figures);
    this.#rim.replaceChildren(...(algebraic ? this.#coordinates() : []));
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "0");
    if (this.#spot) this.#putDown();
    this.#draw();
  }

  /** The letters under and the digits beside an algebraic board. */
  #coordinates() {
    const { width, height } = this.#rules;
    const texts = [];
    for (let i = 0; i < Math.max(width, height); i++) {
      const along = i * SQUARE + HALF;
      if (i < width) {
        const letter = svg("text", { x: along, y: height * SQUARE + 25 });
        letter.textContent = "abcdefghijkl"[this.#flipped ? width - 1 - i : i];
        texts.push(letter);
      }
      if (i < height) {
        const digit = svg("text", { x: -MARGIN / 2, y: along + 8 });
        digit.textContent = String(this.#flipped ? i + 1 : height - i);
        texts.push(digit);
      }
    }
    return texts;
  }

  /**
   * @param {number} square
   * @param {string} kind
   */
  #put(square, kind) {
    const node = piece(kind);
    motion.place(node, this.#centre(square));
    this.#layer.append(node);
    this.#men.set(square, node);
    return node;
  }

  /** @param {SVGGElement} node */
  async #crown(node) {
    const body = node.querySelector(".body");
    body?.querySelector(".disc")?.setAttribute("transform", "translate(0 8)");
    const upper = disc(-10);
    body?.append(upper, crown());
    node.classList.add("king");
    await motion.stack(upper);
  }

  /** Let every piece stand where the position has it. */
  #settle() {
    for (const [square, node] of this.#men) {
      node.classList.remove("captured", "moving");
      if (node.parentNode !== this.#layer) this.#layer.append(node);
      motion.place(node, this.#centre(square));
    }
    this.#refresh();
  }

  /** The marks and what the squares are called. */
  #refresh() {
    this.#draw();
    const { must, huffable } = this.#choices;
    const open = this.#open;
    for (const [square, cell] of this.#cells) {
      const kind = this.at(square);
      const parts = [this.name(square)];
      if (kind !== ".") {
        const colour = this.#rules.colour_names[sideOf(kind)];
        parts.push(t(kind === kind.toUpperCase() ? "cell_king" : "cell_man", { colour }));
      }
      if (must.includes(square)) parts.push(t("cell_must"));
      if (huffable.includes(square)) parts.push(t("cell_huff"));
      if (open?.ends.includes(square) || open?.branches.includes(square)) parts.push(t("cell_target"));
      const label = parts.join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(square === this.#clicks[0]));
    }
  }

  #draw() {
    const { must, huffable, offences, legal } = this.#choices;
    const [under, over] = [/** @type {Element[]} */ ([]), /** @type {Element[]} */ ([])];
    for (const square of this.#last) {
      const [x, y] = this.#corner(square);
      under.push(
        svg("rect", { class: "last", x, y, width: SQUARE, height: SQUARE }),
        svg("path", { class: "last-corners", d: corners(x, y) }),
      );
    }
    const chosen = this.#clicks[0];
    if (chosen) {
      const [x, y] = this.#corner(chosen);
      under.push(svg("rect", { class: "held", x, y, width: SQUARE, height: SQUARE }));
    }
    /** @param {string} name @param {number} square @param {number} r */
    const ring = (name, square, r) => {
      const [cx, cy] = this.#centre(square);
      over.push(
        svg("circle", { class: `${name} edge`, cx, cy, r }),
        svg("circle", { class: name, cx, cy, r, "data-to": square }),
      );
    };
    for (const square of must) if (square !== chosen) ring("must", square, 46);
    for (const square of huffable) ring("huffable", square, 46);
    const open = this.#open;
    if (open) {
      const offence = !legal.some(({ from }) => from === chosen) && offences.length > 0;
      for (const square of open.branches) if (square !== this.#spot) ring("branch", square, 13);
      for (const square of open.ends) {
        if (square === this.#spot) continue;
        const [cx, cy] = this.#centre(square);
        over.push(svg("circle", { class: offence ? "target offence" : "target", cx, cy, r: 15, "data-to": square }));
      }
    }
    for (const square of new Set(this.#refused)) {
      const [x, y] = this.#corner(square);
      const box = { x: x + 5, y: y + 5, width: SQUARE - 10, height: SQUARE - 10 };
      over.push(svg("rect", { class: "refused edge", ...box }), svg("rect", { class: "refused", ...box }));
    }
    const tip = [];
    if (this.#arrow.length > 1) {
      const points = this.#arrow.map((square) => this.#centre(square).join(" "));
      tip.push(svg("path", { class: "arrow edge", d: `M${points.join("L")}` }));
      tip.push(svg("path", { class: "arrow", d: `M${points.join("L")}` }));
      const [cx, cy] = this.#centre(this.#arrow[this.#arrow.length - 1]);
      tip.push(svg("circle", { class: "arrow-head", cx, cy, r: 17 }));
    }
    this.#under.replaceChildren(...under);
    this.#over.replaceChildren(...over);
    this.#tip.replaceChildren(...tip);
  }
}

/** Three corners of a square (the number has the fourth), so that the last move is told by shape as well as by tint. */
function corners(/** @type {number} */ x, /** @type {number} */ y) {
  const [l, m, r] = [4, 18, 96];
  const at = (/** @type {number[][]} */ path) => path.map(([a, b]) => `${x + a} ${y + b}`).join("L");
  return [
    [[r - 14, l], [r, l], [r, m]],
    [[l, r - 14], [l, r], [m, r]],
    [[r - 14, r], [r, r], [r, r - 14]],
  ].map((path) => `M${at(path)}`).join("");
}

customElements.define("damka-board", DamkaBoard);
