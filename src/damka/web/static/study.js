/**
 * Page of a study: the page Analyse with chapters. A study is the account's, this browser's, shared by
 * a link of the server, or contained in its link; the last two are only read.
 */

import "./analyse.js";
import { analysis } from "./analysis_board.js";
import { ChapterList } from "./study_chapters.js";
import { page } from "./i18n.js";
import { Saving, takeDraft } from "./study_saving.js";
import { account, pathOf } from "./study_store.js";
import { data, gameOf, say, titleOf } from "./study_text.js";
import { format, fromJson, treeOf } from "./study_tree.js";
import { href, visit } from "./transport.js";
import { keysTo, nodeOf } from "./tree_state.js";

/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));
const edit = /** @type {EditData} */ (page.edit);
const query = new URLSearchParams(location.search);

/** The store that has the study; null for one that is only read. @type {StudyStore | null} */
let store = null;
/** @type {StudyData} */
let study;
/** @type {StudyChapter} */
let chapter;
/** @type {Saving | null} */
let saving = null;
/** Fragment that contains the study, or "". */
let fragment = "";
/** Id of the chapter on the board. */
let shown = "";
/** Number of the latest chapter to show, and of the latest request for the study: earlier ones are dropped. */
let opening = 0;
let loading = 0;
/** Whether the latest chapter could not be read. */
let failed = false;
/** The tree that is saved, or was just loaded. @type {{nodes: unknown, tags: unknown, fen: string}} */
let loaded = { nodes: null, tags: null, fen: "" };
/** Windows tell each other what they have saved. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("damka-studies") : null;

/** @param {string} text @param {[label: string, act: () => unknown][]} [acts] @param {boolean} [isProblem] */
function showNote(text, acts = [], isProblem = false) {
  const note = get("saving");
  if (note.textContent !== text) note.textContent = text;
  note.classList.toggle("problem", isProblem);
  get("saving-acts").replaceChildren(
    ...acts.map(([label, act]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button quiet", textContent: label });
      let runs = false;
      button.addEventListener("click", async () => {
        if (runs) return;
        runs = true;
        await act();
        runs = false;
      });
      return button;
    }),
  );
}

/** Path of a chapter. @param {string} id */
function chapterPath(id) {
  if (!fragment) return store?.where === "browser" ? pathOf("browser", study, id) : pathOf("account", study, id);
  const { query: rules } = study.chapters.find((each) => each.id === id) ?? study.chapters[0];
  return `/study/-?${rules}&chapter=${id}${fragment}`;
}

/** Show a tree; it cannot be undone. @param {import("./study_tree.js").JsonTree} tree @param {string[]} [keys] moves to the displayed position */
function showTree(tree, keys = []) {
  const state = fromJson(tree);
  for (const key of keys) {
    const next = nodeOf(state).children.find((id) => nodeOf(state, id).key === key);
    if (next === undefined) break;
    state.current = next;
  }
  loaded = { nodes: state.nodes, tags: state.tags, fen: state.fen };
  shown = chapter.id;
  analysis.edit(state);
}

/** Show the chapter with its last text, or with a draft that was not saved. */
async function showChapter() {
  const number = ++opening;
  failed = false;
  const answer = await treeOf(chapter.pdn ?? "");
  if (number !== opening) return;
  if (!answer.ok) {
    failed = true;
    return showNote(answer.message, [[say("again"), showChapter]], true);
  }
  // The chapter before can be edited until this one is shown.
  await saving?.flush();
  const draft = store && (await takeDraft(study.id, chapter.id));
  // The draft equals the stored chapter if its window was closed before the server answered.
  const isStored = draft && draft.revision !== (chapter.revision ?? 0) && (await format(fromJson(draft.tree))).data === chapter.pdn;
  if (number !== opening) return;
  saving?.end();
  saving = null;
  // Changed by another window, it stays at its position.
  showTree(draft ? draft.tree : answer.data, shown === chapter.id ? keysTo(analysis.state) : []);
  show();
  if (!store) return showNote(say(fragment ? "in_link" : "read_only"));
  const options = { store, study: study.id, chapter, tree: () => analysis.state };
  const current = new Saving({ ...options, show: (state, message) => current === saving && showSaving(state, message), saved: (changed) => noteSaved(changed, options.chapter) });
  saving = current;
  if (!draft) return showNote(say("saved"));
  current.edited();
  if (draft.revision !== (chapter.revision ?? 0) && !isStored) current.conflict();
}

analysis.onTree((state) => {
  if (!saving || [state.nodes, state.tags, state.fen].every((each, i) => each === [loaded.nodes, loaded.tags, loaded.fen][i])) return;
  loaded = { nodes: state.nodes, tags: state.tags, fen: state.fen };
  saving.edited();
});

// Saving

/** @param {import("./study_saving.js").SavingState} state @param {string} message */
function showSaving(state, message) {
  if (state === "conflict") {
    return showNote(say("conflict"), [[say("keep_both"), keepBoth], [say("use_other"), useOther]], true);
  }
  showNote(message, state === "failed" || state === "offline" ? [[say("again"), () => saving?.flush()]] : [], state === "failed" || state === "offline");
}

/** @param {StudyData} changed @param {StudyChapter} saved */
function noteSaved(changed, { id, revision }) {
  take(changed);
  channel?.postMessage({ study: study.id, chapter: id, revision });
}

/** Take the titles, order and revisions of an answer without texts. @param {StudyData} changed */
function take(changed) {
  const texts = new Map(study.chapters.map((each) => [each.id, each]));
  const chapters = changed.chapters.map((each) => {
    const known = texts.get(each.id);
    if (each.id === chapter?.id) return Object.assign(chapter, { ...each, pdn: chapter.pdn, revision: chapter.revision });
    return { ...each, pdn: known && known.revision === each.revision ? known.pdn : each.pdn };
  });
  study = { ...changed, chapters };
  show();
}

/** Keep the edits as a chapter of their own, after the one that was changed elsewhere. */
async function keepBoth() {
  const text = await format(analysis.state);
  if (!text.ok || !store) return showNote(text.message, [[say("again"), keepBoth]], true);
  const i = study.chapters.findIndex(({ id }) => id === chapter.id);
  const title = say("own_version", { title: titleOf(chapter, i) });
  const { ok, data: changed, message } = await store.add(study.id, [{ title, pdn: text.data, query: chapter.query, game: chapter.game }], i + 1);
  if (!ok) return showNote(message, [[say("again"), keepBoth]], true);
  const added = changed.chapters[i + 1].id;
  await saving?.forget();
  await reload(added);
}

/** Give the edits up, and show the chapter as it was changed elsewhere. */
async function useOther() {
  await saving?.forget();
  await reload(chapter.id);
}

/** Load the study again, and show a chapter. @param {string} id @returns {Promise<void>} */
async function reload(id) {
  if (!store) return;
  const [number, load] = [++opening, ++loading];
  const { ok, data: now, message, error } = await store.load(study.id);
  if (load !== loading) return;
  if (!ok) {
    if (error === "unknown_study") saving?.end();
    return showNote(message, [[say("again"), () => reload(id)]], true);
  }
  study = now;
  // Another chapter may have been opened meanwhile.
  const wanted = number === opening ? id : chapter.id;
  const next = study.chapters.find((each) => each.id === wanted) ?? study.chapters[0];
  if (next.query !== edit.query) return visit(chapterPath(next.id));
  const isOther = next.id !== chapter.id;
  chapter = next;
  if (isOther) history.pushState(null, "", href(chapterPath(chapter.id)));
  await showChapter();
}

channel?.addEventListener("message", ({ data: { study: id, chapter: changed, revision } }) => {
  if (id !== study?.id || !store) return;
  if (changed === chapter.id && revision === chapter.revision) return;
  if (changed === chapter.id && saving?.isDirty) saving.conflict();
  else if (changed === chapter.id || !changed) void reload(chapter.id);
});

// Chapters

/** @param {string} id */
async function open(id) {
  const next = study.chapters.find((each) => each.id === id);
  if (!next || (next.id === chapter.id && !failed && study.chapters.includes(chapter))) return;
  await saving?.flush();
  // Other rules need another page; its edits are in a draft.
  if (next.query !== edit.query) return visit(chapterPath(id));
  if (next.pdn === undefined && store) return reload(id);
  if (next.pdn === undefined) return visit(chapterPath(id));
  chapter = next;
  history.pushState(null, "", href(chapterPath(id)));
  if (isNarrow()) get("chapters").removeAttribute("open");
  await showChapter();
}

/** Changes are sent one after the other: each begins with the result of the one before. @type {Promise<unknown>} */
let changes = Promise.resolve();

/**
 * Change the study, unless it is only read, and tell other windows.
 * @param {(to: StudyStore) => Promise<StudyAnswer>} change
 * @returns {Promise<string>} an error message, or ""
 */
function apply(change) {
  const applied = changes.then(async () => {
    if (!store) return "";
    const { ok, data: changed, message } = await change(store);
    if (!ok) return message;
    take(changed);
    channel?.postMessage({ study: study.id });
    return "";
  });
  changes = applied.catch(() => {});
  return applied;
}

const list = new ChapterList({
  open,
  address: (id) => href(chapterPath(id)),
  rename: (id, title) => apply((to) => to.changeChapter(study.id, id, { title })),
  move: (id, by) =>
    apply((to) => {
      const order = study.chapters.map((each) => each.id);
      const place = order.indexOf(id);
      order.splice(Math.max(0, place + by), 0, ...order.splice(place, 1));
      return to.change(study.id, { order });
    }),
  download: (id) => {
    const i = study.chapters.findIndex((each) => each.id === id);
    void files((chapters) => save([chapters[i]], titleOf(chapters[i], i)));
  },
  async remove(id) {
    if (!store) return { message: "" };
    await saving?.flush();
    const i = study.chapters.findIndex((each) => each.id === id);
    const { title = "", pdn = "", query: rules, game } = study.chapters[i];
    const message = await apply((to) => to.changeChapter(study.id, id, { removed: true }));
    if (message) return { message };
    if (id === chapter.id) {
      await saving?.forget();
      saving = null;
      showNote(say("chapter_removed"));
    }
    return {
      message,
      async restore() {
        const problem = await apply((to) => to.add(study.id, [{ title, pdn, query: rules, game }], i));
        if (problem) return problem;
        if (id === chapter.id) await reload(study.chapters[i].id);
        return "";
      },
    };
  },
});

/** Do something with the texts of all chapters, after the last edit is saved. @param {(chapters: StudyChapter[]) => void} use */
async function files(use) {
  await saving?.flush();
  if (study.chapters.some(({ pdn }) => pdn === undefined)) {
    const { ok, data: whole, message } = await (store ?? account).load(study.id);
    if (!ok) return showNote(message, [], true);
    const texts = new Map(whole.chapters.map(({ id, pdn }) => [id, pdn]));
    for (const each of study.chapters) each.pdn ??= texts.get(each.id);
  }
  use(study.chapters);
}

/** Save chapters as a file. @param {StudyChapter[]} chapters @param {string} title */
async function save(chapters, title) {
  const { fileText, saveFile } = await import("./study_files.js");
  saveFile(fileText(study.title, chapters), title);
}

function show() {
  get("study-title").textContent = study.title;
  document.title = `${study.title} · Damka`;
  const i = study.chapters.findIndex((each) => each.id === chapter.id);
  get("chapter-now").textContent = i < 0 ? "" : say("place", { number: i + 1, all: study.chapters.length, title: titleOf(chapter, i) });
  list.show(study.chapters, chapter.id, store !== null);
  const next = document.querySelector("#language input[name=next]");
  if (next instanceof HTMLInputElement) next.value = chapterPath(chapter.id);
}

// The study

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => get(id).addEventListener("click", act);

document.querySelector("[data-do=rename-study]")?.addEventListener("click", () => {
  const title = get("study-title");
  void list.edit(/** @type {HTMLElement} */ (title.parentElement), study.title, (text) => apply((to) => to.change(study.id, { title: text })));
});
document.querySelector("[data-do=share]")?.addEventListener("click", () => {
  void files(async () => {
    const { offerSharing } = await import("./study_share.js");
    if (store) await offerSharing(store, study, (changed) => take({ ...study, share: changed.share }), say);
  });
});
onClick("download-study", () => void files((chapters) => save(chapters, study.title)));
onClick("copy-study", () => void files(async (chapters) => {
  const copies = chapters.map(({ title = "", query: rules, game, pdn = "" }) => ({ title, query: rules, game, pdn }));
  const { own } = await import("./study_browser.js");
  const target = own();
  const { ok, data: copy, message } = await target.create(study.title, copies);
  if (!ok) return showNote(message, [], true);
  visit(pathOf(target.where, copy));
}));

// New chapters

const sheet = /** @type {HTMLDialogElement} */ (get("adding"));
const form = /** @type {HTMLFormElement} */ (get("add"));
onClick("add-chapter", () => sheet.showModal());
for (const each of /** @type {HTMLDialogElement[]} */ ([sheet, get("sharing")])) {
  // A click outside the dialog closes it.
  each.addEventListener("click", ({ target }) => {
    if (target === each || /** @type {Element} */ (target).closest("[data-close]")) each.close();
  });
}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!store || sheet.ariaBusy) return;
  sheet.ariaBusy = "true";
  const place = study.chapters.length;
  const { addChapters } = await import("./study_adding.js");
  const read = await addChapters(form, sheet, (chapters) => apply((to) => to.add(study.id, chapters)));
  if (read) {
    const { faulty, more } = read;
    await open(study.chapters[place].id);
    if (faulty || more) showNote([faulty ? say("faulty", { n: faulty }) : "", more ? say("more") : ""].filter(Boolean).join(" "), [], true);
  }
  sheet.ariaBusy = null;
});
// A pasted text becomes a chapter.
document.addEventListener("paste-text", (event) => {
  if (!store) return;
  const { detail } = /** @type {CustomEvent<string>} */ (event);
  /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text")).value = detail;
  /** @type {HTMLDialogElement} */ (get("reading")).close();
  sheet.showModal();
});

// Start

const isNarrow = () => matchMedia("(max-width: 760px)").matches;
// Open they leave no room for the moves in a low window.
get("chapters").toggleAttribute("open", !isNarrow() && innerHeight >= 900);

/** Find the study of the address. @returns {Promise<StudyAnswer>} */
async function find() {
  const answer = { ok: true, error: "", message: "" };
  if (data.study) {
    store = data.study.own ? account : null;
    return { ...answer, data: data.study };
  }
  const inLink = location.hash && (await (await import("./study_link.js")).decode(location.hash));
  if (inLink) {
    fragment = location.hash;
    return { ...answer, data: inLink };
  }
  const id = query.get("study");
  if (id) store = (await import("./study_browser.js")).browser;
  return store && id ? store.load(id) : { ok: false, data: /** @type {any} */ (null), error: "bad_link", message: say("bad_link") };
}

async function start() {
  const answer = await find();
  if (!answer.ok) {
    document.body.classList.add("no-study");
    return showNote(answer.message, [[say("to_studies"), () => visit("/studies")]], true);
  }
  study = answer.data;
  const id = data.chapter ?? query.get("chapter");
  chapter = study.chapters.find((each) => each.id === id) ?? study.chapters[0];
  if (chapter.query !== edit.query && !data.study) return location.replace(href(chapterPath(chapter.id)));
  for (const part of document.querySelectorAll(".own, #add-chapter")) part.toggleAttribute("hidden", !store);
  get("copy-study").hidden = store !== null;
  const rules = /** @type {HTMLSelectElement} */ (form.elements.namedItem("query"));
  if (![...rules.options].some(({ value }) => value === edit.query)) rules.prepend(new Option(gameOf(chapter), edit.query));
  rules.value = edit.query;
  show();
  await showChapter();
}

addEventListener("popstate", () => location.reload());
void start();
