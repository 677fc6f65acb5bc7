/** Studies of this browser, with the same interface as those of the account. */

import * as database from "./study_db.js";
import { account } from "./study_store.js";
import { data, say } from "./study_text.js";

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
