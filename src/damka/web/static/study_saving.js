/**
 * Saves a chapter while it is edited. Each edit is first stored in this browser as a draft, and sent
 * a moment later; without a connection, once there is one. If the chapter was changed elsewhere
 * meanwhile, nothing is replaced: the page asks which version to keep.
 */

import * as database from "./study_db.js";
import { say } from "./study_text.js";
import { format, toJson } from "./study_tree.js";

/** Milliseconds from an edit until it is saved, and between attempts without a connection. */
const DEBOUNCE = 800;
const RETRY = 5000;
/** Age of a draft whose window is certainly closed, in milliseconds, where there are no locks. */
const ORPHANED = 60_000;

/** Id of this window, which a reload keeps. */
const windowId = (() => {
  try {
    const id = sessionStorage.getItem("damka.window") ?? database.newId(9);
    // A duplicated window has the same storage: it gets the id back when this one is left.
    sessionStorage.removeItem("damka.window");
    addEventListener("pagehide", () => sessionStorage.setItem("damka.window", id));
    return id;
  } catch {
    return database.newId(9);
  }
})();
// Other windows see by this lock that the drafts are in use.
void navigator.locks?.request(`damka-drafts-${windowId}`, () => new Promise(() => {}));

/** Whether the window of a draft is closed. @param {StudyDraft} draft */
async function isOrphaned(draft) {
  if (draft.window === windowId) return true;
  if (!navigator.locks) return Date.now() - draft.at > ORPHANED;
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === `damka-drafts-${draft.window}`);
}

/**
 * The latest draft of a chapter whose window is closed, as this window's own.
 * @param {string} study @param {string} chapter @returns {Promise<StudyDraft | null>}
 */
export async function takeDraft(study, chapter) {
  try {
    for (const draft of await database.draftsOf(study, chapter)) {
      if (!(await isOrphaned(draft))) continue;
      await database.saveDraft({ ...draft, window: windowId });
      if (draft.window !== windowId) await database.deleteDraft(draft);
      return { ...draft, window: windowId };
    }
  } catch {
    // Without storage there are no drafts.
  }
  return null;
}

/** @typedef {"saved" | "saving" | "offline" | "conflict" | "failed"} SavingState */

export class Saving {
  /** @type {SavingState} */ state = "saved";
  #timer = 0;
  /** Number of the latest edit, and of the latest saved one. */
  #edits = 0;
  #saved = 0;
  /** Running save. @type {Promise<void> | null} */ #running = null;
  /** Running write of a draft, and whether another one is due. @type {Promise<void> | null} */ #writing = null;
  #isDue = false;
  #isEnded = false;

  /**
   * @param {{
   *   store: StudyStore,
   *   study: string,
   *   chapter: StudyChapter,
   *   tree: () => TreeState,
   *   show: (state: SavingState, message: string) => void,
   *   saved: (study: StudyData) => void,
   * }} options `tree` returns the edited tree
   */
  constructor(options) {
    this.options = options;
    addEventListener("online", this.#retry);
    addEventListener("beforeunload", this.#warn);
  }

  /** Whether there are edits that are not saved. */
  get isDirty() {
    return this.#edits !== this.#saved;
  }

  /** Note an edit. */
  edited() {
    this.#edits += 1;
    void this.#keep();
    if (this.state === "conflict") return;
    this.#show("saving");
    this.#schedule(DEBOUNCE);
  }

  /** Save now. */
  async flush() {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.isDirty || this.#isEnded || this.state === "conflict") return;
    this.#running = this.#save().finally(() => (this.#running = null));
    await this.#running;
  }

  /** The chapter was changed elsewhere. */
  conflict() {
    clearTimeout(this.#timer);
    this.#show("conflict");
  }

  /** The edits are stored elsewhere, or given up. */
  async forget() {
    this.#saved = this.#edits;
    this.end();
    await this.#writing;
    const { study, chapter } = this.options;
    await database.deleteDraft({ study, chapter: chapter.id, window: windowId }).catch(() => {});
  }

  /** Stop saving; the draft remains. */
  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retry);
    removeEventListener("beforeunload", this.#warn);
  }

  #retry = () => void this.flush();

  /** Warn before leaving if an edit is neither saved nor stored as a draft. @param {BeforeUnloadEvent} event */
  #warn = (event) => {
    if (this.isDirty && this.#writing) event.preventDefault();
  };

  /** @param {number} delay */
  #schedule(delay) {
    clearTimeout(this.#timer);
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.flush(), delay);
  }

  /** @param {SavingState} state @param {string} [message] */
  #show(state, message = say(state)) {
    this.state = state;
    if (!this.#isEnded) this.options.show(state, message);
  }

  /** Write the draft; edits made meanwhile are written once more. */
  #keep() {
    this.#isDue = true;
    this.#writing ??= (async () => {
      const { study, chapter, tree } = this.options;
      while (this.#isDue) {
        this.#isDue = false;
        const draft = { study, chapter: chapter.id, revision: chapter.revision ?? 0, tree: toJson(tree()), window: windowId, at: Date.now() };
        await database.saveDraft(draft).catch(() => {});
      }
      this.#writing = null;
    })();
    return this.#writing;
  }

  async #save() {
    const { store, study, chapter, tree, saved } = this.options;
    const number = this.#edits;
    const text = await format(tree());
    if (!text.ok) return this.#fail(text);
    if (text.data !== chapter.pdn) {
      let answer = await store.changeChapter(study, chapter.id, { pdn: text.data, revision: chapter.revision ?? 0 });
      if (answer.error === "study_changed") answer = await this.#lostAnswer(answer, text.data);
      if (!answer.ok) return this.#fail(answer);
      chapter.pdn = text.data;
      chapter.revision = answer.data.chapters.find(({ id }) => id === chapter.id)?.revision ?? 0;
      saved(answer.data);
    }
    this.#saved = number;
    if (this.isDirty) {
      void this.#keep();
      return this.#schedule(DEBOUNCE);
    }
    await this.#writing;
    if (!this.isDirty) await database.deleteDraft({ study, chapter: chapter.id, window: windowId }).catch(() => {});
    this.#show("saved");
  }

  /**
   * The study, if it has the text already because the answer to an earlier save was lost; else the refusal.
   * @param {StudyAnswer<StudyData>} refusal @param {string} text @returns {Promise<StudyAnswer<StudyData>>}
   */
  async #lostAnswer(refusal, text) {
    const { store, study, chapter } = this.options;
    const now = await store.load(study);
    return now.ok && now.data.chapters.some(({ id, pdn }) => id === chapter.id && pdn === text) ? now : refusal;
  }

  /** @param {StudyAnswer<unknown>} answer */
  async #fail({ error, message }) {
    if (error === "study_changed") return this.conflict();
    const isOffline = error === "offline";
    // The message says that this browser has the edits.
    await this.#writing;
    if (this.state === "conflict") return;
    this.#show(isOffline ? "offline" : "failed", isOffline ? say("offline_kept") : message);
    if (isOffline || error === "too_many") this.#schedule(RETRY);
  }
}
