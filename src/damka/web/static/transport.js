/**
 * Transport between the page and its backend: here a server, by requests and a live connection. The
 * static site replaces this module with one of the same interface that uses a worker. The other
 * modules of the page are the same for both.
 *
 * Paths are the server's: "/rules/american". `href` returns their addresses.
 */

/** Parse the data embedded in the page. @param {string} id */
export function embedded(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

/** Return the address of a path. @param {string} path */
export const href = (path) => path;

/** Navigate to a path. @param {string} path */
export const visit = (path) => location.assign(href(path));

/** Load a picture from a path. @param {HTMLImageElement} image @param {string} path */
export function loadImage(image, path) {
  image.src = path;
}

/**
 * Request a path, or send a body to it.
 * @param {string} path
 * @param {{body: string | Blob, type: string}} [content]
 * @returns {Promise<{ok: boolean, data: any}>} the JSON answer; null for anything else
 */
export async function request(path, content) {
  const options = content && { method: "POST", headers: { "content-type": content.type }, body: content.body };
  const response = await fetch(path, options).catch(() => null);
  const data = await response?.json().catch(() => null);
  return { ok: Boolean(response?.ok && data), data };
}

/**
 * Load another page of this site, or a part of this one with other parameters.
 * @param {string} path
 * @returns {Promise<Document | null>} null if it cannot be loaded
 */
export async function loadPage(path) {
  const response = await fetch(path, { headers: { accept: "text/html" } }).catch(() => null);
  return response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
}

/**
 * Join a game: the handlers receive its states and the replies to messages.
 * @param {string} id
 * @param {string} language
 * @param {import("./live.js").Handlers} handlers
 * @returns {Promise<{send: (message: object) => boolean}>} `send` returns false while disconnected
 */
export async function join(id, language, handlers) {
  const { Live } = await import("./live.js");
  return new Live(`/live/${id}?lang=${language}`, handlers, embedded("state"));
}

/** Reload the page in the chosen language. @param {HTMLSelectElement} languages */
export const changeLanguage = (languages) => languages.form?.submit();

/** @param {string} theme "light", "dark" or "auto": theme of new pages */
export function saveTheme(theme) {
  // One year
  document.cookie = `damka_theme=${theme};path=/;max-age=31536000;samesite=lax`;
}

/** Remove a running game from the start page. @param {string} id */
export const dismiss = async (id) => (await import("./dismiss.js")).dismiss(id);
