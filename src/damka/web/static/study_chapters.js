/** List of a study's chapters; the shown one has the tools to change it. */

import { gameOf, say, titleOf } from "./study_text.js";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLElement} a copy of the template's content */
const copyOf = (id) =>
  /** @type {HTMLElement} */ (/** @type {HTMLTemplateElement} */ (get(id)).content.firstElementChild?.cloneNode(true));

/**
 * @typedef {object} ChapterActions functions with an error message as their result
 * @property {(id: string) => Promise<void>} open
 * @property {(id: string) => string} address
 * @property {(id: string, title: string) => Promise<string>} rename
 * @property {(id: string, by: number) => Promise<string>} move
 * @property {(id: string) => void} download
 * @property {(id: string) => Promise<{message: string, restore?: () => Promise<string>}>} remove
 */

export class ChapterList {
  #list = get("chapter-list");
  /** Action whose button gets the focus when the list is drawn again. */
  #focus = "";
  /** Chapter that was just removed: its id, what stands for it, and its place. @type {{id: string, row: HTMLElement, place: number} | null} */
  #removed = null;
  #drawn = "";

  /** @param {ChapterActions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /** @param {StudyChapter[]} chapters @param {string} current id of the shown chapter @param {boolean} editable */
  show(chapters, current, editable) {
    const drawn = JSON.stringify([chapters.map((each, i) => [each.id, titleOf(each, i)]), current, editable, this.#removed?.place]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    if (this.#list.querySelector(".rename")) return;
    const hasGames = new Set(chapters.map(({ query }) => query)).size > 1;
    const rows = chapters.map((each, i) => this.#row(each, i, { current, editable, hasGames, count: chapters.length }));
    if (this.#removed) rows.splice(this.#removed.place, 0, this.#removed.row);
    this.#list.replaceChildren(...rows);
    const row = this.#list.querySelector("[aria-current]")?.closest("li");
    if (this.#focus) {
      const tool = row?.querySelector(`[data-do=${this.#focus}]`);
      /** @type {HTMLElement | null | undefined} */ (tool?.matches(":disabled") ? row?.querySelector(".row-tools button:not(:disabled)") : tool)?.focus();
    }
    this.#focus = "";
    row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {StudyChapter} chapter @param {number} i @param {{current: string, editable: boolean, hasGames: boolean, count: number}} options */
  #row(chapter, i, { current, editable, hasGames, count }) {
    const row = copyOf("chapter-row");
    const [link, number, words, tools] = ["a", "i", "a span", ".row-tools"].map((part) => /** @type {HTMLElement} */ (row.querySelector(part)));
    number.textContent = String(i + 1);
    words.textContent = titleOf(chapter, i);
    if (hasGames) {
      const game = document.createElement("small");
      game.textContent = gameOf(chapter);
      words.append(" ", game);
    }
    link.setAttribute("href", this.actions.address(chapter.id));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#removed = null;
      void this.actions.open(chapter.id);
    });
    if (chapter.id !== current) return row;
    link.setAttribute("aria-current", "true");
    tools.hidden = false;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (tools.querySelectorAll("button"))) {
      const action = button.dataset.do ?? "";
      button.hidden = !editable && action !== "download";
      button.disabled = (action === "up" && !i) || (action === "down" && i === count - 1) || (action === "remove" && count === 1);
      button.addEventListener("click", () => void this.#act(action, row, chapter, i));
    }
    return row;
  }

  /** @param {string} action @param {HTMLElement} row @param {StudyChapter} chapter @param {number} i */
  async #act(action, row, chapter, i) {
    if (action === "rename") await this.edit(row, chapter.title ?? "", (title) => this.actions.rename(chapter.id, title), titleOf({ ...chapter, title: "" }, i));
    if (action === "download") this.actions.download(chapter.id);
    if (action === "up" || action === "down") {
      this.#focus = action;
      showProblem(row, await this.actions.move(chapter.id, action === "up" ? -1 : 1));
    }
    if (action === "remove") await this.#remove(row, chapter, i);
  }

  /** @param {HTMLElement} row @param {StudyChapter} chapter @param {number} i */
  async #remove(row, chapter, i) {
    if (this.#removed?.id === chapter.id) return;
    const removed = document.createElement("li");
    removed.className = "removed";
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button quiet", textContent: say("restore") });
    removed.append(`${say("removed_chapter", { title: titleOf(chapter, i) })} `, button);
    this.#removed = { id: chapter.id, row: removed, place: i };
    const removal = this.actions.remove(chapter.id);
    button.addEventListener("click", async () => {
      button.disabled = true;
      const { restore } = await removal;
      this.#removed = null;
      const failed = restore ? await restore() : "";
      button.disabled = false;
      if (!failed) return;
      this.#removed = { id: chapter.id, row: removed, place: i };
      showProblem(removed, failed);
    });
    const { message, restore } = await removal;
    if (restore) return button.focus();
    this.#removed = null;
    showProblem(row, message);
  }

  /**
   * Edit a title in place.
   * @param {HTMLElement} row @param {string} title @param {(title: string) => Promise<string>} save
   * @param {string} [placeholder]
   */
  async edit(row, title, save, placeholder = "") {
    const { editTitle } = await import("./study_rename.js");
    editTitle(row, title, {
      placeholder,
      save: (text) => {
        this.#focus = row.matches("li") ? "rename" : "";
        return save(text);
      },
      closed: () => (this.#drawn = ""),
    });
  }
}

/** @param {HTMLElement} row @param {string} text */
function showProblem(row, text) {
  row.querySelector(":scope > .problem")?.remove();
  if (!text) return;
  const problem = document.createElement("p");
  problem.className = "problem";
  problem.setAttribute("role", "alert");
  row.append(problem);
  problem.textContent = text;
}
