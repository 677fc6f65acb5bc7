/**
 * Status line beside the board, or under it on a phone: a sentence, with a link to the rule or a
 * question with buttons if needed. Its height is fixed to avoid layout shift.
 */

import { href } from "./transport.js";
import { t } from "./i18n.js";

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const line = byId("status");
const sentence = byId("say");
const ruleText = byId("more");
const rule = /** @type {HTMLAnchorElement} */ (byId("rule"));
const lesson = /** @type {HTMLAnchorElement} */ (byId("lesson"));
const answers = byId("answers");
const spoken = byId("spoken");

/** @param {Line} what @param {(message: ViewMessage) => void} answer receives the answer */
export function showStatus({ text, more, rule: link, lesson: lessonUrl, kind = "", answers: buttons = [] }, answer) {
  line.className = `status ${kind}`;
  if (sentence.textContent !== text) sentence.textContent = text;
  ruleText.textContent = more ?? "";
  rule.hidden = !link;
  if (link) {
    rule.href = href(link.url);
    rule.textContent = t("rule", { n: link.number });
  }
  lesson.hidden = !lessonUrl;
  if (lessonUrl) lesson.href = href(lessonUrl);
  const labels = JSON.stringify(buttons);
  if (answers.dataset.labels === labels) return;
  const hadFocus = answers.contains(document.activeElement);
  answers.dataset.labels = labels;
  answers.replaceChildren(
    ...buttons.map((each) => {
      const button = document.createElement("url" in each ? "a" : "button");
      if (button instanceof HTMLAnchorElement) [button.href, button.target] = [href(each.url ?? ""), "_blank"];
      else button.type = "button";
      button.className = each.main ? "button" : "button quiet";
      button.textContent = each.label;
      const { message } = each;
      if (message) button.addEventListener("click", () => answer(message));
      return button;
    }),
  );
  if (hadFocus) /** @type {HTMLElement | null} */ (answers.querySelector("button"))?.focus();
}

/** Announce text to screen readers. @param {string} text */
export function speak(text) {
  // Screen readers ignore an unchanged text, so a repeated sentence must differ.
  spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
}
