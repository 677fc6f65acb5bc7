/** Draft of the tree in this window: a reload, a change of language and Back keep it. */

import { analysis } from "./analysis_board.js";
import { href, visit } from "./transport.js";
import { load, wireOf } from "./tree_files.js";

const KEY = "damka.analysis";
/** Delay of saving, in milliseconds. */
const DEBOUNCE = 300;

/** Address that a draft belongs to, in any language. @param {{pathname: string, search: string}} place */
const addressOf = ({ pathname, search }) => pathname.replace(/\/(en|sk|it|bg)\//, "/") + search;

let timer = 0;
/** Whether the draft is for the page that opens next. */
let isCarried = false;

/** @param {{pathname: string, search: string}} place @param {import("./tree_files.js").WireTree} tree */
function write(place, tree) {
  clearTimeout(timer);
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ address: addressOf(place), carried: isCarried, tree }));
  } catch {
    // Without storage, or with too large a tree, the page begins again.
  }
}

const save = () => isCarried || write(location, wireOf(analysis.state, true));

/** Restore the draft of this page; return whether there is one. */
export function restoreDraft() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    const isKept = draft?.carried || entry?.type === "reload" || entry?.type === "back_forward";
    if (!isKept || draft?.address !== addressOf(location)) return false;
    load(draft.tree);
    return true;
  } catch {
    return false;
  }
}

/** Open the page of other rules with a tree. @param {string} path @param {import("./tree_files.js").WireTree} tree */
export function carry(path, tree) {
  isCarried = true;
  write(new URL(href(path), location.href), tree);
  visit(path);
}

/** Save the tree after every change. */
export function keepDraft() {
  analysis.onTree(() => {
    clearTimeout(timer);
    timer = setTimeout(save, DEBOUNCE);
  });
  addEventListener("pagehide", save);
  addEventListener("pageshow", ({ persisted }) => persisted && (isCarried = false));
  document.querySelector("#language select")?.addEventListener(
    "change",
    () => {
      isCarried = true;
      write(location, wireOf(analysis.state, true));
    },
    { capture: true },
  );
}
