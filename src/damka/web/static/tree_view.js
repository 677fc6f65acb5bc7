/**
 * Tree of moves: the main line in rows, variations indented below the move that they replace,
 * comments between them. For screen readers it is a tree whose levels are the variations.
 */

import { meaning, sign } from "./glyphs.js";
import { page, t } from "./i18n.js";
import { lineAfter, nodeOf, offset, playersOf, ROOT } from "./tree_state.js";

const first = /** @type {RulesData} */ (page.rules).first;

/** @param {string} tag @param {string} name @param {string} [text] */
function element(tag, name, text = "") {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = text;
  return node;
}

export class TreeView {
  #tree;
  /** @type {TreeState | null} */ #state = null;
  /** @type {Map<number, HTMLElement>} */ #items = new Map();

  /**
   * @param {HTMLElement} tree
   * @param {(id: number) => void} go shows a node
   * @param {() => void} menu opens what can be done with the displayed node
   */
  constructor(tree, go, menu) {
    this.#tree = tree;
    tree.addEventListener("click", ({ target }) => {
      const id = this.idAt(target);
      if (id) go(id);
    });
    tree.addEventListener("contextmenu", (event) => {
      const id = this.idAt(event.target);
      if (!id) return;
      event.preventDefault();
      go(id);
      menu();
    });
    tree.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!down) return;
      event.preventDefault();
      event.stopPropagation();
      const ids = [...this.#items.keys()];
      const next = ids[ids.indexOf(this.idAt(event.target)) + down];
      if (next) go(next);
    });
  }

  /** Id of the move at an element, 0 for none. @param {EventTarget | null} target */
  idAt(target) {
    return Number(/** @type {Element} */ (target).closest("[data-id]")?.getAttribute("data-id") ?? 0);
  }

  /** Whether the focus is on a move. */
  get hasFocus() {
    return this.#tree.contains(document.activeElement);
  }

  /** Focus the current move. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#tree.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
  }

  /** Element of a move. @param {number} id */
  item(id) {
    return this.#items.get(id);
  }

  /** @param {TreeState} state */
  show(state) {
    const before = this.#state;
    const { hasFocus } = this;
    this.#state = state;
    if (before?.nodes !== state.nodes) this.#build(state);
    else this.#mark(before.current, false);
    this.#mark(state.current, true);
    // The tab stop is the current move, or the first one at the start.
    const stop = this.#items.get(state.current) ?? this.#items.values().next().value;
    for (const item of this.#tree.querySelectorAll("[tabindex='0']")) item.setAttribute("tabindex", "-1");
    stop?.setAttribute("tabindex", "0");
    if (hasFocus) stop?.focus({ preventScroll: true });
    this.#reveal(state.current);
  }

  /** @param {number} id @param {boolean} isCurrent */
  #mark(id, isCurrent) {
    const item = this.#items.get(id);
    if (isCurrent) item?.setAttribute("aria-current", "true");
    else item?.removeAttribute("aria-current");
  }

  /** Scroll the tree to the current move, after its height has changed. */
  reveal() {
    if (this.#state) this.#reveal(this.#state.current);
  }

  /** Scroll the tree to a move without scrolling the page. @param {number} id */
  #reveal(id) {
    const item = this.#items.get(id);
    if (!item) return this.#tree.scrollTo(0, 0);
    const [box, area] = [item.getBoundingClientRect(), this.#tree.getBoundingClientRect()];
    if (box.bottom > area.bottom) this.#tree.scrollTop += box.bottom - area.bottom + 24;
    if (box.top < area.top) this.#tree.scrollTop -= area.top - box.top + 24;
  }

  /** @param {TreeState} state */
  #build(state) {
    this.#items.clear();
    const whole = document.createDocumentFragment();
    const root = nodeOf(state, ROOT);
    const players = playersOf(state);
    const { Result = "*", Date: date = "" } = state.tags;
    const about = [players, date.replace(/[.?]+$/, ""), Result === "*" ? "" : Result];
    if (players) whole.append(element("div", "players", about.filter(Boolean).join(" · ")));
    if (root.comment) whole.append(element("div", "remark", root.comment));
    const plies = offset(state, first);
    // A tree has items.
    this.#tree.setAttribute("role", root.children.length ? "tree" : "group");
    if (root.children.length) this.#main(whole, state, plies);
    else whole.append(element("div", "empty", this.#tree.dataset.empty));
    this.#tree.replaceChildren(whole);
  }

  /** The main line, in rows of two moves. @param {ParentNode} place @param {TreeState} state @param {number} ply half-moves before the first */
  #main(place, state, ply) {
    const line = lineAfter(state, ROOT);
    /** @type {HTMLElement | null} */ let row = null;
    line.forEach((node, i) => {
      const second = (ply + i) % 2 === 1;
      if (!row || !second) {
        row = element("div", "row");
        row.append(element("i", "number", `${(ply + i >> 1) + 1}`));
        if (second) row.append(element("i", "gap", "…"));
        for (const each of row.children) each.setAttribute("aria-hidden", "true");
        place.append(row);
      }
      if (node.before) row.before(element("div", "remark", node.before));
      row.append(this.#item(node, ply + i, 1, i + 1, line.length));
      const others = nodeOf(state, node.parent).children.slice(1);
      if (!node.comment && !others.length) return;
      if (!second && i < line.length - 1) row.append(element("i", "gap", "…"));
      row = null;
      if (node.comment) place.append(element("div", "remark", node.comment));
      if (others.length) place.append(this.#variations(state, others, ply + i, 2));
    });
  }

  /** @param {TreeState} state @param {number[]} ids their first moves @param {number} ply @param {number} level */
  #variations(state, ids, ply, level) {
    const block = element("div", "variations");
    block.dataset.level = String(level);
    for (const id of ids) {
      const place = element("div", "variation");
      const line = [nodeOf(state, id), ...lineAfter(state, id)];
      let numbered = true;
      line.forEach((node, i) => {
        const second = (ply + i) % 2 === 1;
        if (node.before) place.append(element("span", "remark", `${node.before} `));
        if (!second || numbered || node.before) {
          const number = element("i", "number", `${(ply + i >> 1) + 1}${second ? "…" : "."}`);
          number.setAttribute("aria-hidden", "true");
          place.append(number);
        }
        place.append(this.#item(node, ply + i, level, i + 1, line.length), " ");
        const others = i ? nodeOf(state, node.parent).children.slice(1) : [];
        if (node.comment) place.append(element("span", "remark", `${node.comment} `));
        if (others.length) place.append(this.#variations(state, others, ply + i, level + 1));
        numbered = Boolean(node.comment || others.length);
      });
      block.append(place);
    }
    return block;
  }

  /**
   * @param {TreeNode} node
   * @param {number} ply half-moves before it
   * @param {number} level
   * @param {number} place number in its line
   * @param {number} size moves of the line
   */
  #item(node, ply, level, place, size) {
    const item = element("span", node.offence ? "move offence" : "move", node.text);
    for (const nag of node.nags) item.append(element("b", "glyph", sign(nag)));
    if (node.marks.length) item.append(element("b", "marked"));
    const number = `${(ply >> 1) + 1}${ply % 2 ? "…" : "."} ${node.text}`;
    const words = [number, ...node.nags.map(meaning), node.offence && t("offence"), node.before, node.comment];
    const attributes = {
      role: "treeitem",
      tabindex: -1,
      "data-id": node.id,
      "aria-level": level,
      "aria-posinset": place,
      "aria-setsize": size,
      "aria-label": words.filter(Boolean).join(", "),
    };
    for (const [name, value] of Object.entries(attributes)) item.setAttribute(name, String(value));
    if (node.offence) item.title = t("offence");
    this.#items.set(node.id, item);
    return item;
  }
}
