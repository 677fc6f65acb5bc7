/**
 * What only a game on two devices has: clocks, presence, and the way to the chat. The server keeps the
 * time; between its states the page counts down by its own monotonic clock.
 */

import { prefs, recall } from "./prefs.js";
import { other } from "./reduce.js";
import { orientation } from "./selectors.js";
import { byId } from "./status.js";
import { visit } from "./transport.js";
import { page, t } from "./i18n.js";

// Milliseconds
const LOW = 10_000;
const SPOKEN = [30_000, 10_000];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const FAST = 100;
// Pixels: a strip that is less high has one line
const ONE_LINE = 50;
const SLOW = 250;

const rules = /** @type {RulesData} */ (page.rules);
const TITLE = document.title;

if (document.getElementById("invite")) await import("./invite.js");

export class Online {
  #view;
  #send;
  #speak;
  // When the last state came
  #at = performance.now();
  #timer = 0;
  #asked = false;
  /** @type {Set<number>} */ #spoken = new Set();
  // A page that is gone back to may be an old one
  #ups = /** @type {any} */ (performance.getEntriesByType("navigation")[0])?.type === "back_forward" ? 1 : 0;
  #beside = document.createElement("div");

  /**
   * @param {ViewState} view
   * @param {(message: object) => unknown} send
   * @param {(text: string) => void} speak
   */
  constructor(view, send, speak) {
    this.#view = view;
    this.#send = send;
    this.#speak = speak;
    document.getElementById("chat")?.addEventListener("click", () => chat(({ open }) => open()));
    unread(view.game.id);
    about(view.game);
    this.#beside.id = "beside";
    this.#beside.innerHTML = '<p></p><button type="button" aria-haspopup="dialog" hidden></button>';
    byId("counters").after(this.#beside);
    this.#beside.children[1].addEventListener("click", async () => {
      (await import("./watchers.js")).open((on) => send({ t: "watchers", on }));
    });
    // In the background timers are slow
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /** @param {Incoming} message */
  received(message) {
    if (message.t === "chat") return void chat(({ hear }) => hear(message));
    if (message.t === "watchers") return void import("./watchers.js").then(({ told }) => told(message));
    if (message.t !== "state") return;
    if (message.result && !this.#view.game.result && loaded) void chat(({ again }) => again());
    // A rematch that both wanted opens by itself
    if (message.next && !this.#view.game.next && message.you.length) visit(message.next.url);
    const panel = document.getElementById("invite");
    if (panel && !message.invitation) {
      panel.remove();
      if (!message.online) location.reload();
    }
    this.#at = performance.now();
    this.#asked = false;
  }

  /** The connection is there, or is back: something may have been said meanwhile. */
  up() {
    if (this.#ups++) void chat(({ again }) => again());
    if (document.querySelector("#watchers[open]")) this.#send({ t: "watchers", on: true });
  }

  /** @param {ViewState} view */
  render(view) {
    this.#view = view;
    this.#tick();
  }

  /** How long ago the last state came. */
  get #past() {
    return performance.now() - this.#at;
  }

  #tick() {
    clearTimeout(this.#timer);
    // The newest state tells the time, even while an earlier one is still shown
    const game = this.#view.next ?? this.#view.game;
    const bottom = orientation(this.#view);
    for (const [id, side] of /** @type {[string, Side][]} */ ([["top", other(bottom)], ["bottom", bottom]])) {
      this.#clock(byId(id), game, side);
      this.#presence(byId(id), game, side);
      mark(byId(id), game.players[side]);
    }
    this.#told(game);
    document.getElementById("chat")?.toggleAttribute("hidden", Boolean(game.invitation));
    const yours = !game.result && !game.invitation && game.you.includes(game.turn);
    document.title = yours ? `● ${t("turn_title")} · ${TITLE}` : TITLE;
    const running = game.clock?.running;
    const fast = game.clock && running && game.clock.left[running] - this.#past < LOW + SECOND;
    if (!game.result) this.#timer = setTimeout(() => this.#tick(), fast ? FAST : SLOW);
  }

  /** @param {State} game @param {Side} side */
  #left({ clock }, side) {
    if (!clock) return 0;
    const past = clock.running === side ? Math.max(0, this.#past - clock.delay) : 0;
    return Math.max(0, clock.left[side] - past);
  }

  /** What two people have agreed on, and how many watch; who they are is told on demand. @param {State} game */
  #told({ no_draw, watching }) {
    const [draws, watch] = this.#beside.children;
    draws.textContent = no_draw ?? "";
    watch.toggleAttribute("hidden", !watching);
    const text = t("watch_n", { n: watching ?? 0 });
    if (watch.textContent !== text) watch.textContent = text;
  }

  /** @param {HTMLElement} strip @param {State} game @param {Side} side */
  #clock(strip, game, side) {
    const place = /** @type {HTMLElement} */ (strip.querySelector("time"));
    const { clock, result } = game;
    place.hidden = !clock;
    if (!clock) return;
    const left = this.#left(game, side);
    const runs = clock.running === side && !result;
    const low = left < LOW && clock.kind !== "days" && !game.invitation;
    // Without a connection nobody knows whether the own move has arrived, and what the server's clock says
    const unsure = !this.#view.connected && !result && !game.invitation && clock.kind !== "days";
    place.className = `${runs ? "runs" : ""} ${low ? "low" : ""}${unsure ? " unsure" : ""}`;
    const text = unsure ? `≈ ${written(left, low)}` : written(left, low);
    if (place.textContent !== text) place.textContent = text;
    const label = unsure ? t("clock_unsure", { time: written(left, low) }) : null;
    if (place.ariaLabel !== label) place.ariaLabel = label;
    place.title = unsure ? t("clock_unsure_why") : "";
    if (!runs) return;
    if (left === 0 && !this.#asked) {
      this.#asked = true;
      this.#send({ t: "flag" });
    }
    if (!game.you.includes(side) || clock.kind === "days") return;
    // The last second of a threshold counts, so that an increment over it is not spoken
    for (const mark of SPOKEN) {
      if (left > mark || left < mark - SECOND || this.#spoken.has(mark)) continue;
      this.#spoken.add(mark);
      this.#speak(t("clock_left", { n: mark / SECOND }));
    }
  }

  /** @param {HTMLElement} strip @param {State} game @param {Side} side */
  #presence(strip, game, side) {
    const place = /** @type {HTMLElement} */ (strip.querySelector("small"));
    strip.classList.remove("gone");
    if (!game.presence || game.invitation || game.result) return;
    const { here, claim } = game.presence[side];
    const gone = !here && !game.you.includes(side);
    // What counts is short where there is little room
    const narrow = strip.clientHeight < ONE_LINE;
    const words = [];
    const wait = claim === null ? 0 : claim - this.#past;
    const time = written(wait, false);
    if (gone) words.push(wait <= 0 ? t("away") : narrow ? `${t("away")} ${time}` : t("away_in", { time }));
    const due = game.turn === side ? game.clock?.due : null;
    if (!gone && due == null && !game.you.includes(side)) words.push(t("here"));
    if (due != null) {
      const n = Math.ceil(Math.max(0, due - this.#past) / SECOND);
      words.push(narrow ? `${n} s` : t("first_move", { n }));
    }
    // The man beside the name shows the colour as well, and the time for a first move needs the room
    if (!gone && due == null && !(narrow && words.length)) words.unshift(rules.colour_names[side]);
    strip.classList.toggle("gone", gone);
    const line = words.join(" · ");
    const text = line[0].toUpperCase() + line.slice(1);
    if (place.textContent !== text) place.textContent = text;
  }
}

/** What stands behind a name: the rating, and what the game has changed about it; or that it is a guest's. @param {HTMLElement} strip @param {Player} player */
function mark(strip, { rating: before, diff, guest }) {
  if (!before && !guest) return;
  const name = /** @type {HTMLElement} */ (strip.querySelector("b"));
  const change = diff == null ? "" : ` ${diff < 0 ? "−" : "+"}${Math.abs(diff)}`;
  const text = before ? ` ${before}${change}` : ` ${t("guest")}`;
  if (name.querySelector("em")?.textContent === text) return;
  // What a long name leaves no room for is its own end
  const [short, place] = [document.createElement("bdi"), document.createElement("em")];
  short.append(name.textContent ?? "");
  place.append(text);
  name.replaceChildren(short, place);
}

/** Let a player block or report the opponent. @param {State} game */
function about({ id, you }) {
  const button = document.getElementById("about");
  if (!button || you.length !== 1) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    /** @type {HTMLDialogElement} */ (byId("settings")).close();
    void (await import("./person.js")).open(id);
  });
}

let loaded = false;

/** Let the chat do something, if there is one. @param {(chat: typeof import("./chat.js")) => unknown} act */
async function chat(act) {
  if (!document.querySelector("#chat:not([hidden])")) return;
  loaded = true;
  act(await import("./chat.js"));
}

/** Mark the chat if somebody has said something while this page was not open. @param {string} game */
function unread(game) {
  const button = document.getElementById("chat");
  const { [game]: read = 0 } = recall("damka.said", /** @type {Record<string, number>} */ ({}));
  if (!button || !prefs.chat || Number(button.dataset.said) <= read) return;
  button.classList.add("new");
  button.ariaLabel = button.dataset.new ?? null;
}

/** A time: "4:05", under ten seconds "0:09.3". @param {number} ms @param {boolean} low */
function written(ms, low) {
  if (ms >= 2 * DAY) return t("days", { d: Math.floor(ms / DAY), h: Math.floor((ms % DAY) / HOUR) });
  // Whole seconds are rounded up: a clock that shows 0:00 is over
  const seconds = low ? Math.floor(ms / 100) / 10 : Math.ceil(ms / SECOND);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = low ? (seconds % 60).toFixed(1).padStart(4, "0") : two(seconds % 60);
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
