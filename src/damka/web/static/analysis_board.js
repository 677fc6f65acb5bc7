/**
 * State of the page Analyse for all of its parts: the tree of moves, the displayed position, and
 * the moves that are possible there. It draws nothing.
 *
 * A part of the page imports `analysis`. It listens to the position (`onPosition`), puts moves into
 * the tree (`playLine`), displays a node (`goTo`), and shows other positions on the board for a
 * moment (`preview`). Positions are identified by the start position and the keys of the moves from
 * there; a key is the `hub` of a legal move, after a huff "(23)32-28".
 */

import { format } from "./edit_fen.js";
import { page, t } from "./i18n.js";
import { request } from "./transport.js";
import * as trees from "./tree_state.js";

/** Positions whose moves are remembered. */
const MAX_REMEMBERED = 300;

/** @typedef {{pieces: string, from?: number, to?: number}} ShownPosition */

class Analysis {
  #edit = /** @type {EditData} */ (page.edit);
  #first = /** @type {RulesData} */ (page.rules).first;
  #state = trees.begin(format({ pieces: this.#edit.start, turn: this.#first }), this.#edit.start, this.#first);
  /** Square of a huff whose move is due, 0 for none. */
  #huffed = 0;
  /** Answers of the rules about positions, by line. @type {Map<string, LineAnswer>} */
  #answers = new Map();
  /** @type {Set<(position: AnalysisPosition) => void>} */ #positionListeners = new Set();
  /** @type {Set<(state: TreeState) => void>} */ #treeListeners = new Set();
  /** @type {Set<(answer: LineAnswer | null, error: {error?: string, message: string}) => void>} */ #answerListeners = new Set();
  /** @type {(positions: ShownPosition[] | null) => void} */ #show = () => {};
  #shown = "";
  #requests = 0;
  #started = false;

  // For the parts of the page

  /**
   * Listen to the displayed position: `callback` is called now, and whenever another position is
   * displayed. Edits of comments and glyphs do not count.
   * @param {(position: AnalysisPosition) => void} callback
   * @returns {() => void} ends the calls
   */
  onPosition(callback) {
    this.#positionListeners.add(callback);
    callback(this.position);
    return () => this.#positionListeners.delete(callback);
  }

  /** The displayed position. @returns {AnalysisPosition} */
  get position() {
    const node = trees.nodeOf(this.#state);
    return { fen: this.#state.fen, moves: trees.keysTo(this.#state), node, turn: node.turn, pieces: node.pieces };
  }

  /**
   * Play moves from the displayed position: they become a line of the tree, and its last position
   * is displayed.
   * @param {string[]} keys
   * @returns {Promise<boolean>} false if the moves are not possible, or the rules cannot be asked
   */
  playLine(keys) {
    return this.goTo([...this.position.moves, ...keys]);
  }

  /**
   * Display the position after some moves from the start; moves that are not in the tree are added.
   * @param {string[]} keys
   * @returns {Promise<boolean>} false as for `playLine`
   */
  async goTo(keys) {
    let node = trees.nodeOf(this.#state, trees.ROOT);
    let ply = 0;
    for (; ply < keys.length; ply++) {
      const next = node.children.find((id) => trees.nodeOf(this.#state, id).key === keys[ply]);
      if (next === undefined) break;
      node = trees.nodeOf(this.#state, next);
    }
    if (ply === keys.length) {
      this.show(node.id);
      return true;
    }
    const number = ++this.#requests;
    const { ok, data } = await this.ask({ moves: keys, after: ply + 1 });
    if (!ok || number !== this.#requests) return false;
    const { positions } = /** @type {LineAnswer} */ (data);
    this.edit(trees.add(this.#state, node.id, positions.map(nodeFrom)));
    return true;
  }

  /**
   * Show positions on the board, one after the other, without changing the tree; the last one stays
   * until the next call. `from` and `to` are the squares of the move before a position.
   * @param {ShownPosition[] | null} positions null: show the displayed position again
   */
  preview(positions) {
    this.#show(positions?.length ? positions : null);
  }

  /**
   * Ask the rules about a line of this start position (`damka.live.lines.LineRequest`).
   * @param {{moves: string[], after?: number, attempt?: number[], typed?: string, why?: boolean}} line
   * @returns {Promise<{ok: boolean, data: any}>} a LineAnswer, or an error
   */
  ask(line) {
    const query = `${this.#edit.query}&lang=${page.lang}`;
    const body = JSON.stringify({ fen: this.#state.fen, ...line });
    return request(`/api/line?${query}`, { body, type: "application/json" });
  }

  // For the board and the tree

  /** The tree. @returns {TreeState} */
  get state() {
    return this.#state;
  }

  /** Square of a huff whose move is due, 0 for none. */
  get huffed() {
    return this.#huffed;
  }

  /** Answer of the rules about the displayed position, once it has arrived. @returns {LineAnswer | undefined} */
  get answer() {
    return this.#answers.get(this.#line());
  }

  /** Listen to the tree: called now, and after every change. @param {(state: TreeState) => void} callback */
  onTree(callback) {
    this.#treeListeners.add(callback);
    callback(this.#state);
  }

  /** Listen to what the rules say about the displayed position; null with an error. @param {(answer: LineAnswer | null, error: {error?: string, message: string}) => void} callback */
  onAnswer(callback) {
    this.#answerListeners.add(callback);
  }

  /** Set the function that shows previews on the board. @param {(positions: ShownPosition[] | null) => void} show */
  onPreview(show) {
    this.#show = show;
  }

  /** Display a node. @param {number} id */
  show(id) {
    this.#requests += 1;
    this.#huffed = 0;
    this.edit(trees.goTo(this.#state, id));
  }

  /** Replace the state by one that a function of `tree_state.js` returns. @param {TreeState} state */
  edit(state) {
    if (state !== this.#state) {
      if (state.current !== this.#state.current || state.fen !== this.#state.fen) {
        this.#huffed = 0;
        // Drop the answer to an earlier request for a line.
        this.#requests += 1;
      }
      this.#state = state;
      for (const listen of this.#treeListeners) listen(state);
    }
    this.#announce();
  }

  /** Play a possible move from the displayed position. @param {Move} move */
  play(move) {
    const { answer, position } = this;
    const pieces = [...(answer?.pieces ?? position.pieces)];
    const piece = pieces[move.from - 1];
    for (const square of [...move.captures, move.from]) pieces[square - 1] = ".";
    pieces[move.to - 1] = move.crowns ? piece.toUpperCase() : piece;
    const huffed = this.#huffed;
    const name = huffed && (page.rules?.names?.[huffed - 1] ?? huffed);
    const node = {
      key: huffed ? `(${huffed})${move.hub}` : move.hub,
      text: huffed ? `(${name}) ${move.text}` : move.text,
      pieces: pieces.join(""),
      turn: /** @type {Side} */ (position.turn === "W" ? "B" : "W"),
      route: move.route,
      captures: move.captures,
      crowns: move.crowns,
    };
    this.#huffed = 0;
    const before = this.#state;
    this.edit(trees.add(before, before.current, [node]));
    return this.#state !== before;
  }

  /** Huff a piece before the move. @param {number} square */
  huff(square) {
    this.#huffed = square;
    this.#announce(true);
  }

  /** Take back a huff whose move is due; return whether there was one. */
  unhuff() {
    if (!this.#huffed) return false;
    this.#huffed = 0;
    this.#announce(true);
    return true;
  }

  /** Line of the displayed position, with the huff whose move is due. */
  #line() {
    const { fen, moves } = this.position;
    return [fen, ...moves, ...(this.#huffed ? [`(${this.#huffed})`] : [])].join(" ");
  }

  /** Tell the parts about another position. @param {boolean} [huff] whether only a huff has changed */
  #announce(huff = false) {
    const line = this.#line();
    if (line === this.#shown || !this.#started) return;
    this.#shown = line;
    const { position } = this;
    if (!huff) for (const listen of this.#positionListeners) listen(position);
    void this.#describe(line);
  }

  /** Get what the rules say about the displayed position. @param {string} line */
  async #describe(line) {
    let answer = this.#answers.get(line);
    if (!answer) {
      const [, ...moves] = line.split(" ");
      const { id } = this.position.node;
      const { ok, data } = await this.ask({ moves, after: moves.length });
      if (line !== this.#line()) return;
      if (!ok) {
        this.#shown = "";
        for (const listen of this.#answerListeners) listen(null, data ?? { message: t("offline") });
        return;
      }
      answer = /** @type {LineAnswer} */ (data);
      if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
      this.#answers.set(line, answer);
      const [last] = answer.positions;
      if (last?.offence && !this.#huffed) this.edit(trees.complete(this.#state, id, { offence: true }));
    }
    for (const listen of this.#answerListeners) listen(answer, { message: "" });
  }

  /** Start asking the rules, once a position is analysed. */
  start() {
    this.#started = true;
    this.#announce();
  }
}

/** A node of the tree from a position of a line. @param {LinePosition} position @returns {trees.NewNode} */
export function nodeFrom({ pieces, turn, key = "", text = "", captures = [], crowns = false, route = [], offence = false }) {
  return { pieces, turn, key, text, captures, crowns, route, ...(offence && { offence }) };
}

export const analysis = new Analysis();
