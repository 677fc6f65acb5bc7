/**
 * Coloured squares and arrows on the board: by dragging with the right button, by a long press and a
 * drag on a touch screen, and by keys on a focused square.
 */

import { svg } from "./pieces.js";
import { ARROW_START, MUST_RADIUS } from "./shapes.js";

/** Time of a long press, in milliseconds, and the movement that ends it, in pixels. */
const LONG = 450;
const STILL = 10;
/** Ends of the arrow's head, in drawing units. */
const HEAD = 34;
const SPREAD = 17;

export const COLOURS = ["G", "R", "B", "Y"];

/** Colour of a mark by the modifier keys. @param {MouseEvent | KeyboardEvent} event @param {string} usual without any */
function colourOf({ shiftKey, ctrlKey, altKey, metaKey }, usual) {
  const [red, blue] = [shiftKey || ctrlKey, altKey || metaKey];
  if (red && blue) return "Y";
  return red ? "R" : blue ? "B" : usual;
}

/** @param {import("./layout.js").Layout} layout @param {TreeMark} mark */
export function drawMark(layout, [colour, from, to]) {
  const [x, y] = layout.centre(from);
  const name = `mark mark-${colour}`;
  if (from === to) return svg("circle", { class: name, cx: x, cy: y, r: MUST_RADIUS });
  const [toX, toY] = layout.centre(to);
  const far = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / far, (toY - y) / far];
  const [startX, startY] = [x + dx * ARROW_START, y + dy * ARROW_START];
  const [neckX, neckY] = [toX - dx * HEAD, toY - dy * HEAD];
  return svg(
    "g",
    { class: name },
    svg("path", { class: "mark-shaft", d: `M${startX} ${startY}L${neckX} ${neckY}` }),
    svg("path", { class: "mark-head", d: `M${neckX - dy * SPREAD} ${neckY + dx * SPREAD}L${toX} ${toY}L${neckX + dy * SPREAD} ${neckY - dx * SPREAD}z` }),
  );
}

/**
 * @param {import("./board.js").DamkaBoard} board
 * @param {{colour: () => string, toggle: (mark: TreeMark) => void, sketch: (mark: TreeMark | null) => void, say: (key: string, square: number) => void}} page
 */
export function handleMarks(board, { colour, toggle, sketch, say }) {
  /** The mark that is being drawn. @type {{id: number, from: number, colour: string} | null} */
  let drawn = null;
  let timer = 0;
  /** Start of an arrow by keys, 0 for none. */
  let start = 0;

  /** @param {PointerEvent} event */
  const at = (event) => board.squareAt(event.clientX, event.clientY);

  /** @param {PointerEvent} event @param {number} from */
  function begin(event, from) {
    drawn = { id: event.pointerId, from, colour: colourOf(event, colour()) };
    board.setPointerCapture(event.pointerId);
    sketch([drawn.colour, from, from]);
  }

  board.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    const from = at(event);
    if (!from) return;
    if (event.button === 2) return begin(event, from);
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const { clientX, clientY } = event;
    const stop = (/** @type {PointerEvent} */ move) => {
      if (move.type === "pointermove" && Math.hypot(move.clientX - clientX, move.clientY - clientY) < STILL) return;
      clearTimeout(timer);
      for (const type of /** @type {const} */ (["pointermove", "pointerup", "pointercancel"])) board.removeEventListener(type, stop);
    };
    for (const type of /** @type {const} */ (["pointermove", "pointerup", "pointercancel"])) board.addEventListener(type, stop);
    timer = setTimeout(() => {
      board.cancelPress();
      begin(event, from);
      navigator.vibrate?.(15);
    }, LONG);
  });
  board.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drawn?.id) return;
    sketch([drawn.colour, drawn.from, at(event) || drawn.from]);
  });
  board.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drawn?.id) return;
    const { from, colour: letter } = drawn;
    drawn = null;
    sketch(null);
    const to = at(event);
    if (to) toggle([letter, from, to]);
  });
  board.addEventListener("pointercancel", () => {
    drawn = null;
    sketch(null);
  });
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("keydown", (event) => {
    const square = Number(/** @type {Element} */ (event.target).closest("[data-square]")?.getAttribute("data-square"));
    const key = event.key.toLowerCase();
    if (!square || (key !== "o" && key !== "a" && !(key === "escape" && start))) return;
    event.preventDefault();
    event.stopPropagation();
    const letter = colourOf(event, colour());
    if (key === "o") toggle([letter, square, square]);
    else if (key === "a" && !start) {
      start = square;
      say("arrow_from", square);
      return sketch([letter, square, square]);
    } else if (key === "a" && square !== start) toggle([letter, start, square]);
    start = 0;
    sketch(null);
  });
}
