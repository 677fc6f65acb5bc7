/**
 * State of a level on its page: the level, the learner's moves, mistakes and hints, and the requests
 * about them. It draws nothing.
 */

import { page } from "./i18n.js";
import { request } from "./transport.js";

/** Most mistakes that a request counts. */
const MAX_MISTAKES = 1000;

/** @typedef {{ok: boolean, message: string}} Failure */

export class LessonState {
  #lesson;
  /** Number of the level that is shown: an answer about an earlier one is dropped. */
  #visit = 0;
  /** Number of the latest request for a level: an earlier one is dropped. */
  #opening = 0;
  level;
  /** Current question: the level's, or that of a later move of a sequence. @type {LessonQuestion} */
  question;
  /** Chosen squares. @type {number[]} */
  chosen = [];
  /** Right moves of a sequence so far. @type {number[][]} */
  #played = [];
  #mistakes = 0;
  #hints = 0;
  /** Best verdict; null before the level is finished. @type {LessonVerdict | null} */
  done = null;

  /** @param {LessonPage} lesson */
  constructor(lesson) {
    this.#lesson = lesson;
    this.level = lesson.level;
    this.question = lesson.level;
  }

  /** Whether squares are chosen, and not a move or a number. */
  get choosesSquares() {
    return ["select", "land", "huff"].includes(this.level.goal.kind);
  }

  get moreHints() {
    return this.#hints < this.level.hints;
  }

  /** Path of a level. @param {string} id */
  path(id) {
    const [path, query] = this.#lesson.course.split("?");
    return `${path}/${id}${query ? `?${query}` : ""}`;
  }

  /**
   * Show another level. It is "superseded" if a later one was requested meanwhile, and "offline" if
   * there was no answer: then this level stays.
   * @param {string} id
   * @returns {Promise<"shown" | "superseded" | "offline" | "missing">}
   */
  async open(id) {
    const opening = ++this.#opening;
    const { ok, data } = await this.#request(`/api/lesson?${this.#lesson.query}&level=${encodeURIComponent(id)}`);
    if (opening !== this.#opening) return "superseded";
    if (!ok) return data ? "missing" : "offline";
    this.#visit += 1;
    this.level = /** @type {LessonLevel} */ (data);
    this.#mistakes = this.#hints = 0;
    this.done = null;
    this.restart();
    return "shown";
  }

  /** Ask the level's first question again. */
  restart() {
    this.question = this.level;
    this.chosen = [];
    this.#played = [];
  }

  /** Choose a square, or undo that. @param {number} square */
  toggle(square) {
    const { chosen } = this;
    this.chosen = chosen.includes(square) ? chosen.filter((each) => each !== square) : [...chosen, square];
  }

  /**
   * Answer the question. With `trial` a wrong answer does not count.
   * @param {number | number[]} answer
   * @param {{trial?: boolean}} [options]
   * @returns {Promise<LessonVerdict | Failure | null>} null if the page shows something else meanwhile
   */
  async answer(answer, { trial = false } = {}) {
    const visit = this.#visit;
    const asked = this.question;
    const body = JSON.stringify({
      level: this.level.id,
      answer,
      played: this.#played,
      mistakes: Math.min(this.#mistakes, MAX_MISTAKES),
      hints: this.#hints,
    });
    const { ok, data } = await this.#request(`/api/lesson/answer?${this.#lesson.query}`, { body, type: "application/json" });
    if (visit !== this.#visit || asked !== this.question || this.done) return null;
    if (!ok) return { ok: false, message: data?.message ?? "" };
    const verdict = /** @type {LessonVerdict} */ (data);
    if (verdict.done) this.done = verdict;
    else if (verdict.next) {
      this.question = verdict.next;
      this.#played.push(/** @type {number[]} */ (answer));
    } else if (!trial) this.#mistakes += 1;
    return verdict;
  }

  /**
   * Get the next hint. It counts only if it can be shown when it arrives.
   * @param {() => boolean} canShow
   * @returns {Promise<LessonHint | Failure | null>} null if it cannot be shown
   */
  async hint(canShow) {
    const visit = this.#visit;
    const asked = this.question;
    const number = Math.min(this.#hints + 1, this.level.hints);
    const played = this.#played.map((squares) => squares.join("-")).join(",");
    const query = `${this.#lesson.query}&level=${encodeURIComponent(this.level.id)}&hint=${number}&played=${played}`;
    const { ok, data } = await this.#request(`/api/lesson/hint?${query}`);
    if (visit !== this.#visit || asked !== this.question || !canShow()) return null;
    if (!ok) return { ok: false, message: data?.message ?? "" };
    this.#hints = number;
    return /** @type {LessonHint} */ (data);
  }

  /** @param {string} path @param {{body: string, type: string}} [content] */
  #request(path, content) {
    return request(`${path}&lang=${page.lang}`, content);
  }
}
