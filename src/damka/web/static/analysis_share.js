/** Links, files and prints of the tree and of its displayed line. */

import { encode, fenOf } from "./analyse_address.js";
import { analysis } from "./analysis_board.js";
import { parse } from "./edit_fen.js";
import { sign } from "./glyphs.js";
import { page, t } from "./i18n.js";
import { piece, svg } from "./pieces.js";
import { absolute, copy } from "./position_texts.js";
import { SQUARE } from "./shapes.js";
import { pdn } from "./tree_files.js";
import { href } from "./transport.js";
import * as trees from "./tree_state.js";

/** Limit of a line in an address, as on the server. */
const MAX_MOVES = 6000;

const edit = /** @type {EditData} */ (page.edit);
const rules = /** @type {RulesData} */ (page.rules);
/** @template {HTMLElement} T @param {string} id */
const get = (id) => /** @type {T} */ (document.getElementById(id));

/** Show an error in the status line. @param {string} words */
function fail(words) {
  get("status").classList.add("no");
  get("note").textContent = words;
}

/** Parameters of the displayed line and what follows it; null if it is too long. */
function lineQuery() {
  const { fen, moves } = analysis.position;
  const after = trees.lineAfter(analysis.state, analysis.state.current).map(({ key }) => key);
  const keys = [...moves, ...after].join(",");
  if (keys.length > MAX_MOVES) {
    fail(t("analysis.say.line_too_long"));
    return null;
  }
  const start = parse(fen, edit.start.length);
  const from = start ? fenOf(start) : fen;
  return [...(from ? [`fen=${encode(from)}`] : []), ...(keys ? [`moves=${encode(keys)}`] : [])].join("&");
}

/** Copy a link to the line of the displayed position. */
export function copyLine() {
  const query = lineQuery();
  if (query === null) return;
  const path = query ? `${edit.path}${edit.path.includes("?") ? "&" : "?"}${query}` : edit.path;
  void copy(get("copy-line"), absolute(path), get("address"));
}

/** Save a file that the page has made. @param {string} text @param {string} type @param {string} name */
function save(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.setAttribute("download", name);
  // The static site creates other downloads itself.
  link.addEventListener("click", (event) => event.stopPropagation());
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Save the tree as PDN. */
export async function savePdn() {
  const { ok, text, name } = await pdn();
  if (ok) save(text, "application/x-draughts-pdn", name);
  else fail(text);
}

/** Save the line as an animated picture. @param {boolean} flipped */
export function saveReplay(flipped) {
  const query = lineQuery();
  if (query === null) return;
  const link = document.createElement("a");
  link.href = href(`/line.svg?${edit.query}&${query}${flipped ? "&flip=1" : ""}`);
  link.setAttribute("download", "");
  document.body.append(link);
  link.click();
  link.remove();
}

// Diagrams

/** @param {string} pieces @param {boolean} flipped */
function diagram(pieces, flipped) {
  const [width, height] = [rules.width * SQUARE, rules.height * SQUARE];
  const picture = svg("svg", { viewBox: `-4 -4 ${width + 8} ${height + 8}`, role: "img" });
  picture.append(svg("rect", { class: "rest", width, height }), svg("rect", { class: "border", width, height }));
  const place = (/** @type {number[]} */ [row, column]) =>
    flipped ? [rules.height - 1 - row, rules.width - 1 - column] : [row, column];
  for (const cell of rules.cells) {
    const [row, column] = place(cell);
    picture.append(svg("rect", { class: rules.lined ? "play lined" : "play", x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE }));
  }
  rules.cells.forEach((cell, i) => {
    if (pieces[i] === ".") return;
    const [row, column] = place(cell);
    const man = piece(pieces[i]);
    man.setAttribute("transform", `translate(${(column + 0.5) * SQUARE} ${(row + 0.5) * SQUARE})`);
    picture.append(man);
  });
  return picture;
}

let flipped = false;
const sheet = /** @type {HTMLDialogElement} */ (get("diagrams"));
const form = /** @type {HTMLFormElement} */ (get("diagrams-form"));
sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || /** @type {Element} */ (target).closest("[data-close]")) sheet.close();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { which, every } = Object.fromEntries(new FormData(form));
  const { state } = analysis;
  const line = [...trees.lineTo(state), ...trees.lineAfter(state, state.current)];
  const plies = trees.offset(state, rules.first);
  const commented = [...state.nodes.values()].filter(({ comment, nags, parent }) => comment || (nags.length && parent));
  const step = Math.max(1, Number(every) || 1);
  const nodes = which === "every" ? line.filter((_, i) => (i + 1) % step === 0) : commented;
  const shown = nodes.length ? nodes : [trees.nodeOf(state)];
  get("printed").replaceChildren(
    ...shown.map((node) => {
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      const ply = trees.lineTo(state, node.id).length - 1 + plies;
      const title = document.createElement("b");
      title.textContent = node.parent ? `${(ply >> 1) + 1}${ply % 2 ? "…" : "."} ${node.text}${node.nags.map(sign).join("")}` : t("analysis.say.start");
      caption.append(title, node.comment ? ` ${node.comment}` : "");
      figure.append(diagram(node.pieces, flipped), caption);
      return figure;
    }),
  );
  sheet.close();
  document.body.classList.add("printing");
  addEventListener("afterprint", () => document.body.classList.remove("printing"), { once: true });
  print();
});

/** Choose the positions to print as diagrams. @param {boolean} isFlipped */
export function openDiagrams(isFlipped) {
  flipped = isFlipped;
  sheet.showModal();
}
