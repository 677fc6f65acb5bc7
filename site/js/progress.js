/** How much of what Python needs has arrived, in words. */

export class Progress {
  #words;
  #number;
  #amount = "";
  #changed = () => {};

  /** @param {string} words an amount, with {got} and {all} @param {string} language */
  constructor(words, language) {
    // An amount is not broken at the end of a line.
    this.#words = words.replace(/ /g, "\u00a0");
    this.#number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  }

  /** Call a function whenever the words change, in place of an earlier one. @param {() => void} changed */
  watch(changed) {
    this.#changed = changed;
  }

  /** @param {{got: number, all: number}} bytes */
  show({ got, all }) {
    const megabytes = (/** @type {number} */ bytes) => this.#number.format(bytes / 1e6);
    const values = { got: megabytes(got), all: megabytes(all) };
    const amount = got < all ? this.#words.replace(/\{(got|all)\}/g, (_, name) => values[/** @type {"got" | "all"} */ (name)]) : "";
    if (amount === this.#amount) return;
    this.#amount = amount;
    this.#changed();
  }

  /** A sentence, and the amount while something is still on its way. @param {string} sentence */
  after(sentence) {
    return this.#amount ? `${sentence} ${this.#amount}` : sentence;
  }
}
