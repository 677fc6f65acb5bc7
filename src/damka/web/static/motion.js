/**
 * Piece animations; with reduced motion pieces fade out and in instead. `finishAll` ends every
 * animation at once, so that animations never block a tap.
 */

import { KING_UPPER } from "./shapes.js";

export const STEP = 180;
export const LEG = 140;
const FADE = 120;

/** @type {Set<Animation>} */
const running = new Set();

export const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} duration
 * @returns {Promise<unknown>}
 */
function run(element, frames, duration) {
  const animation = element.animate(frames, { duration, easing: "cubic-bezier(.3,.1,.25,1)" });
  running.add(animation);
  return animation.finished.catch(() => null).finally(() => running.delete(animation));
}

let finished = 0;

/** Number of calls of `finishAll`: a move of several legs then skips the rest of its animation. */
export const finishes = () => finished;

/** Finish every animation now. */
export function finishAll() {
  finished += 1;
  for (const animation of running) animation.finish();
}

/** @param {number[]} point */
const at = ([x, y]) => `translate(${x}px, ${y}px)`;

/** Place a piece without animation. @param {SVGElement} node @param {number[]} point */
export function place(node, point) {
  node.style.transform = at(point);
}

/**
 * Animate a piece from its displayed place to a point.
 * @param {SVGElement} node
 * @param {number[]} point
 * @param {number} duration
 */
export async function glide(node, point, duration) {
  const from = node.style.transform;
  if (from === at(point)) return;
  if (reduced()) {
    const before = finished;
    await run(node, [{ opacity: 1 }, { opacity: 0 }], FADE);
    // The caller of `finishAll` places the piece.
    if (finished !== before) return;
    place(node, point);
    await run(node, [{ opacity: 0 }, { opacity: 1 }], FADE);
    return;
  }
  place(node, point);
  await run(node, [{ transform: from }, { transform: at(point) }], duration);
}

/** @param {Element} node @param {number} [duration] */
export async function vanish(node, duration = FADE) {
  const opacity = getComputedStyle(node).opacity;
  await run(node, [{ opacity }, { opacity: 0 }], duration);
  node.remove();
}

/** @param {Element} node */
export const appear = (node) => run(node, [{ opacity: 0 }, { opacity: 1 }], FADE);

/** Wait; `finishAll` ends the wait. @param {Element} node @param {number} duration */
export const pause = (node, duration) => run(node, [{ opacity: 1 }, { opacity: 1 }], duration);

/** Animate the drop of the second man on a new king. @param {Element} node the upper disc */
export function stack(node) {
  const frames = reduced()
    ? [{ opacity: 0 }, { opacity: 1 }]
    : [{ opacity: 0, transform: "translate(0, -44px)" }, { opacity: 1, transform: `translate(0, ${KING_UPPER}px)` }];
  return run(node, frames, STEP);
}

/** Shake a refused piece once. @param {Element} body */
export function shake(body) {
  const frames = reduced()
    ? [{ opacity: 1 }, { opacity: 0.5 }, { opacity: 1 }]
    : [0, 9, -3, 0].map((y) => ({ transform: `translate(0, ${y}px)` }));
  return run(body, frames, 260);
}
