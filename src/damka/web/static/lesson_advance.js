/**
 * Opens the next level soon after a success. The button fills meanwhile, and any other input stops
 * it: then the learner presses the button. It is off with reduced motion.
 */

/** Milliseconds between a success and the next level; the style fills the button for as long. */
const DELAY = 2500;
const INPUTS = ["pointerdown", "keydown", "wheel", "focusin"];

/** @param {HTMLElement} button @param {() => void} advance */
export function autoAdvance(button, advance) {
  let timer = 0;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function stop() {
    clearTimeout(timer);
    button.classList.remove("filling");
    for (const input of INPUTS) removeEventListener(input, stop, true);
  }

  function start() {
    stop();
    if (still.matches || document.hidden) return;
    button.classList.add("filling");
    for (const input of INPUTS) addEventListener(input, stop, true);
    timer = setTimeout(() => {
      stop();
      advance();
    }, DELAY);
  }

  return { start, stop };
}
