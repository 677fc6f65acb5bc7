/** Animation of drawing lots: two covered men swap places, and one is turned over. */

import { reduced } from "./motion.js";
import { token } from "./pieces.js";
import { t } from "./i18n.js";

/**
 * Show the animation over an element; a tap anywhere ends it.
 * @param {HTMLElement} over
 * @param {Side} side side drawn by this player
 * @param {string} sentence
 * @param {() => void} revealed called when the result is visible
 * @returns {Promise<void>} resolved when the animation has ended
 */
export async function drawLot(over, side, sentence, revealed) {
  const sheet = document.createElement("div");
  sheet.className = "lot";
  const title = document.createElement("p");
  title.textContent = t("lot_drawing");
  const table = document.createElement("div");
  table.className = "lot-men";
  const men = [side, side === "W" ? "B" : "W"].map((colour) => {
    const man = document.createElement("span");
    man.append(token(colour), token("x"));
    man.lastElementChild?.classList.add("cover");
    table.append(man);
    return man;
  });
  sheet.append(title, table);
  over.append(sheet);
  const stop = new AbortController();
  /** @param {number} ms */
  const pause = (ms) =>
    new Promise((done) => {
      const timer = setTimeout(done, stop.signal.aborted ? 0 : ms);
      stop.signal.addEventListener("abort", () => (clearTimeout(timer), done(null)));
    });
  const skip = () => stop.abort();
  addEventListener("pointerdown", skip, { once: true });
  addEventListener("keydown", skip, { once: true });
  if (!reduced()) {
    const [a, b] = men;
    for (let i = 0; i < 4 && !stop.signal.aborted; i++) {
      const way = i % 2 ? -1 : 1;
      a.animate(swing(way), 230);
      b.animate(swing(-way), 230);
      await pause(240);
      table.append(/** @type {Element} */ (table.firstElementChild));
    }
  }
  men[0].classList.add("open");
  title.textContent = sentence;
  revealed();
  await pause(1100);
  sheet.classList.add("over");
  setTimeout(() => sheet.remove(), 250);
  removeEventListener("pointerdown", skip);
  removeEventListener("keydown", skip);
}

/** @param {number} way @returns {Keyframe[]} */
function swing(way) {
  return [
    { transform: "translate(0, 0)" },
    { transform: `translate(${44 * way}px, ${-18 * way}px)` },
    { transform: `translate(${88 * way}px, 0)` },
  ];
}
