/** Start page: choose a game and an opponent, restore the last choices, start a game. */

import "./header.js";
import { findChip, listenForMore } from "./more_games.js";
import { clock, get, lastChoice, saveChoices, refresh as refreshOptions, restoreChoices, gameOptions } from "./opponent.js";
import "./load.js";
import { t } from "./i18n.js";
import { progress, watchProgress } from "./lesson_progress.js";
import { start } from "./start.js";
import { dismiss, href } from "./transport.js";

const form = /** @type {HTMLFormElement} */ (get("new"));
const button = /** @type {HTMLButtonElement} */ (get("play"));

/** @returns {Record<string, string>} */
const choices = () =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]),
  );

/** Rule set whose choice of obligation is shown. */
let shownRules = "";

const chosenGame = () => /** @type {HTMLInputElement} */ (form.querySelector("input[name=rules]:checked"));

/** Update the parts that depend on the choices. */
function refresh() {
  const game = chosenGame();
  const hasHuffing = game.dataset.huffing === "1";
  refreshOptions(form, game.dataset);
  const [forced, huffing] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  huffing.disabled = get("huff-row").hidden = !hasHuffing;
  if (huffing.disabled) forced.checked = true;
  else if (shownRules && game.value !== shownRules) huffing.checked = true;
  shownRules = game.value;
  const { forced: forcedText, huff } = get("obligation-words").dataset;
  get("obligation-words").textContent = (huffing.checked ? huff : forcedText) ?? "";
  for (const card of form.querySelectorAll(/** @type {"label"} */ (".card"))) card.classList.toggle("on", card.control === game);
  /** @type {HTMLAnchorElement} */ (get("read-rules")).href = href(`/rules/${game.value}`);
  showLessons(game);
  /** @type {HTMLAnchorElement} */ (get("set-up")).href = href(`/analyse/${game.value}?setup=1`);
}

const newGame = get("learn-rules").innerHTML;

/** Show the link to the lessons of a game: new, begun, or all done. @param {HTMLInputElement} game */
function showLessons({ value, dataset }) {
  const link = /** @type {HTMLAnchorElement} */ (get("learn-rules"));
  const [course, levels] = (dataset.course ?? "").split(":");
  const done = Object.keys(progress(course)).length;
  link.href = href(`/learn/${value}`);
  if (done) link.textContent = (done < Number(levels) ? link.dataset.begun : link.dataset.done) ?? "";
  else link.innerHTML = newGame;
}

/** Choose a rule set: its card, or the fourth card, which then shows it. @param {HTMLButtonElement | undefined} chip */
function choose(chip) {
  if (!chip) return;
  const card = /** @type {HTMLInputElement | null} */ (document.getElementById(`card-${chip.value}`));
  const radio = card ?? /** @type {HTMLInputElement} */ (get("card-other"));
  if (!card) {
    Object.assign(radio.dataset, chip.dataset);
    radio.value = chip.value;
    const label = get("other");
    const picture = /** @type {HTMLImageElement} */ (label.querySelector("img"));
    picture.src = chip.querySelector("img")?.src ?? "";
    const name = /** @type {HTMLElement} */ (label.querySelector(".name"));
    const size = Object.assign(document.createElement("small"), { textContent: chip.dataset.size });
    name.replaceChildren(`${chip.dataset.title} `, size);
    label.hidden = false;
  }
  radio.checked = true;
  refresh();
}

/** @param {string} address @param {string} body */
async function open(address, body) {
  button.disabled = true;
  get("problem").textContent = "";
  get("problem").textContent = await start(address, body);
  button.disabled = false;
}

watchProgress(() => showLessons(chosenGame()));
form.addEventListener("input", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = choices();
  saveChoices(chosen);
  const { rules, obligation } = chosen;
  void open("/api/games", JSON.stringify({ rules, ...gameOptions(form), obligation }));
});
for (const button of document.querySelectorAll(/** @type {"button"} */ ("[data-dismiss]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await dismiss(button.dataset.dismiss ?? "");
    const game = button.closest(".run");
    const list = game?.parentElement;
    const neighbour = game?.nextElementSibling ?? game?.previousElementSibling;
    game?.remove();
    neighbour?.querySelector("a")?.focus();
    list?.toggleAttribute("hidden", !list.children.length);
  });
}
const next = /** @type {HTMLButtonElement | null} */ (document.getElementById("next"));
next?.removeAttribute("hidden");
next?.addEventListener("click", () => open("/api/games", next.dataset.request ?? ""));
/** @type {import("./seek.js").Lobby | null} */
let lobby = null;
const connect = async () => (lobby ??= new (await import("./seek.js")).Lobby(() => {}));
const seek = /** @type {HTMLButtonElement | null} */ (document.getElementById("seek"));
seek?.addEventListener("click", async () => {
  const chosen = choices();
  saveChoices(chosen);
  const { rules, rated } = chosen;
  const [forced] = form.querySelectorAll(/** @type {"input"} */ ("[name=obligation]"));
  const { huffing } = chosenGame().dataset;
  const other = huffing === "1" && forced.checked;
  seek.disabled = true;
  const options = { rules, clock: clock(form), rated: rated === "rated" };
  const request = async () => (await connect()).send("/api/lobby/pool", options);
  const error = other ? seek.dataset.standard : await request().catch(() => t("offline"));
  get("problem").textContent = error ?? "";
  seek.disabled = false;
});
// Players with an open challenge or seek are redirected to the game from here too.
if (document.querySelector("#seeking[data-seeks]")) void connect();
// A page restored from the back/forward cache may list outdated games.
addEventListener("pageshow", (event) => event.persisted && location.reload());

/** Game named by the address (`/?rules=…`), else that of the last visit. */
const named = new URLSearchParams(location.search).get("rules") ?? lastChoice("rules");
restoreChoices(form);
if (!("used" in chosenGame().dataset)) choose(findChip(named));
// After a reload Firefox restores the choice of the fourth card, but not its game.
if (!chosenGame().value) /** @type {HTMLInputElement} */ (form.querySelector("[name=rules]")).checked = true;
refresh();
listenForMore(() => chosenGame().value, choose);
form.dataset.ready = "";
// Play was pressed before this script was loaded
if ("waiting" in form.dataset) button.click();
