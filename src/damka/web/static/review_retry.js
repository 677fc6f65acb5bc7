/** Mistakes of a review to try again: the position before each one, and a verdict on the player's move. */

import { analysis } from "./analysis_board.js";
import { openSource } from "./analysis_source.js";
import { button, make } from "./elements.js";
import { page, t } from "./i18n.js";
import { compare, judge } from "./review_run.js";

/** @typedef {"try" | "judging" | "right" | "wrong" | "answer"} Phase */

/**
 * @typedef {object} Callbacks
 * @property {(ply: number) => string} name number and move of a ply
 * @property {(moment: ReviewMoment) => void} play plays the line of a moment on the board
 * @property {(side: Side) => void} onEnd
 */

const names = /** @type {RulesData} */ (page.rules).colour_names;

export class Retry {
  element = make("div", "retry");
  /** @type {ReviewedGame} */ #game;
  /** @type {Callbacks} */ #callbacks;
  /** @type {ReviewMoment[]} */ #mistakes = [];
  #at = 0;
  /** @type {Phase} */ #phase = "try";
  /** Number of the latest verdict. */
  #number = 0;
  /** @type {AnalysisSource | null} */ #source = null;
  #count = make("p", "hint");
  #task = make("h3", "");
  #say = make("p", "verdict");
  #again = button(t("review.page.again"), "button", () => void this.#show());
  #answer = button(t("review.page.answer"), "button quiet", () => this.#showAnswer());
  #next = button(t("review.page.next"), "button", () => {
    this.#at += 1;
    void this.#show();
  });
  #back = button(t("review.page.back"), "button quiet", () => this.#end());
  /** Ends the calls of the board. @type {(() => void) | null} */ #leave = null;

  /** @param {ReviewedGame} game @param {Callbacks} callbacks */
  constructor(game, callbacks) {
    [this.#game, this.#callbacks] = [game, callbacks];
    this.element.hidden = true;
    this.#task.tabIndex = -1;
    this.#say.setAttribute("role", "status");
    this.element.append(this.#count, this.#task, this.#say, make("div", "retry-acts", this.#again, this.#next, this.#answer, this.#back));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @param {ReviewMoment[]} mistakes of one side */
  async start(mistakes) {
    [this.#mistakes, this.#at] = [mistakes, 0];
    this.element.hidden = false;
    document.body.classList.add("retrying");
    await this.#show();
    if (this.isOpen) this.#leave ??= analysis.onPosition((position) => this.#follow(position));
  }

  close() {
    this.#number += 1;
    this.#leave?.();
    this.#leave = null;
    this.#source?.close();
    this.#source = null;
    this.element.hidden = true;
    document.body.classList.remove("retrying");
  }

  #end() {
    const { side } = this.#moment;
    this.close();
    this.#callbacks.onEnd(side);
  }

  get #moment() {
    return this.#mistakes[this.#at];
  }

  /** Show the position before a mistake. */
  async #show() {
    const { ply, side } = this.#moment;
    this.#count.textContent = t("review.page.mistake_of", { n: this.#at + 1, all: this.#mistakes.length });
    this.#task.textContent = t("review.page.find", { side: names[side], move: this.#callbacks.name(ply) });
    this.#set("try", "");
    this.#task.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
    await analysis.goTo(this.#game.keys.slice(0, ply - 1));
  }

  /** @param {Phase} phase @param {string} sentence */
  #set(phase, sentence) {
    this.#number += 1;
    this.#phase = phase;
    this.element.dataset.phase = phase;
    this.#say.textContent = sentence;
    const isOver = phase === "right" || phase === "answer";
    this.#again.hidden = phase !== "wrong";
    this.#answer.hidden = isOver || phase === "judging";
    this.#next.hidden = this.#at + 1 >= this.#mistakes.length;
    this.#next.classList.toggle("quiet", !isOver);
  }

  /** Judge the move of a new position. @param {AnalysisPosition} position */
  #follow({ moves }) {
    const before = this.#game.keys.slice(0, this.#moment.ply - 1);
    if (!before.every((key, i) => key === moves[i])) return;
    // Going back is another try.
    if (moves.length === before.length && (this.#phase === "wrong" || this.#phase === "judging")) this.#set("try", "");
    if (moves.length === before.length + 1 && this.#phase === "try") void this.#judge(moves[before.length]);
  }

  /** @param {string} key */
  async #judge(key) {
    const moment = this.#moment;
    const { ply, kind, huff, best, lost } = moment;
    const { text } = analysis.position.node;
    const before = this.#game.keys.slice(0, ply - 1);
    if (key === (huff ? `(${huff})${best}` : best)) return this.#set("right", t("review.page.right", { move: text }));
    if (key === this.#game.keys[ply - 1]) return this.#set("wrong", t("review.page.same", { n: Math.round(100 * lost) }));
    // A piece was left: huffing it is right with every move.
    if (kind === "missed_huff") return key.startsWith(`(${huff})`) ? this.#set("right", t("review.page.right_too", { move: text })) : this.#set("wrong", t("review.page.wrong_huff"));
    this.#set("judging", t("review.page.judging"));
    const number = this.#number;
    /** @type {[Phase, string]} */
    let verdict;
    try {
      verdict = await this.#verdict(before, key, text);
    } catch (error) {
      verdict = ["wrong", /** @type {Error} */ (error).message || t("offline")];
    }
    if (number === this.#number) this.#set(...verdict);
  }

  /** @param {string[]} before @param {string} key @param {string} move @returns {Promise<[Phase, string]>} */
  async #verdict(before, key, move) {
    const { best, huff, side } = this.#moment;
    const { ok, data } = await analysis.ask({ moves: [...before, key], after: before.length });
    if (!ok) throw new Error(data?.message);
    const { positions, result } = /** @type {LineAnswer} */ (data);
    if (positions.at(-1)?.offence) return ["wrong", t("review.page.wrong_offence")];
    const ended = !result ? null : !result.winner ? "draw" : result.winner === side ? "win" : "loss";
    this.#source ??= openSource(page);
    const isPlain = huff === null && !key.startsWith("(");
    const judged = isPlain ? judge(this.#game, before.length, key, best, this.#source, ended) : compare(this.#game, before.length, key, huff, this.#source, ended);
    const { right, lost } = await judged;
    return right ? ["right", t("review.page.right_too", { move })] : ["wrong", t("review.page.wrong", { move, n: Math.round(100 * lost) })];
  }

  #showAnswer() {
    this.#set("answer", this.#moment.sentence);
    (this.#next.hidden ? this.#back : this.#next).focus();
    this.#callbacks.play(this.#moment);
  }
}
