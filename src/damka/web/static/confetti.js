/** Confetti over the board after a win. It ends by itself and lets taps through. */

import { reduced } from "./motion.js";

const DURATION = 2000; // milliseconds
const PIECES = 80;
// In the height of the board per second, and per second squared
const SPEED = 0.55;
const GRAVITY = 0.5;

/** @param {HTMLElement} over */
export function confetti(over) {
  if (reduced()) return;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) return;
  const [width, height] = [over.clientWidth, over.clientHeight];
  Object.assign(canvas, { className: "confetti", ariaHidden: "true", width, height });
  const style = getComputedStyle(over);
  const colours = ["--accent", "--must"].map((name) => style.getPropertyValue(name)).concat("#f0b429", "#4aa3df", "#e0607e");
  const random = (/** @type {number} */ from, /** @type {number} */ to) => from + Math.random() * (to - from);
  const pieces = Array.from({ length: PIECES }, (_, i) => ({
    x: random(0, width),
    y: random(-0.4, 0) * height,
    drift: random(-0.08, 0.08) * width,
    fall: random(0.6, 1.4) * SPEED * height,
    radius: random(3, 7),
    spin: random(2, 7),
    colour: colours[i % colours.length],
  }));
  over.append(canvas);
  const start = performance.now();
  const draw = (/** @type {number} */ now) => {
    const time = Math.max(0, now - start) / 1000;
    if (!canvas.isConnected) return;
    context.clearRect(0, 0, width, height);
    context.globalAlpha = Math.max(0, Math.min(1, (DURATION / 1000 - time) * 2));
    for (const { x, y, drift, fall, radius, spin, colour } of pieces) {
      context.fillStyle = colour;
      // Strips of paper that turn as they fall; discs would look like pieces
      const turned = radius * Math.abs(Math.cos(time * spin));
      context.fillRect(x + drift * time, y + fall * time + (GRAVITY * height * time * time) / 2, radius, 2 * turned);
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  // A timer also runs in the background.
  setTimeout(() => canvas.remove(), DURATION);
}
