/** Evaluation bar beside the board: the chances of White, of a draw and of Black. */

export class EvaluationBar {
  #element;
  #parts;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    element.setAttribute("role", "img");
    this.#parts = ["win", "draw", "loss"].map((name) => {
      const part = document.createElement("span");
      part.className = name;
      return part;
    });
    element.replaceChildren(...this.#parts);
    this.show(null);
  }

  /** @param {boolean} flipped whether Black is at the bottom */
  set flipped(flipped) {
    this.#element.classList.toggle("flipped", flipped);
  }

  /** @param {import("./scores.js").Shown | null} shown null: unknown */
  show(shown) {
    this.#element.classList.toggle("unknown", !shown);
    this.#element.setAttribute("aria-label", shown ? shown.sentence : "");
    this.#element.setAttribute("title", shown ? shown.sentence : "");
    const { win, draw, loss } = shown?.chances ?? { win: 0, draw: 1, loss: 0 };
    [win, draw, loss].forEach((share, i) => this.#parts[i].style.setProperty("flex-grow", String(share)));
  }
}
