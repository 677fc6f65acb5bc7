/** The boxes of one's own that were played or shared lately, kept in this browser. */

import { recall, remember } from "./prefs.js";

const KEY = "damka.boxes";
const KEPT = 6;

/** @typedef {{title: string, link: string}} Own */

/** @returns {Own[]} the latest first */
export function recent() {
  const { boxes } = recall(KEY, { boxes: /** @type {Own[]} */ ([]) });
  if (!Array.isArray(boxes)) return [];
  return boxes.filter((box) => typeof box?.title === "string" && /^\/box\?r=[\w-]+$/.test(box.link));
}

/** @param {Own} box */
export function keepBox(box) {
  const others = recent().filter(({ link, title }) => link !== box.link && title !== box.title);
  remember(KEY, { boxes: [box, ...others].slice(0, KEPT) });
}

/** @param {HTMLElement} list shown when there is anything to list */
export function listRecent(list) {
  const boxes = recent();
  list.hidden = !boxes.length;
  list.replaceChildren(
    ...boxes.map(({ title, link }) => {
      const entry = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = title;
      entry.append(anchor);
      return entry;
    }),
  );
}
