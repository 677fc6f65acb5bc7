/** Notices of the site, at the bottom of the window. */

/** @typedef {{label: string, onClick: () => void}} Action */

/** @type {Map<string, HTMLElement>} */
const notices = new Map();
const container = document.createElement("div");
container.className = "site-notices";

/**
 * @param {string} topic the notice replaces an earlier one of the same topic
 * @param {string} text "" removes the notice
 * @param {...Action} actions shown as buttons
 */
export function notice(topic, text, ...actions) {
  notices.get(topic)?.remove();
  notices.delete(topic);
  if (!text) return;
  const element = document.createElement("div");
  element.className = "site-notice";
  element.setAttribute("role", "status");
  element.append(Object.assign(document.createElement("p"), { textContent: text }), ...actions.map(button));
  notices.set(topic, element);
  container.append(element);
  document.body.append(container);
}

/**
 * Show an error page in place of the page.
 * @param {string} text
 * @param {string} more
 * @param {...Action} actions
 */
export function showErrorPage(text, more, ...actions) {
  document.body.classList.add("has-error");
  const page = document.createElement("main");
  page.className = "site-error";
  const heading = document.createElement("h1");
  heading.textContent = text;
  page.append(heading, Object.assign(document.createElement("p"), { textContent: more }), ...actions.map(button));
  document.querySelector(".site-error")?.remove();
  document.querySelector("header")?.after(page);
}

/** @param {Action} action @param {number} i */
function button({ label, onClick }, i) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = i ? "button quiet" : "button";
  node.textContent = label;
  node.addEventListener("click", onClick);
  return node;
}
