/** Text for the download progress of Python. */

export class Progress {
  #words;
  #number;
  #amount = "";
  #changed = () => {};

  /** @param {string} words an amount, with {got} and {all} @param {string} language */
  constructor(words, language) {
    // Non-breaking, so that amounts do not wrap.
    this.#words = words.replace(/ /g, "\u00a0");
    this.#number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  }

  /** Set the callback for changes of the text. @param {() => void} changed */
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

  /** Return a sentence, followed by the amount while files are loading. @param {string} sentence */
  after(sentence) {
    return this.#amount ? `${sentence} ${this.#amount}` : sentence;
  }
}
