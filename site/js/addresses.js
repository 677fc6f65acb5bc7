/** Maps the server's paths to the site's addresses, like `damka_site/addresses.py`. */

/** Relative path from the page's folder to that of its language. */
const up = document.documentElement.dataset.up ?? "";

/** @param {string} path @returns {string} */
export function href(path) {
  const [rest, anchor] = split(path, "#");
  const [pathname, query] = split(rest, "?");
  const [, first, second, third] = pathname.split("/");
  if (pathname === "/") return `${up}index.html${query}${anchor}`;
  if (first === "rules" && second) return `${up}rules/${second}.html${query}${anchor}`;
  if (first === "game" && second === "-") return `${up}game.html${query}${anchor}`;
  if (first === "game" && second) return `${up}${third === "rules" ? "house" : "game"}.html?game=${second}${anchor}`;
  if (pathname === "/games") return `${up}games.html${query}${anchor}`;
  if (first === "analyse") return `${up}analyse.html${second ? `?rules=${second}${query.replace("?", "&")}` : query}${anchor}`;
  if (first === "learn" && (third === "game" || third === "print")) return `${up}${third === "game" ? "guided" : "course_print"}.html${second === "-" ? query : `?rules=${second}${query.replace("?", "&")}`}${anchor}`;
  // The id of a level has a dot.
  if (first === "learn" && third?.includes(".")) return `${up}lesson.html?${second === "-" ? query.slice(1) : `rules=${second}`}&level=${third}${anchor}`;
  if (pathname === "/studies") return `${up}studies.html${query}${anchor}`;
  // The page takes shipped rules from `rules`, as the page Analyse does.
  if (first === "study") return `${up}study.html${query.replace("?base=", "?rules=")}${anchor}`;
  if (pathname === "/learn") return `${up}learn.html${query}${anchor}`;
  if (first === "learn" && !third) return `${up}${second === "-" ? "course" : `learn/${second}`}.html${query}${anchor}`;
  if (pathname === "/box") return `${up}box.html${query}${anchor}`;
  if (pathname === "/box.svg" && query.startsWith("?base=")) return `${up}../boards/${query.slice(6)}.svg`;
  return path;
}

/** @param {string} text @param {string} separator @returns {[string, string]} the second part begins with the separator */
function split(text, separator) {
  const i = text.indexOf(separator);
  return i < 0 ? [text, ""] : [text.slice(0, i), text.slice(i)];
}
