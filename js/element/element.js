/**
 * <damka-board>: the board of Damka's page as a custom element. It shows a board and reports the
 * moves that the player chooses by mouse, touch or keyboard; it does not make them.
 */

import { DamkaBoard } from "./board.js";
import { paint } from "./pieces.js";
import { STYLE } from "./style.js";
import { labelsOf, rim } from "../notation.js";
import { COLOURS, WORDS } from "../rules_data.js";

/** @typedef {import("../board.js").Board} Board */
/** @typedef {import("../move.js").Move} Move */
/** @typedef {import("../rules.js").Rules} Rules */

/**
 * Labels for screen readers, in the page's language. The default is English.
 * @typedef {object} BoardWords
 * @property {string} [board] the whole board: "Board: {title}"
 * @property {string} [cell_man] a piece: "{colour} man"
 * @property {string} [cell_king] "{colour} king"
 * @property {string} [cell_must] suffix of a piece that must capture
 * @property {string} [cell_huff] suffix of a piece that may be huffed
 * @property {string} [cell_target] suffix of a target square of the chosen piece
 * @property {string} [title] name of the game
 * @property {[string, string]} [colours] names of White and Black
 */

/**
 * Detail of a `move` event.
 * @typedef {object} Chosen
 * @property {Move} move
 * @property {readonly number[]} path path chosen by the player
 * @property {boolean} offence whether it is a quiet move although a capture is compulsory
 * (huffing): see `Board.push`
 */

/** @typedef {{animate?: boolean}} ShowOptions */

/** Inner element with the squares. Its separate name avoids a conflict with <damka-board>. */
class Squares extends DamkaBoard {}
define("damka-squares", Squares);

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** Style of all boards; a Content Security Policy does not block adopted style sheets. */
function styles() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}

const ATTRIBUTES = ["flipped", "player", "quick", "plain"];

/**
 * Events: "move" (a `CustomEvent<Chosen>`), "attempt" ({squares: number[]}) if the clicks match no
 * legal move, and "huff" ({square: number}).
 *
 * Attributes, and properties of the same names: `player`, the side that may move ("W", "B", "WB"
 * for both, "" for none); `flipped`, Black at the bottom; `quick`, a click on a piece plays its
 * only move; `plain`, without square names.
 */
export class BoardElement extends HTMLElement {
  static observedAttributes = ATTRIBUTES;

  #view = /** @type {Squares} */ (document.createElement("damka-squares"));
  #frame = document.createElement("div");
  /** @type {Board | null} */
  #board = null;
  /** @type {Rules | null} */
  #rules = null;
  /** @type {BoardWords} */
  #words = {};
  /** Legal moves by key. @type {Map<string, {move: Move, offence: boolean}>} */
  #moves = new Map();
  /** Part of the next move that is already displayed. @type {{hub: string, path: readonly number[], legs: number} | null} */
  #chosen = null;
  #showCount = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    this.#frame.className = "frame";
    root.append(this.#frame);
  }

  attributeChangedCallback() {
    this.#applyAttributes();
  }

  /** The side that may move. @returns {"W" | "B" | "WB" | ""} */
  get player() {
    return /** @type {"W" | "B" | "WB" | ""} */ (this.getAttribute("player") ?? "");
  }

  set player(sides) {
    this.setAttribute("player", sides);
  }

  /** Whether Black is at the bottom. @returns {boolean} */
  get flipped() {
    return this.hasAttribute("flipped");
  }

  set flipped(on) {
    this.toggleAttribute("flipped", on);
  }

  /** Whether a click on a piece plays its only move. @returns {boolean} */
  get quick() {
    return this.hasAttribute("quick");
  }

  set quick(on) {
    this.toggleAttribute("quick", on);
  }

  /** Whether the square names are hidden. @returns {boolean} */
  get plain() {
    return this.hasAttribute("plain");
  }

  set plain(on) {
    this.toggleAttribute("plain", on);
  }

  /** Labels for screen readers. @returns {BoardWords} */
  get words() {
    return this.#words;
  }

  set words(words) {
    this.#words = words;
    const board = this.#board;
    this.#rules = null;
    if (board) void this.show(board, { animate: false });
  }

  /** The displayed board. @returns {Board | null} */
  get board() {
    return this.#board;
  }

  /**
   * Show the current position of a board, and accept its moves. One new move since the last call is
   * animated.
   * @param {Board} board
   * @param {ShowOptions} [options]
   * @returns {Promise<void>} resolved when the animation has ended
   */
  async show(board, { animate = true } = {}) {
    const shows = ++this.#showCount;
    this.#board = board;
    if (this.#rules !== board.rules) this.#build(board.rules);
    const view = this.#view;
    const { lastMove: move, pieces } = board;
    const last = move ? [move.from, move.to] : [];
    view.allow(null);
    view.point([]);
    const chosen = this.#chosen;
    this.#chosen = null;
    if (animate && move && pieces !== view.pieces && piecesBefore(board) === view.pieces) {
      const [path, legs] = chosen?.hub === move.hub ? [chosen.path, chosen.legs] : [move.path, 0];
      await view.perform(toBoardMove(move), [...path], pieces, legs);
      if (shows !== this.#showCount) return;
    }
    if (view.pieces !== pieces || !move || !animate) view.show(pieces, last);
    this.#allow();
  }

  /** Show an arrow along a move; null removes it. @param {Move | null} move */
  hint(move) {
    this.#view.point(move ? [...move.path] : []);
  }

  /** Deselect the chosen piece. */
  release() {
    this.#view.release();
  }

  /** Rebuild the board after a change of the rules or words. @param {Rules} rules */
  #build(rules) {
    this.#rules = rules;
    const { first, theme, notation } = rules.parameters;
    const words = this.#words;
    const colours = words.colours ?? colourNames(rules);
    const view = /** @type {Squares} */ (document.createElement("damka-squares"));
    this.#view = view;
    this.#frame.style.setProperty("--ratio", String(rules.width / rules.height));
    this.#frame.replaceChildren(view);
    const names = labelsOf(rules).names;
    view.setup(
      {
        title: words.title ?? rules.title(),
        width: rules.width,
        height: rules.height,
        cells: names.map((_, i) => rules.cell(i + 1)),
        colour_names: { W: colours[0], B: colours[1] },
        first,
        theme: { ...theme, white: [...theme.white], black: [...theme.black] },
        names,
        ...(notation.startsWith("A") && { coordinates: rim(rules) }),
        ...(rules.parameters.squares === "all" && { lined: true }),
      },
      (key, values = {}) => {
        const text = /** @type {Record<string, unknown>} */ (words)[key] ?? WORDS[key] ?? key;
        return String(text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
      },
    );
    paint(view, { ...theme, white: [...theme.white], black: [...theme.black] });
    view.addEventListener("play", (event) => this.#onPlay(/** @type {CustomEvent} */ (event).detail));
    view.addEventListener("attempt", (event) => this.#onAttempt(/** @type {CustomEvent} */ (event).detail.clicks));
    view.addEventListener("huff", (event) => this.#emit("huff", /** @type {CustomEvent} */ (event).detail));
    this.#applyAttributes();
  }

  /** Apply the attributes. */
  #applyAttributes() {
    if (!this.#rules) return;
    this.#view.flipped = this.flipped;
    this.#view.quick = this.quick;
    this.#view.label(!this.plain);
    this.#allow();
  }

  /** Set the available moves on the inner board. */
  #allow() {
    const board = this.#board;
    this.#moves.clear();
    if (!board || !this.player.includes(board.turn) || board.isOver) return this.#view.allow(null);
    const { legalMoves } = board;
    const { obligation } = board.rules.parameters;
    const captures = legalMoves.some((move) => move.isCapture);
    const offences = obligation === "huff" && captures ? board.quietMoves : [];
    for (const move of legalMoves) this.#moves.set(keyOf(move), { move, offence: false });
    for (const move of offences) this.#moves.set(keyOf(move), { move, offence: true });
    return this.#view.allow({
      legal: legalMoves.map(toBoardMove),
      offences: offences.map(toBoardMove),
      must: captures && obligation !== "free" ? [...new Set(legalMoves.map(({ from }) => from))] : [],
      huffable: board.offences,
      side: board.turn,
    });
  }

  /** @param {{move: {hub: string, crowns: boolean}, route: number[], legs: number}} played */
  #onPlay({ move: { hub, crowns }, route, legs }) {
    const played = this.#moves.get(keyOf({ hub, crowns }));
    if (!played) return;
    this.#chosen = { hub, path: route, legs };
    const shows = this.#showCount;
    this.#emit("move", { ...played, path: route });
    // The page has refused the move, unless it has called `show`.
    if (shows === this.#showCount) this.#view.release();
  }

  /** @param {number[]} squares */
  #onAttempt(squares) {
    if (this.#emit("attempt", { squares })) void this.#view.refuse(squares);
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** @param {{hub: string, crowns: boolean}} move */
const keyOf = ({ hub, crowns }) => `${hub} ${crowns}`;

/** Pieces before the last move. @param {Board} board */
function piecesBefore(board) {
  const earlier = board.copy();
  earlier.pop();
  return earlier.pieces;
}

/** Convert a move for the inner board. @param {Move} move */
const toBoardMove = ({ from, to, captures, path, paths, crowns, isKing: king, hub, text }) => ({
  from,
  to,
  captures: [...captures],
  route: [...path],
  routes: paths.map((way) => [...way]),
  crowns,
  king,
  hub,
  text,
});

/** Names of the sides in English. @param {Rules} rules @returns {string[]} */
const colourNames = ({ parameters: { colours } }) => colours.map((name) => COLOURS[name] ?? name[0].toUpperCase() + name.slice(1));

if (!globalThis.customElements?.get("damka-board")) define("damka-board", BoardElement);

/** Define an element, except outside a page. @param {string} name @param {CustomElementConstructor} element */
function define(name, element) {
  globalThis.customElements?.define(name, element);
}
