/** Page that starts the guided game of a course, or continues it. */

import "./header.js";
import { href, request } from "./transport.js";
import { t } from "./i18n.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("guided"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const problem = /** @type {HTMLElement} */ (document.getElementById("problem"));

async function start() {
  button.disabled = true;
  const { ok, data } = await request("/api/games", { body: form.dataset.request ?? "", type: "application/json" });
  // The way back leads to the page before this one.
  if (ok) return location.replace(href(data.url));
  problem.textContent = data?.message ?? t("offline");
  button.disabled = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void start();
});
void start();
