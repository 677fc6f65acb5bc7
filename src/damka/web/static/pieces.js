/** Men and kings: flat discs with a rim and a soft shadow, two of them for a king. */

export const SQUARE = 100;
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
    svg("circle", { class: "shadow", cy: 4, r: 37 }),
    svg("circle", { class: "face", r: 36 }),
  );
}

/** The crown on a king's upper disc, shown where the settings ask for it. */
export function crown() {
  return svg("path", { class: "crown", d: "M-18 2 L-18 -22 L-9 -12 L0 -26 L9 -12 L18 -22 L18 2 Z" });
}

/** A piece at the origin; `kind` is w or b for a man, W or B for a king. @param {string} kind */
export function piece(kind) {
  const king = kind === "W" || kind === "B";
  const body = svg("g", { class: "body" }, ...(king ? [disc(8), disc(-10), crown()] : [disc(0)]));
  return svg("g", { class: `piece ${kind.toLowerCase()}${king ? " king" : ""}` }, body);
}

/** One disc as a separate picture (players' strips, drawing of lots). @param {string} side */
export function token(side) {
  return svg("svg", { viewBox: "-44 -44 88 92", class: "token", "aria-hidden": "true" }, piece(side.toLowerCase()));
}

/**
 * Give an element the colours of a box.
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

/** The squares of tournament boards, for any box; the men keep the colours of their names. */
export const GREEN_AND_BUFF = { light: "#ead9a9", dark: "#3d7557" };
