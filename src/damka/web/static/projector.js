/** An event on a wall: its slides in turns, the boards as they move. */

import { follow } from "./follow.js";
import { show } from "./mini.js";

// Milliseconds that a slide stays
const STAY = 12000;

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-event]"));
const slides = /** @type {HTMLElement} */ (document.getElementById("slides"));
let place = 0;
let stage = slides.dataset.stage;
let timer = setInterval(() => turn(1), STAY);

function turn(by = 0) {
  const all = slides.querySelectorAll(".slide");
  place = all.length ? (place + by) % all.length : 0;
  all.forEach((slide, i) => slide.classList.toggle("now", i === place));
}

/** A round that was paired or begun is shown at once, from its first slide and for a slide's whole time. */
function changed() {
  if (stage !== slides.dataset.stage) {
    stage = slides.dataset.stage;
    place = 0;
    clearInterval(timer);
    timer = setInterval(() => turn(1), STAY);
  }
  turn();
}

follow(main, { boards: show, changed });
turn();
