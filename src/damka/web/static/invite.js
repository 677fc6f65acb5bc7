/** Invitation panel: the link, the copy button, and the other actions for an open seat. */

import { start } from "./start.js";
import { byId } from "./status.js";

const panel = byId("invite");
const { game = "", code = "", copied = "" } = panel.dataset;
const link = /** @type {HTMLInputElement} */ (byId("invite-link"));
link.value = `${location.origin}/join/${code}`;
link.addEventListener("focus", () => link.select());
const hint = /** @type {HTMLElement} */ (panel.querySelector(".code small"));
hint.textContent = (hint.textContent ?? "").replace("{address}", `${location.host}/join`);
panel.addEventListener("click", async ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest(/** @type {"button"} */ ("[data-act]"));
  const act = button?.dataset.act;
  if (!button || !act) return;
  if (act === "copy") {
    link.select();
    // The Clipboard API needs https
    await (navigator.clipboard?.writeText(link.value) ?? Promise.reject()).catch(() => document.execCommand("copy"));
    button.textContent = copied;
    return;
  }
  button.setAttribute("disabled", "");
  const level = Number(JSON.parse(localStorage.getItem("damka.choice") ?? "{}").level) || undefined;
  const error = await start(`/api/games/${game}/${act}`, JSON.stringify(act === "computer" ? { level } : {}));
  if (error) button.removeAttribute("disabled");
});
