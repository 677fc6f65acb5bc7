/** Invitation page: join the game. */

import "./header.js";
import { recall, remember } from "./prefs.js";
import { start } from "./start.js";

const KEY = "damka.choice";
const form = document.getElementById("sit");
const name = /** @type {HTMLInputElement | null} */ (document.getElementById("name"));

if (form && name) {
  const member = name.type === "hidden";
  name.value = member ? "" : String(recall(KEY, { name1: "" }).name1 ?? "");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
    button.disabled = true;
    if (!member) remember(KEY, { ...recall(KEY, {}), name1: name.value });
    const problem = await start(`/api/games/${form.dataset.game}/join`, JSON.stringify({ name: name.value.trim() }));
    const problemLine = document.getElementById("problem");
    if (problemLine) problemLine.textContent = problem;
    button.disabled = false;
  });
}
