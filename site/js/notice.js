/** Notices of the site, at the bottom of the window. */

/** @typedef {{label: string, act: () => void}} Answer */

/** @type {Map<string, HTMLElement>} */
const notices = new Map();
const place = document.createElement("div");
place.className = "site-notices";

/**
 * @param {string} about topic of the notice, which replaces an earlier one of the same topic
 * @param {string} text "" removes the notice
 * @param {...Answer} answers buttons
 */
export function notice(about, text, ...answers) {
  notices.get(about)?.remove();
  notices.delete(about);
  if (!text) return;
  const line = document.createElement("div");
  line.className = "site-notice";
  line.setAttribute("role", "status");
  line.append(Object.assign(document.createElement("p"), { textContent: text }), ...answers.map(button));
  notices.set(about, line);
  place.append(line);
  document.body.append(place);
}

/**
 * Show an error page in place of the page.
 * @param {string} text
 * @param {string} more
 * @param {...Answer} answers
 */
export function trouble(text, more, ...answers) {
  document.body.classList.add("troubled");
  const page = document.createElement("main");
  page.className = "site-trouble";
  const heading = document.createElement("h1");
  heading.textContent = text;
  page.append(heading, Object.assign(document.createElement("p"), { textContent: more }), ...answers.map(button));
  document.querySelector(".site-trouble")?.remove();
  document.querySelector("header")?.after(page);
}

/** @param {Answer} answer @param {number} i */
function button({ label, act }, i) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = i ? "button quiet" : "button";
  node.textContent = label;
  node.addEventListener("click", act);
  return node;
}
