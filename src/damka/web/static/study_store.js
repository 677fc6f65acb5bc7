/** Stores of studies: the account's, on the server, and this browser's. Both have the same interface. */

import * as database from "./study_db.js";
import { data, say } from "./study_text.js";
import { request } from "./transport.js";

const JSON_TYPE = "application/json";
export const PDN = "application/x-draughts-pdn";
/** Characters of chapters in one request. */
const BATCH = 600_000;

/** @template T @param {string} path @param {object} [body] @returns {Promise<StudyAnswer<T>>} */
async function send(path, body) {
  const query = `${path.includes("?") ? "&" : "?"}lang=${document.documentElement.lang}`;
  const { ok, data } = await request(`${path}${query}`, body && { body: JSON.stringify(body), type: JSON_TYPE });
  const { error = ok ? "" : "offline", message = say("offline") } = data ?? {};
  return { ok, data, error, message: ok ? "" : message };
}

/** Split chapters into the bodies of several requests. @param {NewStudyChapter[]} chapters */
function batches(chapters) {
  /** @type {{title: string, pdn: string}[][]} */
  const all = [];
  let size = Infinity;
  for (const { title, pdn } of chapters) {
    if (size + pdn.length > BATCH) size = all.push([]) * 0;
    size += pdn.length;
    all[all.length - 1].push({ title, pdn });
  }
  return all;
}

/** @type {StudyStore & {share(id: string, shared: boolean): Promise<StudyAnswer>}} */
export const account = {
  where: "account",
  list: () => send("/api/studies"),
  load: (id) => send(`/api/studies/${id}`),
  async create(title, chapters) {
    const [first, ...rest] = batches(chapters);
    /** @type {StudyAnswer} */
    let answer = await send("/api/studies", { title, chapters: first });
    for (const each of rest) {
      if (answer.ok) answer = await send(`/api/studies/${answer.data.id}/chapters`, { chapters: each });
    }
    return answer;
  },
  change: (id, change) => send(`/api/studies/${id}`, change),
  async add(id, chapters, at) {
    /** @type {StudyAnswer} */
    let answer = { ok: true, data: /** @type {any} */ (null), error: "", message: "" };
    let place = at;
    for (const each of batches(chapters)) {
      if (!answer.ok) break;
      answer = await send(`/api/studies/${id}/chapters`, { chapters: each, at: place });
      if (place !== undefined) place += each.length;
    }
    return answer;
  },
  changeChapter: (id, chapter, change) => send(`/api/studies/${id}/chapters/${chapter}`, change),
  share: (id, shared) => send(`/api/studies/${id}/share`, { shared }),
};

/** @template T @param {Promise<T>} work @returns {Promise<StudyAnswer<T>>} */
const stored = (work) =>
  work.then(
    (result) => ({ ok: true, data: result, error: "", message: "" }),
    (error) => {
      const code = String(error.code ?? "");
      const message = /^[a-z_]+$/.test(code) ? say(code, { n: data.limits.chapters }) : say("not_stored");
      return { ok: false, data: /** @type {any} */ (null), error: /^[a-z_]+$/.test(code) ? code : "not_stored", message };
    },
  );

/** @param {string} text */
const line = (text) => text.normalize("NFC").replace(/\s+/g, " ").trim().slice(0, data.limits.title);

/** @type {StudyStore} */
export const browser = {
  where: "browser",
  list: () => stored(database.list()),
  load: (id) => stored(database.load(id)),
  create: (title, chapters) => stored(database.create(line(title), chapters)),
  change: (id, change) => {
    const title = change.title === undefined ? undefined : line(change.title);
    return stored(database.change(id, { ...change, title }));
  },
  add: (id, chapters, at) => stored(database.add(id, chapters, data.limits.chapters, at)),
  changeChapter: (id, chapter, change) => {
    const title = change.title === undefined ? undefined : line(change.title);
    return stored(database.changeChapter(id, chapter, { ...change, title }));
  },
};

/** The store of new studies. */
export const own = () => (data.account ? account : browser);

/**
 * Read a text as chapters; games that name no rules are read by those of `query`.
 * @param {string | Blob} text
 * @param {string} query
 * @returns {Promise<StudyAnswer<ReadStudy>>}
 */
export async function readText(text, query) {
  const path = `/api/studies/read?${query}&lang=${document.documentElement.lang}`;
  const { ok, data } = await request(path, { body: new Blob([text]), type: PDN });
  const { error = "offline", message = say("offline") } = data ?? {};
  return { ok, data, error: ok ? "" : error, message: ok ? "" : message };
}

/** @param {string} value */
const quoted = (value) => `"${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;

/** Line of a tag; "" without a value. @param {string} name @param {string} value */
const tag = (name, value) => (value ? `[${name} ${quoted(value)}]\n` : "");

/** Return chapters as a PDN file (`damka.live.studies.file_text`). @param {string} title @param {StudyChapter[]} chapters */
export const fileText = (title, chapters) =>
  chapters.map((chapter) => tag("StudyName", title) + tag("ChapterName", chapter.title ?? "") + (chapter.pdn ?? "")).join("\n");

/** Save text as a file. @param {string} text @param {string} title */
export function saveFile(text, title) {
  const name = title.normalize("NFKD").replace(/[^\x20-\x7e]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: PDN }));
  link.setAttribute("download", `${name.replace(/^-+|-+$/g, "").slice(0, 60) || "study"}.pdn`);
  // The static site handles clicks on other download links.
  link.addEventListener("click", (event) => event.stopPropagation());
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Path of a study's page.
 * @param {StudyStore["where"]} where
 * @param {StudyData} study
 * @param {string} [chapter] id, or the first one
 */
export function pathOf(where, study, chapter) {
  if (where === "account") return `/study/${study.id}${chapter ? `?chapter=${chapter}` : ""}`;
  const { id, query } = study.chapters.find((each) => each.id === chapter) ?? study.chapters[0];
  return `/study/-?${query}&study=${study.id}&chapter=${id}`;
}
