/** Projector view of an event: a rotation of slides with live boards. */

import { follow } from "./follow.js";
import { show } from "./mini.js";

// Milliseconds per slide
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

/** Show a newly paired or started round at once, from its first slide and for a full slide time. */
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
