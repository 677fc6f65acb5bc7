/** Result sheet: the sentence, the numbers, the next game, and sharing. */

import "./copy.js";
import { href } from "./transport.js";
import { token } from "./pieces.js";
import { nextLevel, orientation } from "./selectors.js";
import { pngFile, save } from "./png.js";
import { start } from "./start.js";
import { clockTime, statistics } from "./statistics.js";
import { byId } from "./status.js";
import { page, t } from "./i18n.js";

const rules = /** @type {RulesData} */ (page.rules);
const sheet = byId("end");
const levelButton = /** @type {HTMLButtonElement} */ (byId("level"));
const mostLevel = Number(levelButton.dataset.most);
const copyButton = document.getElementById("copy");
const sendButton = byId("send");
const pictureLink = /** @type {HTMLAnchorElement} */ (byId("picture"));
const replayLink = /** @type {HTMLAnchorElement} */ (byId("replay"));
const rows = /** @type {NodeListOf<HTMLTableRowElement>} */ (sheet.querySelectorAll("tbody tr"));

/** @type {ViewState} */
let shown;
let wasOpen = false;
let focusLost = false;

/** Whether the sheet is displayed. @param {ViewState} view */
export const isOpen = ({ game, dismissed, past, stage }) => Boolean(game.result) && !stage && !dismissed && past === null;

/**
 * Show the sheet, or hide it while the game is running or another position is displayed.
 * @param {ViewState} view
 * @param {string} status text of the status line
 * @param {Element | null} focused focused element before the page was updated
 */
export function showEnd(view, status, focused) {
  shown = view;
  const { game, past, stage } = view;
  const { result } = game;
  const over = Boolean(result) && !stage;
  const open = isOpen(view);
  const winner = over && past === null ? result?.winner : null;
  byId("board").dataset.winner = winner ?? "";
  document.body.classList.toggle("ended", over);
  document.body.classList.toggle("defeat", Boolean(winner) && game.you.length === 1 && winner !== game.you[0]);
  sheet.hidden = !open;
  byId("open-end").setAttribute("aria-expanded", String(open));
  if (!open) share(false);
  if (open && result) fill(view, result, status);
  // A focused button has disappeared, now or with a question before: a keyboard continues in the sheet.
  if (focused !== document.body) focusLost = !(focused?.isConnected && focused.getClientRects().length);
  if (open && !wasOpen && focusLost) byId("close-end").focus();
  wasOpen = open;
}

/** @param {ViewState} view @param {ResultInfo} result @param {string} status */
function fill(view, result, status) {
  const { game } = view;
  const heading = byId("end-result");
  if (heading.textContent !== result.sentence) heading.textContent = result.sentence;
  // On a desktop the status line beside the board already says it.
  const isTold = status.includes(result.sentence);
  sheet.classList.toggle("told", isTold);
  const waits = !game.next && game.you.includes(/** @type {Side} */ (game.rematch_offer));
  const wait = byId("end-wait");
  // On a phone the sheet covers the status line with its question or error.
  wait.textContent = waits ? t("rematch_wait") : isTold ? "" : status;
  wait.classList.toggle("echo", !waits);
  // The static site's page is the same for all games.
  const reader = game.you.length === 1 ? `&side=${game.you[0]}` : "";
  const review = /** @type {HTMLAnchorElement} */ (byId("review"));
  review.hidden = !game.can.analyse || !game.ply;
  review.href = href(`/analyse?game=${game.id}&review=1${reader}`);
  const link = /** @type {HTMLAnchorElement} */ (byId("end-rule"));
  link.hidden = !result.rule;
  if (result.rule) {
    link.href = href(result.rule.url);
    link.textContent = t("rule", { n: result.rule.number });
  }
  const congratulation = byId("end-guide");
  congratulation.hidden = !game.guide?.end;
  congratulation.textContent = game.guide?.end ?? "";
  const level = nextLevel(view, mostLevel);
  levelButton.hidden = !level;
  sheet.classList.toggle("levels", Boolean(level));
  byId("rematch").classList.toggle("quiet", Boolean(level));
  if (level) levelButton.textContent = t(level.stronger === null ? "end_first_level" : level.stronger ? "end_stronger" : "end_weaker", { n: level.n });
  showNumbers(view);
  sendButton.hidden = !navigator.share;
  const flip = orientation(view) === "B" ? "?flip=true" : "";
  for (const each of [pictureLink, replayLink]) each.setAttribute("href", each.dataset.href + flip);
}

/** @param {ViewState} view */
function showNumbers({ game }) {
  const first = game.you[0] ?? rules.first;
  /** @type {Side[]} */
  const sides = [first, first === "W" ? "B" : "W"];
  const numbers = statistics(game);
  const heads = sheet.querySelectorAll("thead th");
  for (const [i, side] of sides.entries()) {
    const name = document.createElement("span");
    name.textContent = game.players[side].name;
    heads[i].replaceChildren(token(side), name);
    heads[i].classList.toggle("won", game.result?.winner === side);
  }
  for (const row of rows) {
    const kind = /** @type {keyof Statistics} */ (row.dataset.row);
    const values = sides.map((side) => numbers[side][kind]);
    // A longest capture of one piece, or a kind that did not occur, says nothing.
    row.hidden = kind !== "moves" && Math.max(...values) <= Number(kind === "longest");
    for (const [i, value] of values.entries()) row.cells[i + 1].textContent = kind === "time" ? clockTime(value) : String(value);
  }
}

/** Celebrate a win. */
export function celebrate() {
  const { result, you } = shown.game;
  if (!result?.winner || you.length !== 1 || result.winner !== you[0]) return;
  void import("./confetti.js").then(({ confetti }) => confetti(byId("stage"))).catch(() => {});
}

/** Show the ways to share, or the other actions. @param {boolean} on */
function share(on) {
  if (sheet.classList.toggle("sharing", on)) return;
  byId("share").setAttribute("aria-expanded", "false");
}

/** Close the ways to share; return false if they are closed. */
export function closeShare() {
  if (!sheet.classList.contains("sharing")) return false;
  share(false);
  byId("share").focus();
  return true;
}

byId("share").addEventListener("click", () => {
  share(true);
  byId("share").setAttribute("aria-expanded", "true");
  if (!sendButton.hidden) void pictureFile().then((file) => (toSend = file), () => (toSend = null));
  /** @type {HTMLElement} */ (sheet.querySelector("#ways > .button:not([hidden])")).focus();
});

/** Listen to the buttons that start a game at the next level and save the picture. @param {(error: string) => void} fail */
export function listen(fail) {
  levelButton.addEventListener("click", async () => {
    const level = nextLevel(shown, mostLevel);
    if (!level) return;
    levelButton.disabled = true;
    const error = await start(`/api/games/${shown.game.id}/rematch`, JSON.stringify({ level: level.n }));
    levelButton.disabled = false;
    if (error) fail(error);
  });
  pictureLink.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    pictureFile().then(save, () => fail(t("offline")));
  });
  sendButton.addEventListener("click", () => void send(fail));
}

const address = () => location.origin + location.pathname;

if (copyButton) copyButton.dataset.copy = address();

/** Draw the final position as a PNG file. */
const pictureFile = () => pngFile((pictureLink.getAttribute("href") ?? "").replace("games/-/", `games/${shown.game.id}/`), "damka.png");

/** File to send, drawn before the click that sends it: a browser shares only soon after a click. @type {File | null} */
let toSend = null;

/** @param {(error: string) => void} fail */
async function send(fail) {
  // A game of the static site has no address that others can open.
  const text = { title: document.title, text: shown.game.result?.sentence, ...(copyButton && { url: address() }) };
  const full = { ...text, files: toSend ? [toSend] : [] };
  try {
    await navigator.share(toSend && navigator.canShare?.(full) ? full : text);
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") fail(t("end_send_failed"));
  }
}
