/** Studies of the account, on the server. `study_browser.js` has the same interface. */

import { say } from "./study_text.js";
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
