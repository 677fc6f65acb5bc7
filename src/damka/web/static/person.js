/**
 * Dialog to block or report a person without leaving the game: the opponent or a writer in the
 * chat. Loaded on first use.
 */

import { request } from "./transport.js";

const styles = document.createElement("link");

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {object} [properties] @param {(Node | string)[]} children */
function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

/**
 * @param {string} game
 * @param {number} [message] id of the message whose sender is meant; without it the opponent
 */
export async function open(game, message = 0) {
  styles.rel = "stylesheet";
  styles.href = new URL("./person.css", import.meta.url).href;
  document.head.append(styles);
  const path = `/api/games/${game}/person`;
  const { ok, data } = await request(`${path}?message=${message}`);
  document.getElementById("person")?.remove();
  const dialog = element("dialog", { id: "person" });
  dialog.setAttribute("aria-labelledby", "person-name");
  const word = (/** @type {string} */ key) => data?.words?.[key] ?? "";
  const title = element("h2", { id: "person-name", textContent: ok ? data.name : "" });
  const x = element("button", { type: "button", className: "icon", ariaLabel: word("shell.close"), textContent: "✕" });
  x.addEventListener("click", () => dialog.close());
  const sheet = element("form", {}, element("header", {}, title, x));
  dialog.append(sheet);
  const problem = element("p", { className: "problem", role: "alert", textContent: ok ? "" : (data?.message ?? "") });
  if (ok) fill();
  sheet.append(problem);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();

  function fill() {
    if (data.profile) sheet.append(element("p", {}, element("a", { href: data.profile, target: "_blank", textContent: word("chat.person.profile") })));
    if (!data.logged_in) {
      sheet.append(element("p", { className: "means", textContent: word("chat.person.log_in") }));
      const next = encodeURIComponent(location.pathname);
      // Not from a running game: a login to another account loses the seat
      if (data.over) sheet.append(element("a", { className: "button quiet", href: `/account?next=${next}`, textContent: word("account.enter") }));
      return;
    }
    if (data.member) block();
    else sheet.append(element("p", { className: "means", textContent: word("chat.person.guest") }));
    if (data.reported) sheet.append(done());
    else report();
  }

  function block() {
    let on = data.blocked;
    const label = () => word(on ? "chat.person.unblock" : "account.block");
    const means = element("p", { className: "means", textContent: word("chat.person.block_now") });
    const button = element("button", { type: "button", className: "button quiet", textContent: label() });
    button.addEventListener("click", async () => {
      const reply = await post("block", { on: !on });
      if (!reply) return;
      on = reply.blocked;
      button.textContent = label();
    });
    sheet.append(means, button);
  }

  function report() {
    const reasons = data.reasons.map((/** @type {{code: string, text: string}} */ { code, text }) => element("option", { value: code, textContent: text }));
    const reason = element("select", { id: "person-reason" }, ...reasons);
    if (message) reason.value = "insult";
    const text = element("textarea", { id: "person-text", maxLength: data.longest, rows: 3 });
    const part = element(
      "fieldset",
      {},
      element("legend", { textContent: word("account.report.title") }),
      element("p", { className: "means", textContent: word("account.report.means") }),
      element("label", { htmlFor: "person-reason", textContent: word("account.report.why") }),
      reason,
      element("label", { htmlFor: "person-text", textContent: word("account.report.text") }),
      text,
      element("button", { className: "button", textContent: word("account.report.go") }),
    );
    sheet.append(part);
    sheet.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!(await post("report", { reason: reason.value, text: text.value }))) return;
      const confirmation = done();
      part.replaceWith(confirmation);
      confirmation.querySelector("button")?.focus();
    });
  }

  function done() {
    const back = element("button", { type: "button", className: "button", textContent: word("shell.back_to_game") });
    back.addEventListener("click", () => dialog.close());
    return element("div", {}, element("p", { role: "status", textContent: word("chat.person.reported") }), back);
  }

  /** @param {string} what @param {object} body */
  async function post(what, body) {
    const reply = await request(`${path}/${what}`, { body: JSON.stringify({ message, ...body }), type: "application/json" });
    problem.textContent = reply.ok ? "" : (reply.data?.message ?? "");
    return reply.ok ? reply.data : null;
  }
}
