/** An event on a wall: its slides in turns, the boards as they move. */

import { follow } from "./follow.js";
import { show } from "./mini.js";

// Milliseconds that a slide stays
const STAY = 12000;

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-event]"));
let place = 0;

function turn(by = 0) {
  const slides = document.querySelectorAll(".slide");
  place = slides.length ? (place + by) % slides.length : 0;
  slides.forEach((slide, i) => slide.classList.toggle("now", i === place));
}

follow(main, { boards: show, changed: () => turn() });
setInterval(() => turn(1), STAY);
turn();
