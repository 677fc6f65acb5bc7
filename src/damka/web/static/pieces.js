/** Men and kings: flat discs with a rim and a soft shadow; a king is two discs, the lower one with face and rim exchanged. */

import { CROWN, KING_LOWER, KING_UPPER, MAN_RADIUS, RIM, SHADOW_DROP, SHADOW_RADIUS } from "./shapes.js";

// Least contrast of a shape (WCAG 2.2 asks for 3)
const SHAPE = 3.05;
// Tint of the last move's squares, and its opacity, as in board.css
const LAST = /** @type {const} */ (["#ffe08a", 0.24]);
const LAST_ON_LIGHT = /** @type {const} */ (["#d79b00", 0.34]);

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

/** @param {number} dy @param {boolean} [lower] whether another disc lies on it */
export function disc(dy, lower = false) {
  return svg(
    "g",
    { class: lower ? "disc lower" : "disc", transform: `translate(0 ${dy})` },
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
  const body = svg("g", { class: "body" }, ...(king ? [disc(KING_LOWER, true), disc(KING_UPPER), crown()] : [disc(0)]));
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
    // Text on the squares' colour
    "on-play": contrast(play, "#ffffff") >= contrast(play, "#000000") ? "#fff" : "#000",
    "w-face": theme.white[0],
    "w-rim": rimOn(play, theme.white, swap),
    "b-face": theme.black[0],
    "b-rim": rimOn(play, theme.black, swap),
  };
  for (const [name, value] of Object.entries(colours)) element.style.setProperty(`--${name}`, value);
  element.classList.toggle("swapped", swap);
}

/**
 * Rim of a disc, changed as little as necessary to outline it on a playing square: it contrasts with
 * the face, and with a square on which the face alone is hard to see. As in the library's pictures
 * (`visible_rim` in damka.draw.colours).
 * @param {string} play colour of the squares
 * @param {[string, string]} disc face and rim
 * @param {boolean} swap
 */
function rimOn(play, [face, rim], swap) {
  const [tint, share] = swap ? LAST_ON_LIGHT : LAST;
  const grounds = [play, mix(play, tint, share)];
  const against = [face, ...grounds.filter((ground) => contrast(face, ground) < SHAPE)];
  const least = (/** @type {string} */ each) => Math.min(...against.map((other) => contrast(each, other)));
  const shades = Array.from({ length: 42 }, (_, i) => mix(rim, i % 2 ? "#ffffff" : "#000000", (i >> 1) / 20));
  const best = Math.max(...shades.map(least));
  return shades.find((each) => least(each) >= Math.min(SHAPE, best)) ?? rim;
}

/** @param {string} colour "#rrggbb" */
const rgb = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));

/** Colour seen when `over` covers `ground`. @param {string} ground @param {string} over @param {number} share */
function mix(ground, over, share) {
  const parts = rgb(over);
  const mixed = rgb(ground).map((part, i) => Math.round(part + (parts[i] - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Contrast ratio of WCAG 2. @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} colour */
function luminance(colour) {
  const [r, g, b] = rgb(colour).map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Squares of tournament boards, for any box; the men keep the box's colours. */
export const GREEN_AND_BUFF = { light: "#ead9a9", dark: "#3d7557" };
