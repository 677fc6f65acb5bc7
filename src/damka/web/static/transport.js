/**
 * How the page talks to what plays with it: here a server, by requests and a live connection. A static
 * site has another module in this one's place, with the same functions, that talks to a worker. The
 * other modules of the page do not know which.
 *
 * Paths are the server's: "/rules/american". `href` gives their addresses.
 */

import { Live } from "./live.js";

/** The data that is embedded in the page. @param {string} id */
export function embedded(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

/** The address of what is at a path. @param {string} path */
export const href = (path) => path;

/** Go to a path. @param {string} path */
export const visit = (path) => location.assign(href(path));

/** Show the picture at a path. @param {HTMLImageElement} image @param {string} path */
export function draw(image, path) {
  image.src = path;
}

/**
 * Ask for what is at a path, or send a body there.
 * @param {string} path
 * @param {{body: string | Blob, type: string}} [sent]
 * @returns {Promise<{ok: boolean, told: any}>} the answer of JSON; null when there is none
 */
export async function request(path, sent) {
  const options = sent && { method: "POST", headers: { "content-type": sent.type }, body: sent.body };
  const answer = await fetch(path, options).catch(() => null);
  const told = await answer?.json().catch(() => null);
  return { ok: Boolean(answer?.ok && told), told };
}

/**
 * Join a game: its states and the answers to messages arrive at the handlers.
 * @param {string} id
 * @param {string} language
 * @param {import("./live.js").Handlers} handlers
 * @returns {{send: (message: object) => boolean}} `send` gives false while disconnected
 */
export const join = (id, language, handlers) => 
  new Live(`/live/${id}?lang=${language}`, handlers, embedded("state"));

/** Show this page in the language that is chosen. @param {HTMLSelectElement} languages */
export const speak = (languages) => languages.form?.submit();

/** @param {string} theme "light", "dark" or "auto": what pages begin with */
export function keepTheme(theme) {
  // For a year.
  document.cookie = `damka_theme=${theme};path=/;max-age=31536000;samesite=lax`;
}

/** Offer a running game no more. @param {string} id */
export const dismiss = async (id) => (await import("./dismiss.js")).dismiss(id);
