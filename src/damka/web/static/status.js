/**
 * The status line under the board: one sentence, perhaps a link to the rule, perhaps a question with
 * its buttons. Its height is reserved, so that nothing moves when words come and go.
 */

import { t } from "./i18n.js";

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const line = byId("status");
const sentence = byId("say");
const rule = /** @type {HTMLAnchorElement} */ (byId("rule"));
const answers = byId("answers");
const spoken = byId("spoken");

/** @param {Line} what @param {(message: ViewMessage) => void} answer told what was answered */
export function say({ text, rule: link, kind = "", answers: offered = [] }, answer) {
  line.className = `status ${kind}`;
  if (sentence.textContent !== text) sentence.textContent = text;
  rule.hidden = !link;
  if (link) {
    rule.href = link.url;
    rule.textContent = t("rule", { n: link.number });
  }
  const labels = JSON.stringify(offered);
  if (answers.dataset.labels === labels) return;
  const held = answers.contains(document.activeElement);
  answers.dataset.labels = labels;
  answers.replaceChildren(
    ...offered.map(({ label, says, main }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = main ? "button" : "button quiet";
      button.textContent = label;
      button.addEventListener("click", () => answer(says));
      return button;
    }),
  );
  if (held) /** @type {HTMLElement | null} */ (answers.querySelector("button"))?.focus();
}

/** Let screen readers say it. @param {string} text */
export function speak(text) {
  // The same sentence twice is two events: the second needs a change to be heard.
  spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
}
