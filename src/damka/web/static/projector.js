/** Projector view of an event: a rotation of slides with live boards. */

import { follow } from "./follow.js";
import { show } from "./mini.js";

// Milliseconds per slide
const SLIDE_TIME = 12000;

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-event]"));
const slides = /** @type {HTMLElement} */ (document.getElementById("slides"));
let index = 0;
let stage = slides.dataset.stage;
let timer = setInterval(() => rotate(1), SLIDE_TIME);

function rotate(by = 0) {
  const all = slides.querySelectorAll(".slide");
  index = all.length ? (index + by) % all.length : 0;
  all.forEach((slide, i) => slide.classList.toggle("now", i === index));
}

/** Show a newly paired or started round at once, from its first slide and for a full slide time. */
function onChange() {
  if (stage !== slides.dataset.stage) {
    stage = slides.dataset.stage;
    index = 0;
    clearInterval(timer);
    timer = setInterval(() => rotate(1), SLIDE_TIME);
  }
  rotate();
}

follow(main, { showBoards: show, onChange });
rotate();
