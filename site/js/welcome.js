/** Root of the site: redirects to the chosen language, or to the one that the browser prefers. */

const links = [...document.querySelectorAll("a[hreflang]")];
const known = links.map((link) => link.getAttribute("hreflang") ?? "");
/** @type {string[]} */
const wanted = [];
try {
  wanted.push(localStorage.getItem("damka.language") ?? "");
} catch {
  // Without storage use the browser's languages.
}
// Czech falls back to Slovak before English.
wanted.push(...navigator.languages.map((tag) => tag.toLowerCase().split("-")[0].replace("cs", "sk")), "en");
const language = wanted.find((each) => known.includes(each)) ?? "en";
location.replace(new URL(`${language}/index.html`, location.href));
