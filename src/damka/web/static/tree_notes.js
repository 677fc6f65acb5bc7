/** Panel of the displayed move: its comments, glyphs and marks, and the place of its variation. */

import { analysis } from "./analysis_board.js";
import { meaning, OFFERED, sign } from "./glyphs.js";
import { page } from "./i18n.js";
import * as trees from "./tree_state.js";

/** Delay between typing and the change of the tree, in milliseconds. */
const DEBOUNCE = 400;

const panel = /** @type {HTMLElement} */ (document.getElementById("annotation"));
/** @param {string} key */
const say = (key) => page.strings[`analysis.say.${key}`] ?? key;

/** @param {string} words @param {"before" | "comment"} name */
function field(words, name) {
  const label = document.createElement("label");
  const area = document.createElement("textarea");
  Object.assign(area, { name, rows: 2, maxLength: trees.MAX_COMMENT });
  label.append(words, area);
  let timer = 0;
  const save = () => {
    clearTimeout(timer);
    const id = Number(area.dataset.node);
    if (id && analysis.state.nodes.has(id)) analysis.edit(trees.annotate(analysis.state, id, { [name]: area.value.trim() }));
  };
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(save, DEBOUNCE);
  });
  area.addEventListener("change", save);
  // Leave the field with Escape, so that the keys of the page work again.
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    save();
    area.blur();
  });
  return { label, area, save };
}

const before = field(say("before"), "before");
const comment = field(say("comment"), "comment");
const groups = OFFERED.map((nags) => {
  const group = document.createElement("div");
  group.className = "glyphs";
  group.setAttribute("role", "group");
  group.append(
    ...nags.map((nag) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: sign(nag), title: meaning(nag) });
      button.setAttribute("aria-label", meaning(nag));
      button.dataset.nag = String(nag);
      button.addEventListener("click", () => analysis.edit(trees.toggleGlyph(analysis.state, analysis.state.current, nag)));
      return button;
    }),
  );
  return group;
});
groups.forEach((group, i) => group.setAttribute("aria-label", say(["glyphs_move", "glyphs_position", "glyphs_other"][i])));

/** @type {Record<string, (state: TreeState, id: number) => TreeState>} */
const CHANGES = {
  promote: trees.promote,
  demote: trees.demote,
  main: trees.makeMain,
  delete: trees.remove,
  clear_marks: (state, id) => trees.annotate(state, id, { marks: [] }),
  undo: trees.undo,
  redo: trees.redo,
};
const acts = document.createElement("div");
acts.className = "line-acts";
const buttons = Object.entries(CHANGES).map(([name, change]) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button quiet", textContent: say(name) });
  button.addEventListener("click", () => {
    analysis.edit(change(analysis.state, analysis.state.current));
    if (button.disabled) comment.area.focus();
  });
  acts.append(button);
  return /** @type {const} */ ([name, button]);
});
panel.append(before.label, comment.label, ...groups, acts);

/** @param {TreeState} state */
function show(state) {
  const node = trees.nodeOf(state);
  const isFirst = node.parent > 0 && trees.nodeOf(state, node.parent).children[0] !== node.id;
  before.label.hidden = !isFirst && !node.before;
  for (const { area, save } of [before, comment]) {
    const name = /** @type {"before" | "comment"} */ (area.name);
    // The text of another node is saved before it is replaced.
    if (area.dataset.node !== String(node.id)) {
      if (area.dataset.node && document.activeElement === area) save();
      area.dataset.node = String(node.id);
      area.value = trees.nodeOf(analysis.state)[name];
    } else if (document.activeElement !== area) area.value = node[name];
  }
  for (const button of panel.querySelectorAll(/** @type {"button"} */ ("[data-nag]"))) {
    button.setAttribute("aria-pressed", String(node.nags.includes(Number(button.dataset.nag))));
    button.disabled = !node.parent;
  }
  const inVariation = trees.variationOf(state, node.id) > 0;
  /** @type {Record<string, boolean>} */
  const possible = {
    promote: inVariation,
    demote: trees.demote(state, node.id) !== state,
    main: inVariation,
    delete: node.parent > 0,
    clear_marks: node.marks.length > 0,
    undo: state.past.length > 0,
    redo: state.future.length > 0,
  };
  for (const [name, button] of buttons) button.disabled = !possible[name];
}
analysis.onTree(show);

/** Show or hide the panel. @param {boolean} [open] */
export function toggleNotes(open = panel.hidden) {
  panel.hidden = !open;
  document.getElementById("annotate")?.setAttribute("aria-expanded", String(open));
}

/** Open the panel and write the comment. */
export function writeComment() {
  toggleNotes(true);
  comment.area.focus();
}
