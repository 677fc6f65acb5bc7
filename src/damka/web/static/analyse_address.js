/** Addresses of the page Analyse. */

import { format } from "./edit_fen.js";
import { page } from "./i18n.js";

const edit = /** @type {EditData} */ (page.edit);
const rules = /** @type {RulesData} */ (page.rules);

/** @type {EditPosition} */
export const START = { pieces: edit.start, turn: rules.first };

/** @param {EditPosition} position */
export const isStart = ({ pieces, turn }) => pieces === START.pieces && turn === START.turn;

/** Encode a value for a query; what positions and moves consist of stays readable. @param {string} text */
export const encode = (text) => encodeURIComponent(text).replace(/%3A/g, ":").replace(/%2C/g, ",");

/**
 * Path of a page with parameters.
 * @param {string} path
 * @param {Record<string, string | undefined>} parameters those without a value are left out
 */
export function withQuery(path, parameters) {
  const query = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${encode(value)}`] : []));
  return query.length ? `${path}${path.includes("?") ? "&" : "?"}${query.join("&")}` : path;
}

/** FEN of a position for an address; "" for the start position. @param {EditPosition} position */
export const fenOf = (position) => (isStart(position) ? "" : format(position));

/** Path of the analysis of a position. @param {EditPosition} position */
export const positionPath = (position) => withQuery(edit.path, { fen: fenOf(position) });

/** Path of the editor with a position. @param {EditPosition} position */
export const editorPath = (position) => withQuery(edit.path, { setup: "1", fen: fenOf(position) });

/** Path of a position's picture. @param {EditPosition} position @param {boolean} flipped */
export const picturePath = (position, flipped) =>
  withQuery(`/position.svg?${edit.query}`, { fen: format(position), flip: flipped ? "1" : "" });
