/** Style sheets that are loaded on demand. */

/** @type {Map<string, Promise<unknown>>} */
const loaded = new Map();

/** Load a style sheet beside the scripts; the promise resolves once it applies or has failed. @param {string} name */
export function loadStyles(name) {
  const link = document.createElement("link");
  const done = loaded.get(name) ?? new Promise((resolve) => (link.onload = link.onerror = resolve));
  if (loaded.has(name)) return done;
  loaded.set(name, done);
  Object.assign(link, { rel: "stylesheet", href: new URL(`./${name}`, import.meta.url).href });
  document.head.append(link);
  return done;
}
