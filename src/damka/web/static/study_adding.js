/** Dialog of new chapters, which are read from a text or a file. */

import { readText } from "./study_files.js";

/**
 * Read the form and add its chapters; close the dialog.
 * @param {HTMLFormElement} form
 * @param {HTMLDialogElement} sheet
 * @param {(chapters: NewStudyChapter[]) => Promise<string>} add returns an error message or ""
 * @returns {Promise<ReadStudy | null>} what was read, null if nothing was added
 */
export async function addChapters(form, sheet, add) {
  const problem = /** @type {HTMLElement} */ (form.querySelector(".problem"));
  const { title, query, text, file } = Object.fromEntries(new FormData(form));
  const read = await readText(file instanceof File && file.size ? file : String(text), String(query));
  problem.textContent = read.message;
  if (!read.ok) return null;
  const only = read.data.chapters.length === 1 && String(title).trim();
  problem.textContent = await add(read.data.chapters.map(({ title: name = "", pdn, query: of, game }) => ({ title: only || name, pdn, query: of, game })));
  if (problem.textContent) return null;
  sheet.close();
  form.reset();
  return read.data;
}
