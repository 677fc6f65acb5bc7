/** Lobby: open challenges, and the form of a challenge or a seek. */

import "./copy.js";
import "./header.js";
import { clock, get, restoreChoices, saveChoices } from "./opponent.js";
import { Lobby } from "./seek.js";
import { embedded } from "./transport.js";

const form = /** @type {HTMLFormElement} */ (get("seek-form"));
const list = get("challenges");
const { accept = "", cancel = "" } = list.dataset;

/** @param {string} tag @param {string} text @param {string} [className] */
function element(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  node.className = className;
  return node;
}

/** @param {import("./seek.js").Challenge} challenge */
function row({ id, who, rating, game, clock: time, colour, rated, mine }) {
  const item = element("li", "", mine ? "mine" : "");
  item.dataset.id = id;
  const name = element("b", who);
  if (rating) name.append(" ", element("span", rating));
  const button = /** @type {HTMLButtonElement} */ (element("button", mine ? cancel : accept, mine ? "button quiet" : "button"));
  button.type = "button";
  button.ariaLabel = [button.textContent, who, game, time].join(", ");
  button.addEventListener("click", async () => {
    button.disabled = true;
    get("list-problem").textContent = await lobby.send(`/api/lobby/${id}/${mine ? "cancel" : "accept"}`);
    button.disabled = false;
  });
  item.append(name, element("span", game, "game"), element("span", time, "time"), element("small", `${rated} · ${colour}`), button);
  return item;
}

/** Show the challenges; remaining ones retain their place and the focus. @param {import("./seek.js").LobbyState} state */
function show({ challenges }) {
  const rows = new Map([...list.children].map((each) => [/** @type {HTMLElement} */ (each).dataset.id, each]));
  const ids = new Set(challenges.map(({ id }) => id));
  for (const [id, node] of rows) if (!ids.has(id ?? "")) node.remove();
  let at = list.firstElementChild;
  for (const each of challenges) {
    const existing = rows.get(each.id);
    // A guest with a new seat cookie recognises their own challenge
    const isUnchanged = existing && existing.classList.contains("mine") === each.mine;
    if (isUnchanged && existing === at) at = at.nextElementSibling;
    else {
      if (existing === at) at = at?.nextElementSibling ?? null;
      if (!isUnchanged) existing?.remove();
      list.insertBefore(isUnchanged ? existing : row(each), at);
    }
  }
  get("none").hidden = challenges.length > 0;
  const spoken = get("spoken");
  const announcement = (spoken.dataset.template ?? "").replace("{n}", String(challenges.length));
  if (spoken.textContent !== announcement) spoken.textContent = announcement;
}

/** Update the parts that depend on the choices. */
function refresh() {
  const { first = "", second = "" } = /** @type {HTMLSelectElement} */ (get("rules")).selectedOptions[0]?.dataset ?? {};
  const [lot, ...others] = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=colour]"));
  const rated = new FormData(form).get("rated") === "rated";
  if (rated) lot.checked = true;
  for (const [i, name] of [first, second].entries()) {
    others[i].disabled = rated;
    /** @type {Element} */ (others[i].nextElementSibling).textContent = name;
  }
}

const lobby = new Lobby(show);

form.addEventListener("input", refresh);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const chosen = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  saveChoices(chosen);
  const pool = button.value === "pool";
  const options = { rules: chosen.rules, clock: clock(form), rated: chosen.rated === "rated" };
  button.disabled = true;
  get("problem").textContent = await lobby.send(pool ? "/api/lobby/pool" : "/api/lobby", pool ? options : { ...options, colour: chosen.colour ?? "lot" });
  button.disabled = false;
});
// A page restored from the back/forward cache may be long out of date.
addEventListener("pageshow", (event) => event.persisted && location.reload());

restoreChoices(form);
refresh();
show(embedded("state"));
