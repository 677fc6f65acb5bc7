/** Map a server's paths to the site's addresses, like `damka_site/addresses.py`. */

/** Relative path from the page's folder to that of its language. */
const up = document.documentElement.dataset.up ?? "";

/** @param {string} path @returns {string} */
export function href(path) {
  const [rest, anchor] = split(path, "#");
  const [place, query] = split(rest, "?");
  const [, first, second, third] = place.split("/");
  if (place === "/") return `${up}index.html${query}${anchor}`;
  if (first === "rules" && second) return `${up}rules/${second}.html${query}${anchor}`;
  if (first === "game" && second === "-") return `${up}game.html${query}${anchor}`;
  if (first === "game" && second) return `${up}${third === "rules" ? "house" : "game"}.html?game=${second}${anchor}`;
  if (place === "/box") return `${up}box.html${query}${anchor}`;
  if (place === "/box.svg" && query.startsWith("?base=")) return `${up}../boards/${query.slice(6)}.svg`;
  return path;
}

/** @param {string} text @param {string} at @returns {[string, string]} the second part begins with `at` */
function split(text, at) {
  const i = text.indexOf(at);
  return i < 0 ? [text, ""] : [text.slice(0, i), text.slice(i)];
}
