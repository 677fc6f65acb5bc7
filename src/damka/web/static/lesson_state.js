/**
 * State of a level on its page: the level, the learner's moves, mistakes and hints, and the requests
 * about them. It draws nothing.
 */

import { page } from "./i18n.js";
import { MAX_MISTAKES, remember, unfinished } from "./lesson_attempt.js";
import { request } from "./transport.js";

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
  /** Number of the latest hint that was shown; after a reload they begin again. */
  #hints = 0;
  /** Hints that count for the stars: also those before the unfinished level was opened again. */
  #usedHints = 0;
  /** Whether the level shown before has the same rule. */
  #repeatsRule = false;
  /** Best verdict; null before the level is finished. @type {LessonVerdict | null} */
  done = null;

  /** @param {LessonPage} lesson */
  constructor(lesson) {
    this.#lesson = lesson;
    this.level = lesson.level;
    this.question = lesson.level;
    this.#resume();
  }

  /** The level's rule; empty if the level before has just said it, until a mistake is made. */
  get rule() {
    return this.#repeatsRule && !this.#mistakes ? "" : this.level.rule;
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
    const before = this.level;
    this.level = /** @type {LessonLevel} */ (data);
    this.#repeatsRule = this.level.rule === before.rule && id !== before.id;
    this.done = null;
    this.restart();
    this.#resume();
    return "shown";
  }

  /** Continue the unfinished attempt, if there is one. */
  #resume() {
    const { mistakes, hints } = unfinished(this.level);
    this.#mistakes = mistakes;
    this.#usedHints = hints;
    this.#hints = 0;
  }

  /** Store the attempt, so that it can be continued. */
  #remember() {
    const { chosen: squares } = this;
    remember(this.level, this.done ? null : { squares, mistakes: this.#mistakes, hints: this.#usedHints });
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
    this.choose(chosen.includes(square) ? chosen.filter((each) => each !== square) : [...chosen, square]);
  }

  /** Choose squares; they outlast a reload. @param {number[]} squares */
  choose(squares) {
    this.chosen = squares;
    this.#remember();
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
      hints: this.#usedHints,
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
    this.#remember();
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
    this.#usedHints = Math.max(this.#usedHints, number);
    this.#remember();
    return /** @type {LessonHint} */ (data);
  }

  /** @param {string} path @param {{body: string, type: string}} [content] */
  #request(path, content) {
    return request(`${path}&lang=${page.lang}`, content);
  }
}
