/**
 * Geometry of the squares in the board's orientation, in drawing units: 100 per square.
 */

import { SQUARE } from "./shapes.js";

const HALF = SQUARE / 2;
// Largest distance of a tap from the centre of its square
const REACH = 0.85 * SQUARE;

export class Layout {
  #cells;
  #rows;
  #columns;
  flipped = false;

  /** @param {RulesData} rules */
  constructor({ cells, width, height }) {
    this.#cells = cells;
    this.#rows = height;
    this.#columns = width;
  }

  /** Width of the board. */
  get width() {
    return this.#columns * SQUARE;
  }

  /** Displayed row and column of a square. @param {number} square */
  cell(square) {
    const [row, column] = this.#cells[square - 1];
    return this.flipped ? [this.#rows - 1 - row, this.#columns - 1 - column] : [row, column];
  }

  /** @param {number} square @returns {{x: number, y: number}} the upper left corner */
  corner(square) {
    const [row, column] = this.cell(square);
    return { x: column * SQUARE, y: row * SQUARE };
  }

  /** @param {number} square */
  centre(square) {
    const { x, y } = this.corner(square);
    return [x + HALF, y + HALF];
  }

  /**
   * Playing square at a point, 0 if none.
   * @param {number[]} point
   * @param {boolean} [near] whether a point beside the playing squares selects the nearest one
   */
  squareAt([x, y], near = false) {
    const distances = this.#cells.map((_, i) => {
      const [cx, cy] = this.centre(i + 1);
      const [dx, dy] = [Math.abs(x - cx), Math.abs(y - cy)];
      return Math.max(dx, dy) <= HALF ? 0 : Math.hypot(dx, dy);
    });
    const least = Math.min(...distances);
    return least < (near ? REACH : 1) ? distances.indexOf(least) + 1 : 0;
  }

  /**
   * Return the `squares` on the straight line between two squares.
   * @param {number} from
   * @param {number} to
   * @param {number[]} squares
   */
  between(from, to, squares) {
    const [[r0, c0], [r1, c1]] = [this.cell(from), this.cell(to)];
    return squares.filter((square) => {
      const [r, c] = this.cell(square);
      const onLine = (r - r0) * (c1 - c0) === (c - c0) * (r1 - r0);
      return onLine && (r - r0) * (r - r1) + (c - c0) * (c - c1) < 0;
    });
  }

  /**
   * Nearest playing square in a direction, 0 at the edge. Up and down stay as close to the
   * preferred column as the board allows.
   * @param {number} square
   * @param {number} down rows to go
   * @param {number} right columns to go; only the sign counts
   * @param {number} preferred preferred column
   */
  next(square, down, right, preferred) {
    const [row, column] = this.cell(square);
    const aim = right ? column : preferred;
    const off = (/** @type {number} */ other) => Math.abs(this.cell(other)[1] - aim);
    const [nearest = 0] = this.#cells
      .map((_, i) => i + 1)
      .filter((other) => {
        const [r, c] = this.cell(other);
        return r === row + down && (!right || (c - column) * right > 0);
      })
      .sort((a, b) => off(a) - off(b));
    return nearest;
  }
}
