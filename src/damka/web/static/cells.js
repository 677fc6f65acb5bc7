/** Grid of squares for the keyboard and screen readers: focus and labels. */

import { svg } from "./pieces.js";
import { SQUARE } from "./shapes.js";

export class Cells {
  /** @type {Map<number, SVGGElement>} */ #cells = new Map();
  #layout;
  #column = 0; // column to follow when moving up and down
  focus = 0;
  /** Drawing elements. @type {SVGGElement[]} */ rows;

  /** @param {RulesData} rules @param {import("./layout.js").Layout} layout */
  constructor({ height, cells }, layout) {
    this.#layout = layout;
    this.rows = Array.from({ length: height }, () => svg("g", { role: "row" }));
    cells.forEach(([row], i) => {
      const cell = svg(
        "g",
        { role: "gridcell", class: "cell", tabindex: -1, "data-square": i + 1 },
        svg("rect", { class: "play", width: SQUARE, height: SQUARE }),
        svg("rect", { class: "focus", x: 5, y: 5, width: SQUARE - 10, height: SQUARE - 10, rx: 4 }),
      );
      this.#cells.set(i + 1, cell);
      this.rows[row].append(cell);
    });
  }

  /** Place the squares for the board's orientation. */
  layOut() {
    for (const [square, cell] of this.#cells) {
      const { x, y } = this.#layout.corner(square);
      const [row, column] = this.#layout.cell(square);
      cell.setAttribute("transform", `translate(${x} ${y})`);
      cell.setAttribute("aria-colindex", String(column + 1));
      cell.parentElement?.setAttribute("aria-rowindex", String(row + 1));
    }
  }

  /**
   * Label the squares.
   * @param {(square: number) => (string | false | null)[]} words
   * @param {number} selected the square of the chosen piece
   */
  describe(words, selected) {
    for (const [square, cell] of this.#cells) {
      cell.setAttribute("aria-label", words(square).filter(Boolean).join(", "));
      cell.setAttribute("aria-selected", String(square === selected));
    }
  }

  /**
   * Make a square the tab stop.
   * @param {number} square
   * @param {boolean} focusNow whether to focus it now
   * @param {number} [column] column to follow when moving up and down
   */
  rove(square, focusNow, column) {
    this.#cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.#cells.get(square)?.setAttribute("tabindex", "0");
    this.focus = square;
    if (focusNow) this.#cells.get(square)?.focus();
    this.#column = column ?? this.#layout.cell(square)[1];
  }

  /** Move the focus to the nearest square. @param {number} down @param {number} right */
  move(down, right) {
    const target = this.#layout.next(this.focus, down, right, this.#column);
    if (target) this.rove(target, true, down ? this.#column : undefined);
  }
}
