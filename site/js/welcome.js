/** Root of the site: redirects to the saved language, or to the browser's preferred one. */

const links = [...document.querySelectorAll("a[hreflang]")];
const available = links.map((link) => link.getAttribute("hreflang") ?? "");
/** @type {string[]} */
const preferred = [];
try {
  preferred.push(localStorage.getItem("damka.language") ?? "");
} catch {
  // Without storage use the browser's languages.
}
// Czech falls back to Slovak before English.
preferred.push(...navigator.languages.map((tag) => tag.toLowerCase().split("-")[0].replace("cs", "sk")), "en");
const language = preferred.find((each) => available.includes(each)) ?? "en";
location.replace(new URL(`${language}/index.html`, location.href));
