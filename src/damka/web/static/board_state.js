/**
 * State of the board: the displayed position, the player's choices, the clicks so far, and the
 * marks. It draws nothing: a click, a drop or a key changes the state and returns an action, which
 * `board.js` shows and reports.
 */

import { resolve, resolveSteps } from "./resolve.js";

/** @type {Choices} */
const NOTHING = { legal: [], offences: [], must: [], huffable: [], side: null };

// Maximum number of routes drawn for a chosen piece; more would overlap
const MAX_ROUTES = 4;

/** @param {string} kind @returns {Side} */
export const sideOf = (kind) => (kind.toUpperCase() === "W" ? "W" : "B");

export class BoardState {
  pieces = "";
  choices = NOTHING;
  /** Whether a click plays one jump of a capture only, and the targets are the next landings. */
  stepwise = false;
  /** Clicked squares, the chosen piece's own square first. @type {number[]} */
  clicks = [];
  /** Moves that fit the clicks; null if no piece is chosen. @type {Resolution | null} */
  resolution = null;
  /** Displayed square of the chosen piece until its route is complete; 0 if none is chosen. */
  square = 0;
  /** Squares of the last move. @type {number[]} */
  last = [];
  /** @type {number[]} */
  refused = [];
  /** @type {number[]} */
  arrow = [];
  /** Squares that the arrow's explanation is about. @type {number[]} */
  noted = [];
  /** @type {number[]} */
  planned = [];
  /** @type {Marks["huffed"]} */
  huffed = null;

  /** Square of the chosen piece, 0 if none. */
  get chosen() {
    return this.clicks[0] ?? 0;
  }

  /** Piece on a square, "." for an empty one. @param {number} square */
  at(square) {
    return this.pieces[square - 1] ?? ".";
  }

  /** Whether the square has a piece of the side to move. @param {number} square */
  isOwn(square) {
    return this.at(square) !== "." && sideOf(this.at(square)) === this.choices.side;
  }

  /** Set the choices; return whether the chosen piece can still move. @param {Choices | null} choices null: none */
  allow(choices) {
    this.choices = choices ?? NOTHING;
    return !this.clicks.length || this.#resolve(this.clicks).moves.length > 0;
  }

  /** @param {number[]} clicks */
  #resolve(clicks) {
    const steps = this.stepwise ? resolveSteps(this.choices.legal, clicks) : null;
    if (steps) return steps;
    const legal = resolve(this.choices.legal, clicks);
    return legal.moves.length ? legal : resolve(this.choices.offences, clicks);
  }

  /** Whether a click on the square continues the chosen piece's move. @param {number} square */
  continues(square) {
    return this.clicks.length > 0 && this.#resolve([...this.clicks, square]).moves.length > 0;
  }

  /**
   * Handle a click on a square, a drop on it, or the Enter key.
   * @param {number} square
   * @param {boolean} dropped
   * @returns {BoardAction}
   */
  click(square, dropped) {
    if (this.choices.plan) return { do: "plan", clicks: [square] };
    if (!this.clicks.length) {
      const action = this.isOwn(square) ? this.choose(square) : null;
      if (action) return action;
      if (this.choices.huffable.includes(square)) return { do: "huff", square };
      return this.at(square) === "." ? { do: "nothing" } : { do: "attempt", clicks: [square] };
    }
    const clicks = [...this.clicks, square];
    const resolution = this.#resolve(clicks);
    if (resolution.moves.length) return this.#advance(clicks, resolution, dropped);
    if (square === this.chosen || square === this.square) return { do: "release" };
    const action = !dropped && this.isOwn(square) ? this.choose(square) : null;
    return action ?? { do: "attempt", clicks: this.isOwn(square) && !dropped ? [square] : clicks };
  }

  /** Choose a piece; return null if it cannot move. @param {number} square @returns {BoardAction | null} */
  choose(square) {
    const resolution = this.#resolve([square]);
    if (!resolution.moves.length) return null;
    const previous = this.chosen;
    [this.refused, this.arrow] = [[], []];
    [this.clicks, this.resolution, this.square] = [[square], resolution, square];
    return { do: "choose", previous };
  }

  /**
   * Play the move if the clicks select exactly one; otherwise wait for another click.
   * @param {number[]} clicks
   * @param {Resolution} resolution
   * @param {boolean} dropped
   * @returns {BoardAction}
   */
  #advance(clicks, resolution, dropped) {
    const target = clicks[clicks.length - 1];
    const { move, route, walked } = resolution;
    if (!move) {
      [this.clicks, this.resolution] = [clicks, resolution];
      this.square = dropped ? target : walked[walked.length - 1];
      return { do: "path", dropped };
    }
    if (dropped) {
      const legs = target === move.to ? route.length - 1 : route.indexOf(target, 1);
      return { do: "play", chosen: { move, route, legs }, dropped: target };
    }
    // Legs already shown after earlier clicks
    const shown = this.resolution?.walked ?? [];
    const legs = shown.every((square, i) => route[i] === square) ? shown.length - 1 : 0;
    return { do: "play", chosen: { move, route, legs } };
  }

  /** The chosen piece's only move. @returns {BoardAction} */
  playOnly() {
    const [move, ...others] = this.resolution?.moves ?? [];
    if (!move || others.length) return { do: "nothing" };
    return { do: "play", chosen: { move, route: move.route, legs: 0 } };
  }

  /** Undo the last click. @returns {BoardAction} "nothing" if there is none */
  back() {
    if (this.clicks.length < 2) return { do: this.clicks.length ? "release" : "nothing" };
    this.clicks = this.clicks.slice(0, -1);
    this.resolution = this.#resolve(this.clicks);
    this.square = this.resolution.walked[this.resolution.walked.length - 1];
    return { do: "path", dropped: false };
  }

  /** Clear the clicks. */
  clear() {
    [this.clicks, this.resolution, this.square] = [[], null, 0];
  }

  /**
   * Handle the end of a drag.
   * @param {number} from
   * @param {number} to 0 outside the squares
   * @returns {BoardAction}
   */
  drop(from, to) {
    if (this.choices.plan) return { do: "plan", clicks: to && to !== from ? [from, to] : [from] };
    if (this.clicks.length) return to && to !== this.square ? this.click(to, true) : { do: "path", dropped: false };
    return this.isOwn(from) ? { do: "attempt", clicks: [from, to || from] } : { do: "nothing" };
  }

  /** Square of the piece that a drag from `square` moves, 0 for none. @param {number} square */
  dragged(square) {
    return this.chosen || (this.isOwn(square) ? square : 0);
  }

  /** Path of the chosen piece so far, and the pieces that its moves capture. */
  get path() {
    const { walked = [], moves = [] } = this.resolution ?? {};
    return { walked, captures: moves.flatMap(({ captures }) => captures) };
  }

  /** @returns {Marks} */
  get marks() {
    const { must, huffable, legal } = this.choices;
    const { ends = [], branches = [], moves = [] } = this.resolution ?? {};
    const elsewhere = (/** @type {number} */ square) => square !== this.square;
    // Step by step, the player finds the route.
    const chains = this.stepwise ? [] : moves.map(({ route }) => route).filter((route) => route.length > 2);
    return {
      last: this.last,
      held: this.chosen,
      must,
      huffable,
      ends: ends.filter(elsewhere),
      branches: branches.filter(elsewhere),
      // A capture may end where it began: the piece itself is the target.
      home: ends.includes(this.square) ? this.square : 0,
      routes: chains.slice(0, MAX_ROUTES),
      offence: !legal.some(({ from }) => from === this.chosen),
      refused: this.refused,
      planned: this.planned,
      arrow: this.arrow,
      noted: this.noted,
      huffed: this.huffed,
    };
  }
}
