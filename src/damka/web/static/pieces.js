/** Men and kings: flat discs with a rim and a soft shadow; a king is two discs. */

import { CROWN, KING_LOWER, KING_UPPER, MAN_RADIUS, RIM, SHADOW_DROP, SHADOW_RADIUS } from "./shapes.js";

const NS = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {number} dy */
export function disc(dy) {
  return svg(
    "g",
    { class: "disc", transform: `translate(0 ${dy})` },
    svg("circle", { class: "shadow", cy: SHADOW_DROP, r: SHADOW_RADIUS }),
    svg("circle", { class: "face", r: MAN_RADIUS, "stroke-width": RIM }),
  );
}

/** Crown on a king's upper disc, shown if the settings enable it. */
export function crown() {
  return svg("path", { class: "crown", d: `M0 ${KING_UPPER}${CROWN}` });
}

/** Piece at the origin; `kind` is w or b for a man, W or B for a king. @param {string} kind */
export function piece(kind) {
  const king = kind === "W" || kind === "B";
  const body = svg("g", { class: "body" }, ...(king ? [disc(KING_LOWER), disc(KING_UPPER), crown()] : [disc(0)]));
  return svg("g", { class: `piece ${kind.toLowerCase()}${king ? " king" : ""}` }, body);
}

/** One disc as a separate picture, for player strips and the drawing of lots. @param {string} side */
export function token(side) {
  return svg("svg", { viewBox: "-44 -44 88 92", class: "token", "aria-hidden": "true" }, piece(side.toLowerCase()));
}

/**
 * Set an element's colours to those of a box.
 * @param {HTMLElement} element
 * @param {RulesData["theme"]} theme
 * @param {boolean} swap pieces on the light squares, as in printed diagrams
 */
export function paint(element, theme, swap = false) {
  const [play, rest] = swap ? [theme.light, theme.dark] : [theme.dark, theme.light];
  const colours = {
    play,
    rest,
    "w-face": theme.white[0],
    "w-rim": theme.white[1],
    "b-face": theme.black[0],
    "b-rim": theme.black[1],
  };
  for (const [name, value] of Object.entries(colours)) element.style.setProperty(`--${name}`, value);
  element.classList.toggle("swapped", swap);
}

/** Squares of tournament boards, for any box; the men keep the box's colours. */
export const GREEN_AND_BUFF = { light: "#ead9a9", dark: "#3d7557" };
