/** Input on the board: taps and drags, and the arrow keys, Enter and Escape. */

// Distance of a dragged piece above the finger, as a fraction of the board's width
const FINGER_OFFSET = 0.042;

// Longest time between the two taps of a double-click, in milliseconds
const DOUBLE_CLICK = 350;
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Gestures {
  #svg;
  #layout;
  #board;
  /** @type {Press | null} */ #press = null;
  #tapped = { square: 0, time: 0 };

  /**
   * @param {SVGSVGElement} svg
   * @param {import("./layout.js").Layout} layout
   * @param {GestureCallbacks} board
   */
  constructor(svg, layout, board) {
    this.#svg = svg;
    this.#layout = layout;
    this.#board = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    // A click does not focus the board, so that ← and → still browse the moves; Tab focuses it.
    svg.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const { activeElement: active } = /** @type {Document} */ (svg.getRootNode());
      if (active instanceof HTMLElement) active.blur();
    });
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Pointer position in drawing units. @param {PointerEvent} event */
  #place(event) {
    const matrix = this.#svg.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** Square of the event; touch has a tolerance. @param {PointerEvent} event */
  #square(event) {
    return this.#layout.squareAt(this.#place(event), event.pointerType === "touch");
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!event.isPrimary || event.button > 0 || this.#press) return;
    this.#board.touch();
    const square = this.#square(event);
    if (!square) return;
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#press = { id, square, x, y, fresh: false, moved: false, finger: event.pointerType === "touch" };
    this.#svg.setPointerCapture(id);
    this.#press.fresh = this.#board.press(square);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (event.pointerId !== press?.id) return;
    if (!press.moved) {
      const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (distance < (press.finger ? 10 : 5) || !this.#board.lift(press.square)) return;
      press.moved = true;
      this.#svg.classList.add("dragging");
    }
    const [x, y] = this.#place(event);
    const above = press.finger ? FINGER_OFFSET * this.#layout.width : 0;
    this.#board.drag(press.square, [x, y - above], this.#square(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (event.pointerId !== press?.id) return;
    this.#press = null;
    const square = this.#square(event);
    if (press.moved) {
      this.#endDrag(press.square);
      this.#board.drop(press.square, square);
    } else if (square === press.square) this.#board.tap(square, press.fresh, this.#repeats(square, event.timeStamp));
  }

  /** Whether a tap is the second of a double-click. @param {number} square @param {number} time */
  #repeats(square, time) {
    const { square: before, time: since } = this.#tapped;
    const repeats = square === before && time - since < DOUBLE_CLICK;
    this.#tapped = repeats ? { square: 0, time } : { square, time };
    return repeats;
  }

  /** End a press that the system has cancelled, or that became a long press. */
  cancel() {
    if (this.#press?.moved) this.#endDrag(this.#press.square);
    this.#press = null;
    this.#board.release();
  }

  /** @param {number} square start of the drag */
  #endDrag(square) {
    this.#svg.classList.remove("dragging");
    this.#board.endDrag(square);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    if (step) this.#board.go(step[0], step[1]);
    else if (event.key === "Enter" || event.key === " ") this.#board.enter();
    else if (event.key !== "Escape" || !this.#board.back()) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
