/** Graph of a review: White's winning chance in every position. It is a slider through the game. */

import { svg } from "./pieces.js";

const WIDTH = 360;
const HEIGHT = 96;
/** Margins, so that marks at the ends are whole. */
const SIDE = 6;
const EDGE = 3;
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** @param {number} number */
const rounded = (number) => Math.round(10 * number) / 10;
/** @param {number} ply @param {number} count positions of the game */
export const xOf = (ply, count) => rounded(SIDE + ((WIDTH - 2 * SIDE) * ply) / Math.max(1, count - 1));
/** @param {number} chance 0 to 1 */
export const yOf = (chance) => rounded(EDGE + (1 - chance) * (HEIGHT - 2 * EDGE));

/**
 * The ply that a key leads to; null for other keys.
 * @param {string} key @param {number} ply @param {number} last @param {number[]} moments plies, ascending
 */
export function plyAfter(key, ply, last, moments) {
  const step = KEYS[/** @type {keyof typeof KEYS} */ (key)];
  if (step) return Math.max(0, Math.min(last, ply + step));
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "PageDown") return moments.find((each) => each > ply) ?? ply;
  if (key === "PageUp") return moments.filter((each) => each < ply).pop() ?? ply;
  return null;
}

export class ReviewGraph {
  element = document.createElement("div");
  #svg = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  #now = svg("line", { class: "now", y1: 0, y2: HEIGHT });
  /** @type {number[]} */ #graph = [];
  /** @type {ReviewMoment[]} */ #moments = [];
  #ply = 0;
  /** @type {(ply: number, chance: number) => string} */ #words;
  /** @type {(ply: number) => void} */ #onPly;

  /**
   * @param {string} label
   * @param {(ply: number, chance: number) => string} words the value of a ply for screen readers
   * @param {(ply: number) => void} onPly
   */
  constructor(label, words, onPly) {
    [this.#words, this.#onPly] = [words, onPly];
    const { element } = this;
    element.className = "graph";
    element.tabIndex = 0;
    for (const [name, value] of Object.entries({ role: "slider", "aria-label": label, "aria-valuemin": "0" })) element.setAttribute(name, value);
    element.append(this.#svg);
    element.addEventListener("keydown", (event) => this.#press(event));
    element.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      element.setPointerCapture(event.pointerId);
      this.#drag(event);
    });
    element.addEventListener("pointermove", (event) => event.buttons && element.hasPointerCapture(event.pointerId) && this.#drag(event));
  }

  /** @param {number[]} graph @param {ReviewMoment[]} moments */
  show(graph, moments) {
    [this.#graph, this.#moments] = [graph, moments];
    const { length } = graph;
    const inner = graph.map((chance, ply) => `${xOf(ply, length)},${yOf(chance)}`).join(" ");
    const points = `0,${yOf(graph[0])} ${inner} ${WIDTH},${yOf(graph[length - 1])}`;
    this.#svg.replaceChildren(
      svg("rect", { class: "black", width: WIDTH, height: HEIGHT }),
      svg("polygon", { class: "white", points: `0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}` }),
      svg("line", { class: "middle", x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { points }),
      ...moments.map(({ ply, mistake }) => {
        const [x, y] = [xOf(ply, length), yOf(graph[ply] ?? 0.5)];
        return mistake ? svg("circle", { class: "mistake", cx: x, cy: y, r: 4.5 }) : svg("path", { class: "good", d: `M${x} ${y - 6}l6 6-6 6-6-6z` });
      }),
      this.#now,
    );
    this.element.setAttribute("aria-valuemax", String(length - 1));
    this.ply = this.#ply;
  }

  /** Mark a position. @param {number} ply */
  set ply(ply) {
    this.#ply = ply;
    const x = String(xOf(ply, this.#graph.length));
    this.#now.setAttribute("x1", x);
    this.#now.setAttribute("x2", x);
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", this.#words(ply, this.#graph[ply] ?? 0.5));
  }

  get ply() {
    return this.#ply;
  }

  /** @param {PointerEvent} event */
  #drag({ clientX }) {
    const { left, width } = this.#svg.getBoundingClientRect();
    const last = this.#graph.length - 1;
    this.#go(Math.max(0, Math.min(last, Math.round(((((clientX - left) / width) * WIDTH - SIDE) / (WIDTH - 2 * SIDE)) * last))));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { key, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey) return;
    const to = plyAfter(key, this.#ply, this.#graph.length - 1, this.#moments.map(({ ply }) => ply));
    if (to === null) return;
    event.preventDefault();
    this.#go(to);
  }

  /** @param {number} ply */
  #go(ply) {
    if (ply !== this.#ply) this.#onPly(ply);
  }
}
