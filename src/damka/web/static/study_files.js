/** Studies as PDN files. */

import { PDN } from "./study_store.js";
import { say } from "./study_text.js";
import { request } from "./transport.js";

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
