/**
 * Move list and navigation through it. Position i is the one after i moves; the last one is the
 * current position.
 */

import { byId } from "./status.js";
import { t } from "./i18n.js";

const list = byId("moves");
/** @type {NodeListOf<HTMLButtonElement>} */
const steps = byId("steps").querySelectorAll("[data-go]");

export class Log {
  /** @type {HTMLButtonElement[]} */ #buttons = [];
  /** @type {string[]} */ #texts = [];
  #current = 0;
  #go;

  /** @param {(position: number) => void} go */
  constructor(go) {
    this.#go = go;
    list.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) go(Number(button.dataset.position));
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {Entry[]} history
   * @param {number} position position shown on the board
   * @param {(square: number) => string} name
   */
  show(history, position, name) {
    const texts = history.map(({ text, huff }) =>
      huff && !text.startsWith("(") ? `(${name(huff)}) ${text}` : text,
    );
    let same = 0;
    while (same < texts.length && this.#texts[same] === texts[same]) same++;
    for (const button of this.#buttons.splice(same)) button.remove();
    while (list.children.length > Math.ceil(same / 2)) list.lastElementChild?.remove();
    for (let i = same; i < texts.length; i++) this.#add(i, texts[i], history[i]);
    this.#texts = texts;
    this.#current = position;
    this.#buttons.forEach((button, i) => {
      const isCurrent = i + 1 === position;
      button.toggleAttribute("aria-current", isCurrent);
      button.tabIndex = isCurrent || (!position && i === 0) ? 0 : -1;
    });
    for (const button of steps) {
      const back = ["first", "back"].includes(button.dataset.go ?? "");
      button.disabled = back ? !position : position === texts.length;
    }
    this.#reveal();
  }

  /** Show another position. @param {"first" | "back" | "on" | "last"} where */
  step(where) {
    const end = this.#buttons.length;
    const target = { first: 0, back: this.#current - 1, on: this.#current + 1, last: end }[where];
    this.#go(Math.max(0, Math.min(end, target)));
  }

  /** @param {number} i @param {string} text @param {Entry} entry */
  #add(i, text, entry) {
    if (i % 2 === 0) {
      const row = document.createElement("li");
      const number = document.createElement("i");
      number.textContent = String(i / 2 + 1);
      row.append(number);
      list.append(row);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.position = String(i + 1);
    button.textContent = text;
    if (entry.offence) {
      button.classList.add("offence");
      button.title = t("offence");
    }
    list.lastElementChild?.append(button);
    this.#buttons.push(button);
  }

  /** Scroll the list to the shown move without scrolling the page. */
  #reveal() {
    const button = this.#buttons[this.#current - 1];
    if (!button) {
      list.scrollTo(0, 0);
      return;
    }
    const [box, area] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.bottom > area.bottom) list.scrollTop += box.bottom - area.bottom + 8;
    if (box.top < area.top) list.scrollTop -= area.top - box.top + 8;
    if (box.right > area.right) list.scrollLeft += box.right - area.right + 24;
    if (box.left < area.left) list.scrollLeft -= area.left - box.left + 24;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("damka-board, input, select, dialog[open]")) return;
    const keys = /** @type {const} */ ({ ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" });
    const where = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!where || !this.#buttons.length) return;
    event.preventDefault();
    this.step(where);
    if (list.contains(target)) this.#buttons[Math.max(0, this.#current - 1)]?.focus();
  }
}
