/** Dialog of the page Analyse that saves the tree of moves as a new study, or as a chapter of one. */

import { analysis } from "./analysis_board.js";
import { page } from "./i18n.js";
import { own } from "./study_browser.js";
import { pathOf } from "./study_store.js";
import { say } from "./study_text.js";
import { format } from "./study_tree.js";
import { visit } from "./transport.js";
import { playersOf } from "./tree_state.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("saving-study"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("save-form"));
const edit = /** @type {EditData} */ (page.edit);
const store = own();

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name));
const studies = /** @type {HTMLSelectElement} */ (field("study"));

/** Show the dialog, with the own studies. */
export async function offerSaving() {
  const title = playersOf(analysis.state) || (analysis.state.tags.Event ?? "").replace(/^[?. ]+$/, "");
  field("chapter").value = title.slice(0, 100);
  const titleField = field("title");
  if (!titleField.value) titleField.value = title.slice(0, 100);
  /** @type {HTMLInputElement} */ (titleField).placeholder = say("untitled");
  showProblem("");
  sheet.showModal();
  const listed = await store.list();
  if (!listed.ok) return showProblem(listed.message);
  const [first] = studies.options;
  studies.replaceChildren(first, ...listed.data.map((each) => new Option(each.title, each.id)));
}

/** @param {string} text */
function showProblem(text) {
  const problem = form.querySelector(".problem");
  if (problem) problem.textContent = text;
}

studies.addEventListener("change", () => {
  document.getElementById("new-title")?.toggleAttribute("hidden", studies.value !== "");
});
// A click outside the dialog closes it.
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sheet.ariaBusy) return;
  sheet.ariaBusy = "true";
  const text = await format(analysis.state);
  showProblem(text.message);
  if (text.ok) {
    const { query } = edit;
    const chapter = { title: field("chapter").value, pdn: text.data, query, game: page.rules?.title ?? "" };
    const title = field("title").value.trim() || say("untitled");
    const { ok, data: study, message } = await (studies.value ? store.add(studies.value, [chapter]) : store.create(title, [chapter]));
    showProblem(message);
    if (ok) return visit(pathOf(store.where, study, study.chapters[study.chapters.length - 1].id));
  }
  sheet.ariaBusy = null;
});
