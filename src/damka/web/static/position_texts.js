/** Texts of the displayed position: its FEN, links, pictures and print. */

import { picturePath, positionPath, START } from "./analyse_address.js";
import { copy as copyText } from "./copy.js";
import { format } from "./edit_fen.js";
import { page, t } from "./i18n.js";
import { href } from "./transport.js";

const edit = /** @type {EditData} */ (page.edit);
const rules = /** @type {RulesData} */ (page.rules);
/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));
const fens = [get("fen"), get("fen-library")].map((each) => /** @type {HTMLInputElement} */ (each));

let position = START;
let flipped = false;

/** FEN with the labels of the board. @param {EditPosition} [of] */
export const boardFen = (of = position) => format(of, rules.names, edit.order);
/** @param {EditPosition} [of] */
export const libraryFen = (of = position) => format(of);

/** Show the texts of a position. @param {EditPosition} now @param {boolean} isFlipped */
export function showTexts(now, isFlipped) {
  [position, flipped] = [now, isFlipped];
  [fens[0].value, fens[1].value] = [boardFen(), libraryFen()];
  for (const field of fens) field.removeAttribute("aria-invalid");
  get("print-fen").textContent = fens[0].value;
  get("svg").setAttribute("href", href(picturePath(position, flipped)));
}

/**
 * Handle the fields and buttons.
 * @param {(text: string, labels: boolean) => void} read handles a pasted text; `labels` tells
 * whether its squares are the board's
 */
export function handleTexts(read) {
  get("library-row").hidden = edit.order === undefined && rules.names === undefined;
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    const i = fens.indexOf(/** @type {HTMLInputElement} */ (event.target));
    if (!text.trim() || (i < 0 && isText(event.target))) return;
    event.preventDefault();
    read(text, i < 1);
  });
  fens.forEach((field, i) => {
    field.form?.addEventListener("submit", (event) => event.preventDefault());
    field.addEventListener("change", () => {
      if (field.value.trim() && field.value !== [boardFen(), libraryFen()][i]) read(field.value, !i);
    });
  });
  for (const button of document.querySelectorAll(/** @type {"button"} */ ("button[data-copies]"))) {
    const field = /** @type {HTMLInputElement} */ (get(button.dataset.copies ?? ""));
    const text = () => (field.id === "address" ? absolute(positionPath(position)) : field.value);
    button.addEventListener("click", () => void copy(button, text(), field));
  }
  get("png").addEventListener("click", async () => {
    const { pngFile, save } = await import("./png.js");
    save(await pngFile(picturePath(position, flipped), `${edit.path.split("/")[2] ?? "damka"}.png`));
  });
  get("print").addEventListener("click", () => print());
}

/** @param {string} path */
export const absolute = (path) => new URL(href(path), location.href).href;

/** Whether typing goes into a field. @param {EventTarget | null} target */
export const isText = (target) =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !["radio", "checkbox", "range"].includes(target.type));

/** Copy a text; if the browser refuses, select it in its field. @param {HTMLButtonElement} button @param {string} text @param {HTMLInputElement} field */
export async function copy(button, text, field) {
  if (!(await copyText(text))) {
    field.hidden = false;
    field.value = text;
    field.focus();
    field.select();
    get("note").textContent = t("edit.say.not_copied");
    get("announcement").textContent = t("edit.say.not_copied");
    return;
  }
  const label = button.querySelector("span") ?? button;
  const words = button.dataset.words ?? label.textContent ?? "";
  button.dataset.words = words;
  label.textContent = t("edit.say.copied");
  get("announcement").textContent = t("edit.say.copied");
  setTimeout(() => (label.textContent = words), 2000);
}
