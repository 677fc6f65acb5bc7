/** Numbers to answer with, the stars, and the texts of a level. */

import { page, t } from "./i18n.js";
import { href } from "./transport.js";

/** @template {Element} T @param {string} id */
export const get = (id) => /** @type {T} */ (/** @type {unknown} */ (document.getElementById(id)));

/** @param {string} id @param {boolean} isShown */
export function toggle(id, isShown) {
  get(id).toggleAttribute("hidden", !isShown);
}

/** Show numbers to choose from. @param {number[]} options @param {(number: number) => void} choose */
export function showNumbers(options, choose) {
  const buttons = options.map((number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = String(number);
    button.addEventListener("click", () => choose(number));
    return button;
  });
  get("numbers").replaceChildren(...buttons);
  toggle("numbers", options.length > 0);
}

/** Let the learner choose a number or not. @param {boolean} can */
export function enableNumbers(can) {
  for (const button of document.querySelectorAll(/** @type {"button"} */ ("#numbers button"))) button.disabled = !can;
}

/** Show stars; `fresh` ones appear one by one. @param {number} count @param {boolean} [fresh] */
export function showStars(count, fresh = false) {
  const stars = get("stars");
  stars.classList.toggle("fresh", fresh);
  [...stars.children].forEach((star, i) => star.classList.toggle("on", i < count));
  const plural = new Intl.PluralRules(page.lang).select(count);
  stars.setAttribute("aria-label", t(`stars.${plural}`, { n: count }));
}

/**
 * Show a rule and a task, or what follows from an answer.
 * @param {string} rule
 * @param {string} task
 * @param {"" | "hint" | "good" | "oops"} [kind]
 * @param {string} [note] a hint, or a message that leaves rule and task as they are
 */
export function showTexts(rule, task, kind = "", note = "") {
  get("rule-text").textContent = rule;
  get("task").textContent = task;
  get("note").textContent = note;
  get("speech").setAttribute("class", `speech ${kind}`.trim());
}

/** Show the link to a rulebook paragraph. @param {RuleLink | null} link */
export function showRule(link) {
  const element = /** @type {HTMLAnchorElement} */ (get("rule-link"));
  element.hidden = !link;
  if (!link) return;
  element.href = href(link.url);
  element.textContent = t("rule", { n: link.number });
}

/** Tell a screen reader. @param {string} text */
export function say(text) {
  get("spoken").textContent = text;
}
