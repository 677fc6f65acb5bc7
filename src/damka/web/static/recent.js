/** Recently played or shared house boxes, stored in this browser. */

import { recall, remember } from "./prefs.js";
import { loadImage, href } from "./transport.js";

const KEY = "damka.boxes";
const MAX_BOXES = 6;

/** @typedef {{title: string, link: string, size?: string}} RecentBox */

/** @returns {RecentBox[]} latest first */
export function recent() {
  const { boxes } = recall(KEY, { boxes: /** @type {RecentBox[]} */ ([]) });
  if (!Array.isArray(boxes)) return [];
  return boxes.filter((box) => typeof box?.title === "string" && /^\/box\?r=[\w-]+$/.test(box.link));
}

/** @param {RecentBox} box */
export function rememberRecent(box) {
  const otherBoxes = recent().filter(({ link, title }) => link !== box.link && title !== box.title);
  remember(KEY, { boxes: [box, ...otherBoxes].slice(0, MAX_BOXES) });
}

/** @param {RecentBox} box @returns {HTMLElement} its board, name and size */
function tile({ title, link, size }) {
  const node = document.createElement("span");
  node.className = "tile";
  const picture = new Image(44, 44);
  picture.alt = "";
  picture.loading = "lazy";
  loadImage(picture, link.replace("/box?", "/box.svg?"));
  const words = document.createElement("span");
  const name = document.createElement("b");
  name.textContent = `${title} `;
  if (typeof size === "string") name.append(Object.assign(document.createElement("small"), { textContent: size }));
  words.append(name);
  node.append(picture, words);
  return node;
}

/** @param {HTMLElement} list hidden when empty */
export function listRecent(list) {
  const boxes = recent();
  list.hidden = !boxes.length;
  list.replaceChildren(
    ...boxes.map((box) => {
      const entry = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = href(box.link);
      anchor.append(tile(box));
      if (typeof box.size === "string") entry.dataset.size = box.size;
      entry.append(anchor);
      return entry;
    }),
  );
  const heading = list.previousElementSibling;
  if (heading?.tagName === "H3") heading.toggleAttribute("hidden", list.hidden);
}
