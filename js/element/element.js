/**
 * <damka-board>: the board of Damka's own page as an element for any page. It shows a board and tells
 * which move the player has chosen, by mouse, touch or keys; it makes no move by itself.
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
 * What the labels for screen readers say, in the page's language. Without one, in English.
 * @typedef {object} BoardWords
 * @property {string} [board] of the whole board: "Board: {title}"
 * @property {string} [cell_man] a piece: "{colour} man"
 * @property {string} [cell_king] "{colour} king"
 * @property {string} [cell_must] of a piece that must capture
 * @property {string} [cell_huff] of a piece that may be huffed
 * @property {string} [cell_target] of a square that the chosen piece can go to
 * @property {string} [title] what the game is called
 * @property {[string, string]} [colours] what White and Black are called
 */

/**
 * What a `move` event tells.
 * @typedef {object} Chosen
 * @property {Move} move
 * @property {readonly number[]} path the way that the player has shown
 * @property {boolean} offence whether it takes nothing where a capture is compulsory (huffing): see `Board.push`
 */

/** @typedef {{animate?: boolean}} ShowOptions */

/** The squares alone; another name, so that a page may have its own <damka-board>. */
class Squares extends DamkaBoard {}
define("damka-squares", Squares);

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** The style of all boards; a sheet that is adopted needs no permission of a Content Security Policy. */
function styles() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}

const ATTRIBUTES = ["flipped", "player", "quick", "plain"];

/**
 * Events: "move" (a `CustomEvent<Chosen>`), "attempt" ({squares: number[]}) where the clicks fit no
 * legal move, and "huff" ({square: number}).
 *
 * Attributes, and properties of the same names: `player`, whose moves are taken ("W", "B", "WB" for
 * both, "" for none); `flipped`, Black below; `quick`, a click on a piece plays its only move; `plain`,
 * without the names of the squares.
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
  /** The legal moves by what the squares know of them. @type {Map<string, {move: Move, offence: boolean}>} */
  #moves = new Map();
  /** What the player has shown of the move that comes next. @type {{hub: string, path: readonly number[], legs: number} | null} */
  #chosen = null;
  #shows = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    this.#frame.className = "frame";
    root.append(this.#frame);
  }

  attributeChangedCallback() {
    this.#adjust();
  }

  /** Whose moves are taken. @returns {"W" | "B" | "WB" | ""} */
  get player() {
    return /** @type {"W" | "B" | "WB" | ""} */ (this.getAttribute("player") ?? "");
  }

  set player(sides) {
    this.setAttribute("player", sides);
  }

  /** Whether Black is below. @returns {boolean} */
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

  /** Whether the squares are without their names. @returns {boolean} */
  get plain() {
    return this.hasAttribute("plain");
  }

  set plain(on) {
    this.toggleAttribute("plain", on);
  }

  /** What the labels for screen readers say. @returns {BoardWords} */
  get words() {
    return this.#words;
  }

  set words(words) {
    this.#words = words;
    const board = this.#board;
    this.#rules = null;
    if (board) void this.show(board, { animate: false });
  }

  /** The board that is shown. @returns {Board | null} */
  get board() {
    return this.#board;
  }

  /**
   * Show a board as it is now, and take moves of it. A board that has gone on by one move since it was
   * shown is animated.
   * @param {Board} board
   * @param {ShowOptions} [options]
   * @returns {Promise<void>} when the animation has ended
   */
  async show(board, { animate = true } = {}) {
    const shows = ++this.#shows;
    this.#board = board;
    if (this.#rules !== board.rules) this.#layOut(board.rules);
    const view = this.#view;
    const { lastMove: move, pieces } = board;
    const last = move ? [move.from, move.to] : [];
    view.allow(null);
    view.point([]);
    const chosen = this.#chosen;
    this.#chosen = null;
    if (animate && move && pieces !== view.pieces && before(board) === view.pieces) {
      const [path, legs] = chosen?.hub === move.hub ? [chosen.path, chosen.legs] : [move.path, 0];
      await view.perform(asShown(move), [...path], legs);
      if (shows !== this.#shows) return;
    }
    if (view.pieces !== pieces || !move || !animate) view.show(pieces, last);
    this.#allow();
  }

  /** Show an arrow along a move, or none. @param {Move | null} move */
  hint(move) {
    this.#view.point(move ? [...move.path] : []);
  }

  /** Take the chosen piece out of the player's hand. */
  release() {
    this.#view.release();
  }

  /** Set the board up for other rules, or other words. @param {Rules} rules */
  #layOut(rules) {
    this.#rules = rules;
    const { first, theme, notation } = rules.parameters;
    const words = this.#words;
    const colours = words.colours ?? named(rules);
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
    view.addEventListener("play", (event) => this.#played(/** @type {CustomEvent} */ (event).detail));
    view.addEventListener("attempt", (event) => this.#attempted(/** @type {CustomEvent} */ (event).detail.clicks));
    view.addEventListener("huff", (event) => this.#emit("huff", /** @type {CustomEvent} */ (event).detail));
    this.#adjust();
  }

  /** Do as the attributes say. */
  #adjust() {
    if (!this.#rules) return;
    this.#view.flipped = this.flipped;
    this.#view.quick = this.quick;
    this.#view.label(!this.plain);
    this.#allow();
  }

  /** Tell the squares what the player may do. */
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
      legal: legalMoves.map(asShown),
      offences: offences.map(asShown),
      must: captures && obligation !== "free" ? [...new Set(legalMoves.map(({ from }) => from))] : [],
      huffable: board.offences,
      side: board.turn,
    });
  }

  /** @param {{move: {hub: string, crowns: boolean}, route: number[], legs: number}} played */
  #played({ move: { hub, crowns }, route, legs }) {
    const found = this.#moves.get(keyOf({ hub, crowns }));
    if (!found) return;
    this.#chosen = { hub, path: route, legs };
    const shows = this.#shows;
    this.#emit("move", { ...found, path: route });
    // Who does not show the board after the move has refused it.
    if (shows === this.#shows) this.#view.release();
  }

  /** @param {number[]} squares */
  #attempted(squares) {
    if (this.#emit("attempt", { squares })) void this.#view.refuse(squares);
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** @param {{hub: string, crowns: boolean}} move */
const keyOf = ({ hub, crowns }) => `${hub} ${crowns}`;

/** The pieces before the last move. @param {Board} board */
function before(board) {
  const earlier = board.copy();
  earlier.pop();
  return earlier.pieces;
}

/** A move as the squares know it. @param {Move} move */
const asShown = ({ from, to, captures, path, paths, crowns, isKing: king, hub, text }) => ({
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

/** What the sides are called in English. @param {Rules} rules @returns {string[]} */
const named = ({ parameters: { colours } }) => colours.map((name) => COLOURS[name] ?? name[0].toUpperCase() + name.slice(1));

if (!globalThis.customElements?.get("damka-board")) define("damka-board", BoardElement);

/** Define an element; without a page, where this may be imported as well, do nothing. @param {string} name @param {CustomElementConstructor} element */
function define(name, element) {
  globalThis.customElements?.define(name, element);
}
