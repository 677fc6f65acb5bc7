/** Palette of the editor: the chosen tool, and pieces that are dragged from it to the board. */

import { svg, piece } from "./pieces.js";

/** Movement that begins a drag, in pixels. */
const DRAG = 6;

/** Tools: a piece to place, "." to remove one, "" to move one. */
export const TOOLS = ["", "w", "W", "b", "B", "."];

export class Palette {
  #form;
  #board;
  #onDrop;

  /**
   * @param {HTMLFieldSetElement} form with a radio button for each tool
   * @param {import("./edit_board.js").EditBoard} board
   * @param {(square: number, piece: string) => void} onDrop
   */
  constructor(form, board, onDrop) {
    this.#form = form;
    this.#board = board;
    this.#onDrop = onDrop;
    for (const label of form.querySelectorAll("label")) {
      const tool = label.querySelector("input")?.value ?? "";
      const name = label.querySelector(".unseen");
      if (!/[wb]/i.test(tool) || !name) continue;
      name.textContent = board.pieceName(tool);
      label.title = `${name.textContent} (${TOOLS.indexOf(tool)})`;
      label.querySelector(".tool")?.append(figure(tool));
      label.addEventListener("pointerdown", (event) => this.#press(event, label, tool));
    }
  }

  /** The chosen tool. */
  get tool() {
    return this.#form.querySelector("input:checked")?.getAttribute("value") ?? "";
  }

  set tool(value) {
    const input = /** @type {HTMLInputElement | null} */ (this.#form.querySelector(`input[value="${value}"]`));
    if (input) input.checked = true;
  }

  /** Follow a piece that is dragged from the palette. @param {PointerEvent} down @param {HTMLElement} label @param {string} kind */
  #press(down, label, kind) {
    if (!down.isPrimary || down.button > 0) return;
    /** @type {SVGSVGElement | null} */
    let dragged = null;
    label.setPointerCapture(down.pointerId);
    /** @param {PointerEvent} event */
    const onMove = (event) => {
      if (event.pointerId !== down.pointerId) return;
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > DRAG;
      if (!dragged && !far) return;
      dragged ??= this.#lift(kind);
      dragged.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      this.#board.aim(this.#board.squareAt(event.clientX, event.clientY));
    };
    /** @param {PointerEvent} event */
    const onEnd = (event) => {
      if (event.pointerId !== down.pointerId) return;
      for (const type of ["pointerup", "pointercancel"]) label.removeEventListener(type, /** @type {any} */ (onEnd));
      label.removeEventListener("pointermove", onMove);
      this.#board.aim(0);
      if (!dragged) return;
      dragged.remove();
      // The end of a drag does not choose the tool.
      const stop = (/** @type {Event} */ click) => click.preventDefault();
      label.addEventListener("click", stop, { once: true, capture: true });
      setTimeout(() => label.removeEventListener("click", stop, { capture: true }));
      const square = event.type === "pointerup" ? this.#board.squareAt(event.clientX, event.clientY) : 0;
      if (square) this.#onDrop(square, kind);
    };
    label.addEventListener("pointermove", onMove);
    label.addEventListener("pointerup", onEnd);
    label.addEventListener("pointercancel", onEnd);
  }

  /** Piece under the pointer, as large as on the board. @param {string} kind */
  #lift(kind) {
    const node = figure(kind);
    const columns = Number(this.#board.style.getPropertyValue("--columns")) || 8;
    const size = `${this.#board.getBoundingClientRect().width / columns}px`;
    [node.style.width, node.style.height] = [size, size];
    node.classList.add("flying");
    document.body.append(node);
    return node;
  }
}

/** @param {string} kind */
const figure = (kind) => svg("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, piece(kind));
