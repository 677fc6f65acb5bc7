/** List of own studies: search, titles, removal, new studies; and those of the browser for a member. */

import "./header.js";
import * as database from "./study_db.js";
import { browser, own } from "./study_browser.js";
import { fileText, readText, saveFile } from "./study_files.js";
import { account, pathOf } from "./study_store.js";
import { data, say } from "./study_text.js";
import { href, visit } from "./transport.js";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLElement} a copy of the template's content */
const copyOf = (id) =>
  /** @type {HTMLElement} */ (/** @type {HTMLTemplateElement} */ (get(id)).content.firstElementChild?.cloneNode(true));

const list = get("list");
const find = /** @type {HTMLInputElement} */ (get("find"));
const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
const store = own();
/** @type {StudyEntry[]} */
let studies = [];

/** Announce text to screen readers, which ignore an unchanged text. @param {string} text */
function announce(text) {
  const said = get("said");
  said.textContent = said.textContent === text ? `${text}\u00a0` : text;
}

/** @param {StudyEntry} study */
function row(study) {
  const item = copyOf("row");
  const link = item.querySelector("a");
  link?.setAttribute("href", href(addressOf(study)));
  const fill = (/** @type {string} */ part, /** @type {string} */ text) => {
    const place = item.querySelector(part);
    if (place) place.textContent = text;
  };
  const games = study.games.map((query) => data.games[query] ?? say("house")).slice(0, 3);
  fill(".name", study.title);
  fill(".about", [...new Set(games), say("chapters", { n: study.chapters })].join(" · "));
  fill(".when", [day.format(new Date(study.updated)), study.shared ? say("shared") : ""].filter(Boolean).join(" · "));
  for (const button of item.querySelectorAll("[data-do]")) label(button, study.title);
  item.addEventListener("click", (event) => {
    const tool = /** @type {Element} */ (event.target).closest("[data-do]")?.getAttribute("data-do");
    if (tool === "rename") rename(item, study);
    if (tool === "remove") void remove(item, study);
    if (tool === "download") void download(item, study);
  });
  return item;
}

/** Path of a study's first chapter. @param {StudyEntry} study */
const addressOf = ({ id, games }) => (store.where === "account" ? `/study/${id}` : `/study/-?${games[0]}&study=${id}`);

/** @param {Element} button @param {string} title */
const label = (button, title) => button.setAttribute("aria-label", `${button.getAttribute("title")}: ${title}`);

function show() {
  const words = find.value.toLocaleLowerCase().split(/\s+/);
  const titles = (/** @type {StudyEntry} */ { title, games }) =>
    [title, ...games.map((query) => data.games[query] ?? "")].join(" ").toLocaleLowerCase();
  const shown = studies.filter((study) => words.every((word) => titles(study).includes(word)));
  list.replaceChildren(...shown.map(row));
  list.removeAttribute("aria-busy");
  get("nothing").hidden = studies.length > 0;
  find.closest("label")?.toggleAttribute("hidden", !studies.length);
  get("no-match").hidden = !studies.length || shown.length > 0;
}

/** @param {Element} item @param {string} text */
function showProblem(item, text) {
  item.querySelector(":scope > .problem")?.remove();
  if (!text) return;
  const problem = document.createElement("p");
  problem.className = "problem";
  problem.setAttribute("role", "alert");
  item.append(problem);
  problem.textContent = text;
}

/** @param {HTMLElement} item @param {StudyEntry} study */
function rename(item, study) {
  const form = /** @type {HTMLFormElement} */ (copyOf("rename-form"));
  const [input, problem] = [form.querySelector("input"), form.querySelector(".problem")];
  if (!input || !problem) return;
  const close = () => {
    form.remove();
    item.classList.remove("editing");
    /** @type {HTMLElement | null} */ (item.querySelector("[data-do=rename]"))?.focus();
  };
  input.value = study.title;
  form.querySelector("[data-cancel]")?.addEventListener("click", close);
  form.addEventListener("keydown", (event) => event.key === "Escape" && close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { ok, data: changed, message } = await store.change(study.id, { title: input.value });
    problem.textContent = message;
    if (!ok) return input.focus();
    study.title = changed.title;
    const name = item.querySelector(".name");
    if (name) name.textContent = study.title;
    for (const button of item.querySelectorAll("[data-do]")) label(button, study.title);
    close();
    announce(say("renamed"));
  });
  item.classList.add("editing");
  item.append(form);
  input.focus();
  input.select();
}

/** @param {HTMLElement} item @param {StudyEntry} study */
async function remove(item, study) {
  if (item.ariaBusy) return;
  item.ariaBusy = "true";
  const { ok, message } = await store.change(study.id, { removed: true });
  item.ariaBusy = null;
  showProblem(item, message);
  if (!ok) return;
  studies = studies.filter((each) => each !== study);
  const removed = copyOf("removed-row");
  const button = removed.querySelector("button");
  button?.addEventListener("click", async () => {
    const answer = await store.change(study.id, { removed: false });
    showProblem(item, answer.message);
    if (!answer.ok) return;
    // Removal has ended the sharing.
    studies.push({ ...study, shared: false });
    removed.remove();
    item.classList.remove("gone");
    const when = item.querySelector(".when");
    if (when) when.textContent = day.format(new Date(study.updated));
    /** @type {HTMLElement | null} */ (item.querySelector("[data-do=remove]"))?.focus();
    announce(say("restored"));
  });
  item.classList.add("gone");
  item.append(removed);
  button?.focus();
  announce(say("removed"));
}

/** @param {HTMLElement} item @param {StudyEntry} entry */
async function download(item, entry) {
  const { ok, data: study, message } = await store.load(entry.id);
  showProblem(item, message);
  if (ok) saveFile(fileText(study.title, study.chapters), study.title);
}

async function start() {
  const answer = data.studies ? null : await store.list();
  studies = data.studies ?? answer?.data ?? [];
  if (answer && !answer.ok) get("problem").textContent = answer.message;
  show();
  if (store.where === "account") await offerMove();
}

/** Offer a member to move the studies of this browser to the account. */
async function offerMove() {
  const { data: left } = await browser.list();
  const notice = get("moving");
  notice.hidden = !left?.length;
  if (!left?.length) return;
  const [words, button] = [notice.querySelector("span"), notice.querySelector("button")];
  if (words) words.textContent = say("in_browser", { n: left.length });
  if (button) button.onclick = async () => {
    button.disabled = true;
    for (const { id } of left.reverse()) {
      const { ok, data: study } = await browser.load(id);
      if (!ok) continue;
      const chapters = study.chapters.map(({ title = "", query, game, pdn = "" }) => ({ title, query, game, pdn }));
      const moved = await account.create(study.title, chapters);
      get("problem").textContent = moved.message;
      if (!moved.ok || moved.data.chapters.length < chapters.length) break;
      await database.remove(id);
    }
    const listed = await account.list();
    if (listed.ok) studies = listed.data;
    button.disabled = false;
    show();
    await offerMove();
  };
}

// New studies

const sheet = /** @type {HTMLDialogElement} */ (get("creating"));
const form = /** @type {HTMLFormElement} */ (get("create"));

get("new").addEventListener("click", () => sheet.showModal());
// A click outside the dialog closes it.
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sheet.ariaBusy) return;
  const problem = /** @type {HTMLElement} */ (form.querySelector(".problem"));
  const { title, query, text, file } = Object.fromEntries(new FormData(form));
  const source = file instanceof File && file.size ? file : String(text);
  sheet.ariaBusy = "true";
  const read = await readText(source, String(query));
  problem.textContent = read.message;
  if (read.ok) {
    const created = await store.create(String(title).trim() || read.data.title || say("untitled"), read.data.chapters.map(({ title: name = "", ...chapter }) => ({ ...chapter, title: name })));
    problem.textContent = created.message;
    if (created.ok) return visit(pathOf(store.where, created.data));
  }
  sheet.ariaBusy = null;
});
find.addEventListener("input", show);
addEventListener("pageshow", (event) => event.persisted && location.reload());
void start();
