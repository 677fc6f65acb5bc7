/** Keyboard of the page Analyse: parts add their keys, which the dialog of shortcuts lists. */

import { isText } from "./position_texts.js";

/**
 * @typedef {object} Shortcut
 * @property {string} key as in `KeyboardEvent.key`; with "Shift+" or "Ctrl+" before it for those keys
 * @property {string} words what it does
 * @property {() => void} act
 */

/** @type {Shortcut[]} */
export const shortcuts = [];

/** Add keys. @param {Shortcut[]} more */
export const addKeys = (...more) => void shortcuts.push(...more);

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || event.altKey || isText(target) || target.closest("dialog[open]")) return;
  if (document.body.classList.contains("setup")) return;
  const { key } = event;
  const letter = key.length === 1;
  const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && !(letter && key.toLowerCase() === key.toUpperCase()) ? "Shift+" : ""}${letter ? key.toLowerCase() : key}`;
  // On the board the arrows move over the squares; Enter and the space bar press buttons.
  if (/^(Arrow.*|Home|End)$/.test(name) && target.closest("damka-board, [role=radiogroup], input")) return;
  if (/^(Enter| )$/.test(key) && target.closest("button, a, summary, damka-board")) return;
  const shortcut = shortcuts.find((each) => each.key === name);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.act();
});
