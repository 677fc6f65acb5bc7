/** HTML elements that scripts build. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {string} className @param {(Element | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  if (element instanceof HTMLButtonElement) element.type = "button";
  return element;
}

/** @param {string} path @param {string} words */
export function iconButton(path, words) {
  const button = make("button", "icon");
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  button.title = words;
  button.setAttribute("aria-label", words);
  return button;
}

/** @param {string} words @param {string} className @param {() => void} act */
export function button(words, className, act) {
  const element = make("button", className, words);
  element.addEventListener("click", act);
  return element;
}
