/** Dialog of spectators, updated by the server while it is open. */

import { byId } from "./status.js";
import { t } from "./i18n.js";

/** @type {HTMLDialogElement | null} */
let sheet = null;

/** @param {(on: boolean) => unknown} subscribe subscribes to the list of spectators, or unsubscribes */
export function open(subscribe) {
  sheet ??= build(subscribe);
  subscribe(true);
  sheet.showModal();
}

/** @param {(on: boolean) => unknown} subscribe */
function build(subscribe) {
  const dialog = document.createElement("dialog");
  dialog.id = "watchers";
  dialog.setAttribute("aria-labelledby", "watchers-title");
  const form = document.createElement("form");
  form.method = "dialog";
  const header = document.createElement("header");
  const title = document.createElement("h2");
  title.id = "watchers-title";
  const close = /** @type {HTMLElement} */ (byId("settings").querySelector("header .icon")).cloneNode(true);
  header.append(title, close);
  const list = document.createElement("ul");
  list.ariaLive = "polite";
  // Inline, because few visitors open this dialog.
  list.style.cssText = "margin: 0; padding: 0; list-style: none";
  form.append(header, list);
  dialog.append(form);
  dialog.addEventListener("close", () => subscribe(false));
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

/** @param {WatcherList} message */
export function showList({ names, guests, words }) {
  if (!sheet) return;
  byId("watchers-title").textContent = t("watch_n", { n: names.length + guests });
  const entries = names.map((name) => {
    const link = document.createElement("a");
    link.href = `/@/${encodeURIComponent(name)}`;
    link.target = "_blank";
    link.textContent = name;
    link.style.cssText = "display: inline-block; padding: 8px 0";
    return link;
  });
  const rows = [...entries, ...(words ? [words] : [])].map((each) => {
    const row = document.createElement("li");
    row.append(each);
    return row;
  });
  sheet.querySelector("ul")?.replaceChildren(...rows);
}
