/**
 * Online games: clocks, presence and access to the chat. The server's clock counts; between its
 * states the page counts down with its own monotonic clock.
 */

import { prefs, recall } from "./prefs.js";
import { other } from "./reduce.js";
import { orientation } from "./selectors.js";
import { byId } from "./status.js";
import { visit } from "./transport.js";
import { page, t } from "./i18n.js";

// Milliseconds
const LOW_TIME = 10_000;
const SPOKEN_TIMES = [30_000, 10_000];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const FAST_TICK = 100;
// Strips below this height, in pixels, have a single line
const ONE_LINE = 50;
const SLOW_TICK = 250;

const rules = /** @type {RulesData} */ (page.rules);
const TITLE = document.title;

if (document.getElementById("invite")) await import("./invite.js");

export class Online {
  #view;
  #send;
  #speak;
  // Time of the last state
  #stateAt = performance.now();
  #timer = 0;
  #flagSent = false;
  /** @type {Set<number>} */ #spoken = new Set();
  // The browser may restore an outdated page
  #connections = /** @type {any} */ (performance.getEntriesByType("navigation")[0])?.type === "back_forward" ? 1 : 0;
  #panel = document.createElement("div");

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
    markUnread(view.game.id);
    setUpPerson(view.game);
    this.#panel.id = "beside";
    this.#panel.innerHTML = '<p></p><button type="button" aria-haspopup="dialog" hidden></button>';
    byId("counters").after(this.#panel);
    this.#panel.children[1].addEventListener("click", async () => {
      (await import("./watchers.js")).open((on) => send({ t: "watchers", on }));
    });
    // Browsers throttle timers in the background
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /** @param {Incoming} message */
  onMessage(message) {
    if (message.t === "chat") return void chat(({ receive }) => receive(message));
    if (message.t === "watchers") return void import("./watchers.js").then(({ showList }) => showList(message));
    if (message.t !== "state") return;
    if (message.result && !this.#view.game.result && chatLoaded) void chat(({ reload }) => reload());
    // An accepted rematch opens automatically
    if (message.next && !this.#view.game.next && message.you.length) visit(message.next.url);
    const panel = document.getElementById("invite");
    if (panel && !message.invitation) {
      panel.remove();
      if (!message.online) location.reload();
    }
    this.#stateAt = performance.now();
    this.#flagSent = false;
  }

  /** Handle a connection or reconnection: messages may have been missed. */
  onConnect() {
    if (this.#connections++) {
      void chat(({ reload }) => reload());
      if (document.getElementById("invite")) void import("./invite.js").then(({ refresh }) => refresh());
    }
    if (document.querySelector("#watchers[open]")) this.#send({ t: "watchers", on: true });
  }

  /** @param {ViewState} view */
  render(view) {
    this.#view = view;
    this.#tick();
  }

  /** Age of the last state, in milliseconds. */
  get #age() {
    return performance.now() - this.#stateAt;
  }

  #tick() {
    clearTimeout(this.#timer);
    // The newest state has the time, even while an earlier one is displayed
    const game = this.#view.next ?? this.#view.game;
    const bottom = orientation(this.#view);
    for (const [id, side] of /** @type {[string, Side][]} */ ([["top", other(bottom)], ["bottom", bottom]])) {
      this.#clock(byId(id), game, side);
      this.#presence(byId(id), game, side);
      showSuffix(byId(id), game.players[side]);
    }
    this.#showSettings(game);
    document.getElementById("chat")?.toggleAttribute("hidden", Boolean(game.invitation));
    const yours = !game.result && !game.invitation && game.you.includes(game.turn);
    document.title = yours ? `● ${t("turn_title")} · ${TITLE}` : TITLE;
    const running = game.clock?.running;
    const fast = game.clock && running && game.clock.left[running] - this.#age < LOW_TIME + SECOND;
    if (!game.result) this.#timer = setTimeout(() => this.#tick(), fast ? FAST_TICK : SLOW_TICK);
  }

  /** @param {State} game @param {Side} side */
  #left({ clock }, side) {
    if (!clock) return 0;
    const past = clock.running === side ? Math.max(0, this.#age - clock.delay) : 0;
    return Math.max(0, clock.left[side] - past);
  }

  /** Show the agreed settings and the number of spectators, whose names are loaded on demand. @param {State} game */
  #showSettings({ no_draw, watching }) {
    const [draws, watch] = this.#panel.children;
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
    const low = left < LOW_TIME && clock.kind !== "days" && !game.invitation;
    // While disconnected, the page knows neither whether its move has arrived nor the server's clock
    const unsure = !this.#view.connected && !result && !game.invitation && clock.kind !== "days";
    place.className = `${runs ? "runs" : ""} ${low ? "low" : ""}${unsure ? " unsure" : ""}`;
    const text = unsure ? `≈ ${timeText(left, low)}` : timeText(left, low);
    if (place.textContent !== text) place.textContent = text;
    const label = unsure ? t("clock_unsure", { time: timeText(left, low) }) : null;
    if (place.ariaLabel !== label) place.ariaLabel = label;
    place.title = unsure ? t("clock_unsure_why") : "";
    if (!runs) return;
    if (left === 0 && !this.#flagSent) {
      this.#flagSent = true;
      this.#send({ t: "flag" });
    }
    if (!game.you.includes(side) || clock.kind === "days") return;
    // Only the last second below a threshold counts, so that an increment across it is not
    // announced
    for (const time of SPOKEN_TIMES) {
      if (left > time || left < time - SECOND || this.#spoken.has(time)) continue;
      this.#spoken.add(time);
      this.#speak(t("clock_left", { n: time / SECOND }));
    }
  }

  /** @param {HTMLElement} strip @param {State} game @param {Side} side */
  #presence(strip, game, side) {
    const place = /** @type {HTMLElement} */ (strip.querySelector("small"));
    strip.classList.remove("gone");
    if (!game.presence || game.invitation || game.result) return;
    const { here, claim } = game.presence[side];
    const gone = !here && !game.you.includes(side);
    // Use the short text if there is little room
    const narrow = strip.clientHeight < ONE_LINE;
    const parts = [];
    const wait = claim === null ? 0 : claim - this.#age;
    const time = timeText(wait, false);
    if (gone) parts.push(wait <= 0 ? t("away") : narrow ? `${t("away")} ${time}` : t("away_in", { time }));
    const due = game.turn === side ? game.clock?.due : null;
    if (!gone && due == null && !game.you.includes(side)) parts.push(t("here"));
    if (due != null) {
      const n = Math.ceil(Math.max(0, due - this.#age) / SECOND);
      parts.push(narrow ? `${n} s` : t("first_move", { n }));
    }
    // The man beside the name also shows the colour. Omit it where the first move's time is shown.
    if (!gone && due == null && !(narrow && parts.length)) parts.unshift(rules.colour_names[side]);
    strip.classList.toggle("gone", gone);
    const line = parts.join(" · ");
    const text = line[0].toUpperCase() + line.slice(1);
    if (place.textContent !== text) place.textContent = text;
  }
}

/** Show the suffix of a name: the rating and its change by the game, or the note that this is a guest. @param {HTMLElement} strip @param {Player} player */
function showSuffix(strip, { rating, diff, guest }) {
  if (!rating && !guest) return;
  const name = /** @type {HTMLElement} */ (strip.querySelector("b"));
  const change = diff == null ? "" : ` ${diff < 0 ? "−" : "+"}${Math.abs(diff)}`;
  const text = rating ? ` ${rating}${change}` : ` ${t("guest")}`;
  if (name.querySelector("em")?.textContent === text) return;
  // A long name is truncated at its end
  const [short, place] = [document.createElement("bdi"), document.createElement("em")];
  short.append(name.textContent ?? "");
  place.append(text);
  name.replaceChildren(short, place);
}

/** Open the dialog to block or report the opponent. @param {State} game */
function setUpPerson({ id, you }) {
  const button = document.getElementById("about");
  if (!button || you.length !== 1) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    /** @type {HTMLDialogElement} */ (byId("settings")).close();
    void (await import("./person.js")).open(id);
  });
}

let chatLoaded = false;

/** Call the chat module if the game has a chat. @param {(chat: typeof import("./chat.js")) => unknown} act */
async function chat(act) {
  if (!document.querySelector("#chat:not([hidden])")) return;
  chatLoaded = true;
  act(await import("./chat.js"));
}

/** Mark the chat if messages arrived while this page was closed. @param {string} game */
function markUnread(game) {
  const button = document.getElementById("chat");
  const { [game]: read = 0 } = recall("damka.said", /** @type {Record<string, number>} */ ({}));
  if (!button || !prefs.chat || Number(button.dataset.latest) <= read) return;
  button.classList.add("new");
  button.ariaLabel = button.dataset.new ?? null;
}

/** Format a time: "4:05", below ten seconds "0:09.3". @param {number} ms @param {boolean} low */
function timeText(ms, low) {
  if (ms >= 2 * DAY) return t("days", { d: Math.floor(ms / DAY), h: Math.floor((ms % DAY) / HOUR) });
  // Round up to whole seconds: a clock at 0:00 has run out
  const seconds = low ? Math.floor(ms / 100) / 10 : Math.ceil(ms / SECOND);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = low ? (seconds % 60).toFixed(1).padStart(4, "0") : two(seconds % 60);
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
