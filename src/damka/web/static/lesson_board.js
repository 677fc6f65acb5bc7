/** The board of a level: the question, what happens after an answer, and marked squares. */

import { DamkaBoard } from "./board.js";
import { page, t } from "./i18n.js";
import { svg, GREEN_AND_BUFF, paint } from "./pieces.js";
import { prefs } from "./prefs.js";
import { MUST_RADIUS } from "./shapes.js";

/** Pause between the moves that are shown, in milliseconds. */
const PAUSE = 500;

customElements.define("damka-board", DamkaBoard);

export const board = /** @type {DamkaBoard} */ (document.getElementById("board"));
const rules = /** @type {RulesData} */ (page.rules);
paint(document.body, { ...rules.theme, ...(prefs.plain && GREEN_AND_BUFF) }, prefs.swap);
board.setup(rules, t);
board.stepwise = true;
board.classList.toggle("crowned", prefs.crown);

/** Number of the latest thing on the board: what was shown before ends. */
let shown = 0;

/** Ring squares. @param {number[]} squares */
export function mark(squares) {
  board.annotate((layout) =>
    squares.flatMap((square) => {
      const [cx, cy] = layout.centre(square);
      return ["noted edge", "noted"].map((name) => svg("circle", { class: name, cx, cy, r: MUST_RADIUS }));
    }),
  );
}

/**
 * Show a position, after the moves that lead to it.
 * @param {LessonQuestion & {before?: string, lead?: LessonFrame[]}} question
 * @returns {Promise<boolean>} false if something else is shown meanwhile
 */
export async function show({ pieces, before, lead = [] }) {
  const number = ++shown;
  mark([]);
  board.allow(null);
  board.plan([]);
  board.show(lead.length ? (before ?? pieces) : pieces, []);
  if (!lead.length) return true;
  await pause();
  return number === shown && perform(lead);
}

/**
 * Show what happens, one thing after the other.
 * @param {LessonFrame[]} frames
 * @param {Chosen | null} [own] the first move, as the learner has played it
 * @returns {Promise<boolean>} false if something else is shown meanwhile
 */
export async function perform(frames, own = null) {
  const number = ++shown;
  board.allow(null);
  for (const [i, { pieces, move, huff = 0, side = "B" }] of frames.entries()) {
    if (i) await pause();
    if (number !== shown) return false;
    if (move) {
      const isOwn = own && !i && own.move.from === move.from && own.move.to === move.to;
      sound(move.crowns ? "crown" : move.captures.length ? "capture" : "step");
      await board.perform(move, isOwn ? own.route : move.route, pieces, isOwn ? own.legs : 0);
    } else {
      await board.ring(huff, side);
      if (number !== shown) return false;
      sound("capture");
      await board.huff(huff, pieces);
    }
    if (number !== shown) return false;
    if (board.pieces !== pieces) board.show(pieces, []);
  }
  return true;
}

/** Let the learner answer. @param {LessonQuestion} question @param {boolean} squares whether squares are chosen */
export function ask({ choices, turn }, squares) {
  board.allow({ legal: choices, offences: [], must: [], huffable: [], side: turn, plan: squares });
}

/** @param {"step" | "capture" | "crown" | "refuse" | "end"} name */
export function sound(name) {
  // Without a connection the module may be missing, and the lesson continues in silence.
  if (prefs.sound) import("./sound.js").then(({ play }) => play(name), () => {});
}

const pause = () => new Promise((done) => setTimeout(done, PAUSE));
