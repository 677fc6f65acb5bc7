/**
 * Studies of this browser, and drafts of chapters that are not saved yet, in IndexedDB. The texts of
 * chapters have a store of their own, so that a list does not read them.
 */

const NAME = "damka-studies";
const VERSION = 1;
/** Milliseconds in which a removed study can be restored. */
const RESTORABLE = 86_400_000;

/** @typedef {{id: string, title: string, updated: number, removed: number, chapters: StudyChapter[]}} StoredStudy */
/** @typedef {{study: string, id: string, pdn: string}} StoredText */

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("studies", { keyPath: "id" });
      request.result.createObjectStore("texts", { keyPath: ["study", "id"] });
      request.result.createObjectStore("drafts", { keyPath: ["study", "chapter", "window"] });
    };
    request.onsuccess = () => {
      const onClose = () => (opened = null);
      request.result.onversionchange = () => onClose() ?? request.result.close();
      request.result.onclose = onClose;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** Error with a code of the page. */
class StudyError extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/**
 * Run `work` in a transaction and return its result when the transaction is complete. An error of
 * `work` undoes its changes.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(stores: Record<"studies" | "texts" | "drafts", IDBObjectStore>) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function transact(mode, work) {
  const database = await open();
  const names = ["studies", "texts", "drafts"];
  const transaction = database.transaction(names, mode, mode === "readwrite" ? { durability: "strict" } : {});
  const stores = /** @type {Record<"studies" | "texts" | "drafts", IDBObjectStore>} */ (
    Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]))
  );
  const complete = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new StudyError("aborted"));
  });
  complete.catch(() => {});
  try {
    const result = await work(stores);
    await complete;
    return result;
  } catch (error) {
    if (error instanceof StudyError) transaction.abort();
    throw error;
  }
}

/** @param {IDBRequest} request @returns {Promise<any>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Return a random id with `bytes` random bytes. @param {number} bytes */
export function newId(bytes) {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** @param {StoredStudy | undefined} study @returns {StoredStudy} */
function found(study) {
  if (!study) throw new StudyError("unknown_study");
  return study;
}

/** @param {StoredStudy} study @returns {StudyData} */
function dataOf({ id, title, updated, chapters }) {
  return { id, title, own: true, share: null, updated: new Date(updated).toISOString(), chapters };
}

/** Key range of a study's texts or drafts. @param {string} id */
const rangeOf = (id) => IDBKeyRange.bound([id, ""], [id, "\uffff"]);

/** Return the studies, latest first. @returns {Promise<StudyEntry[]>} */
export async function list() {
  /** @type {StoredStudy[]} */
  const all = await transact("readonly", ({ studies }) => result(studies.getAll()));
  return all
    .filter(({ removed }) => !removed)
    .sort((a, b) => b.updated - a.updated)
    .map(({ id, title, updated, chapters }) => ({
      ...{ id, title, shared: false, updated: new Date(updated).toISOString() },
      chapters: chapters.length,
      games: [...new Set(chapters.map(({ query }) => query))],
    }));
}

/** Return a study with its texts. @param {string} id @returns {Promise<StudyData>} */
export const load = (id) =>
  transact("readonly", async ({ studies, texts }) => {
    const [study, stored] = await Promise.all([result(studies.get(id)), result(texts.getAll(rangeOf(id)))]);
    if (!study || study.removed) throw new StudyError("unknown_study");
    const pdn = new Map(stored.map((/** @type {StoredText} */ text) => [text.id, text.pdn]));
    const chapters = study.chapters.map((/** @type {StudyChapter} */ each) => ({ ...each, pdn: pdn.get(each.id) ?? "" }));
    return dataOf({ ...study, chapters });
  });

/** Create a study. @param {string} title @param {NewStudyChapter[]} chapters @returns {Promise<StudyData>} */
export const create = (title, chapters) =>
  transact("readwrite", async ({ studies, texts }) => {
    const old = await result(studies.getAll());
    for (const { id, removed } of old) if (removed && removed < Date.now() - RESTORABLE) erase(studies, texts, id);
    const study = { id: newId(16), title, updated: Date.now(), removed: 0, chapters: /** @type {StudyChapter[]} */ ([]) };
    study.chapters = insert(texts, study.id, chapters);
    studies.add(study);
    return dataOf(study);
  });

/** @param {IDBObjectStore} studies @param {IDBObjectStore} texts @param {string} id */
function erase(studies, texts, id) {
  studies.delete(id);
  texts.delete(rangeOf(id));
}

/** Store texts and return their chapters. @param {IDBObjectStore} texts @param {string} study @param {NewStudyChapter[]} chapters @returns {StudyChapter[]} */
function insert(texts, study, chapters) {
  return chapters.map(({ title, pdn, query, game }) => {
    const id = newId(6);
    texts.add({ study, id, pdn });
    return { id, title, query, game, revision: 0 };
  });
}

/**
 * Change a study: `edit` changes the stored one.
 * @param {string} id
 * @param {(study: StoredStudy, texts: IDBObjectStore) => unknown} edit
 * @returns {Promise<StudyData>}
 */
const update = (id, edit) =>
  transact("readwrite", async ({ studies, texts }) => {
    const study = found(await result(studies.get(id)));
    await edit(study, texts);
    study.updated = Date.now();
    studies.put(study);
    return dataOf(study);
  });

/** Rename, remove or restore a study, or reorder its chapters. @param {string} id @param {{title?: string, order?: string[], removed?: boolean}} changes */
export const change = (id, { title, order, removed }) =>
  update(id, (study) => {
    if (title !== undefined) study.title = title;
    if (removed !== undefined) study.removed = removed ? Date.now() : 0;
    if (!order) return;
    if ([...order].sort().join() !== study.chapters.map((each) => each.id).sort().join()) throw new StudyError("study_changed");
    study.chapters.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  });

/** Add chapters. @param {string} id @param {NewStudyChapter[]} chapters @param {number} most @param {number} [at] their place, or at the end */
export const add = (id, chapters, most, at) =>
  update(id, (study, texts) => {
    if (study.chapters.length + chapters.length > most) throw new StudyError("chapters_full");
    study.chapters.splice(at ?? study.chapters.length, 0, ...insert(texts, id, chapters));
  });

/** Change or remove a chapter. @param {string} id @param {string} chapterId @param {StudyChapterChange} changes */
export const changeChapter = (id, chapterId, { title, pdn, revision, removed }) =>
  update(id, (study, texts) => {
    const chapter = study.chapters.find((each) => each.id === chapterId);
    if (!chapter) throw new StudyError("unknown_chapter");
    if (removed) {
      if (study.chapters.length === 1) throw new StudyError("last_chapter");
      study.chapters = study.chapters.filter((each) => each !== chapter);
      texts.delete([id, chapterId]);
      return;
    }
    if (title !== undefined) chapter.title = title;
    if (pdn === undefined) return;
    if (chapter.revision !== revision) throw new StudyError("study_changed");
    chapter.revision = (chapter.revision ?? 0) + 1;
    texts.put({ study: id, id: chapterId, pdn });
  });

/** Delete a study permanently, after it was moved elsewhere. @param {string} id */
export const remove = (id) => transact("readwrite", async ({ studies, texts }) => erase(studies, texts, id));

// Drafts

/** @param {StudyDraft} draft */
export const saveDraft = (draft) => transact("readwrite", async ({ drafts }) => void drafts.put(draft));

/** Return the drafts of a chapter, latest first. @param {string} study @param {string} chapter @returns {Promise<StudyDraft[]>} */
export async function draftsOf(study, chapter) {
  const range = IDBKeyRange.bound([study, chapter, ""], [study, chapter, "\uffff"]);
  /** @type {StudyDraft[]} */
  const all = await transact("readonly", ({ drafts }) => result(drafts.getAll(range)));
  return all.sort((a, b) => b.at - a.at);
}

/** Delete a draft. @param {Pick<StudyDraft, "study" | "chapter" | "window">} draft */
export const deleteDraft = ({ study, chapter, window }) =>
  transact("readwrite", async ({ drafts }) => void drafts.delete([study, chapter, window]));
