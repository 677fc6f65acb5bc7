/** Draw of lots in the players' strips: what the lot decides, discs or names, changes places a few times. */

import { reduced } from "./motion.js";

const TURNS = 4; // even, so that everything returns to its place
const HALF_TURN = 110; // milliseconds
const OPEN = { transform: "none" };
const CLOSED = { transform: "scaleX(0)" };

/**
 * Exchange the contents of two elements until a tap or key, or for less than a second. That tap
 * counts on the board as well.
 * @param {HTMLElement[]} parts
 * @param {() => void} reveal called when the contents are at rest
 */
export async function drawLots(parts, reveal) {
  const contents = parts.map((part) => [...part.childNodes]);
  /** @type {Animation[]} */
  let turning = [];
  let done = false;
  const end = () => {
    if (done) return;
    done = true;
    for (const type of ["pointerdown", "keydown"]) removeEventListener(type, end, true);
    for (const each of turning) each.cancel();
    parts.forEach((part, i) => part.replaceChildren(...contents[i]));
    reveal();
  };
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, end, true);
  for (const part of parts) part.classList.remove("covered");
  for (let half = 0; half < 2 * TURNS && !done && !reduced(); half++) {
    const closes = half % 2 === 0;
    turning = parts.map((part) => part.animate(closes ? [OPEN, CLOSED] : [CLOSED, OPEN], HALF_TURN));
    await Promise.all(turning.map(({ finished }) => finished.catch(() => null)));
    const swapped = half % 4 === 0;
    if (closes && !done) parts.forEach((part, i) => part.replaceChildren(...contents[swapped ? 1 - i : i]));
  }
  end();
}
