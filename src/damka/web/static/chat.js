/**
 * Chat of an online game, loaded when it is opened or when the first message arrives. Messages are
 * shown as plain text; the server sends presets in the reader's language.
 */

import { prefer, prefs, recall, remember } from "./prefs.js";
import { byId, speak } from "./status.js";
import { embedded, request } from "./transport.js";

/** @typedef {{code: string, text: string}} Preset */
/**
 * @typedef {object} Room chat state from the server
 * @property {"players" | "watchers"} room room this person writes to
 * @property {boolean} over the game is over
 * @property {boolean} free free texts are allowed, not only presets
 * @property {number} longest
 * @property {Preset[]} presets
 * @property {ChatLine[]} messages
 * @property {Record<string, string>} words
 */

const READ = "damka.said";
const MUTED = "damka.muted";
// Number of games and of people to remember
const KEPT = 60;

const { id: game } = embedded("state");
const path = `/api/games/${game}/chat`;
const button = byId("chat");

/** @type {Room | null} */
let room = null;
/** @type {ChatLine[]} */
let lines = [];
/** @type {HTMLDialogElement | null} */
let sheet = null;

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {object} [with_] @param {(Node | string)[]} children */
function make(tag, with_ = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, with_);
  node.append(...children);
  return node;
}

/** @param {string} key @param {Record<string, string>} [values] */
function word(key, values = {}) {
  const text = room?.words[`chat.page.${key}`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** @param {ChatLine} line */
const muted = ({ who }) => who in recall(MUTED, {});

/** Store an entry of a table, which retains only its newest entries. @param {string} key @param {string} name @param {unknown} value undefined: delete the entry */
function keep(key, name, value) {
  const { [name]: _, ...others } = /** @type {Record<string, unknown>} */ (recall(key, {}));
  const entries = Object.entries(others).slice(-KEPT);
  remember(key, Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]));
}

/** Mark the button while there are unread messages. @param {boolean} on */
function mark(on) {
  button.classList.toggle("new", on);
  button.ariaLabel = on ? (button.dataset.new ?? null) : null;
}

function read() {
  const last = lines.at(-1)?.id;
  if (last) keep(READ, game, last);
  mark(false);
}

/** Handle a message. @param {ChatLine} line */
export function hear(line) {
  if (lines.some(({ id }) => id === line.id)) return;
  lines.push(line);
  if (!prefs.chat || muted(line)) return;
  if (sheet?.open) {
    list();
    read();
  } else if (!line.mine) {
    mark(true);
    speak(`${line.name}: ${line.text}`);
  }
}

/** Reload the chat after a reconnection or the end of the game. */
export async function again() {
  const before = lines.at(-1)?.id ?? recall(READ, /** @type {Record<string, number>} */ ({}))[game] ?? 0;
  if (!(await load())) return;
  if (sheet?.open) return void show();
  if (prefs.chat && lines.some((line) => line.id > before && !line.mine && !muted(line))) mark(true);
}

export async function open() {
  if (sheet?.open) return close();
  if (!(await load())) return;
  sheet ??= build();
  show();
  sheet.show();
  button.ariaExpanded = "true";
  list();
  /** @type {HTMLElement | null} */ (sheet.querySelector(".presets button"))?.focus();
  if (prefs.chat) read();
}

function close() {
  sheet?.close();
  button.ariaExpanded = "false";
  button.focus();
}

/** @returns {Promise<boolean>} whether the server answered */
async function load() {
  const { ok, told } = await request(path);
  if (!ok) {
    speak(told?.message ?? "");
    return false;
  }
  room = told;
  lines = told.messages;
  return true;
}

function build() {
  const href = new URL("./chat.css", import.meta.url).href;
  // The list has a height, and can be scrolled to its end, only from here on
  const styles = make("link", { rel: "stylesheet", href, onload: list });
  document.head.append(styles);
  const dialog = make(
    "dialog",
    { id: "talk", ariaLabel: word("title") },
    make(
      "header",
      {},
      make("h2", { textContent: word("title") }),
      make("button", { type: "button", className: "icon", id: "talk-close", ariaLabel: word("close"), textContent: "✕" }),
    ),
    make("p", { id: "talk-room" }),
    make("ol", { id: "lines", tabIndex: 0, ariaLabel: word("title"), role: "log", ariaLive: "polite" }),
    make("div", { className: "presets", role: "group", ariaLabel: word("presets") }),
    make(
      "form",
      { id: "talk-form", autocomplete: "off" },
      make("input", { type: "text", id: "talk-text", placeholder: word("text"), ariaLabel: word("text"), enterKeyHint: "send" }),
      make("button", { className: "button", textContent: word("send") }),
    ),
    make("p", { className: "problem", role: "alert" }),
    make(
      "label",
      { className: "switch" },
      make("span", { textContent: word("shown") }),
      make("input", { type: "checkbox", role: "switch", id: "talk-shown" }),
    ),
  );
  byId("moves").parentElement?.append(dialog);
  const find = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (dialog.querySelector(`#${id}`));
  find("talk-close").addEventListener("click", close);
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  find("talk-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = find("talk-text");
    const text = field.value.trim();
    if (text && (await say({ text }))) field.value = "";
  });
  dialog.querySelector(".presets")?.addEventListener("click", ({ target }) => {
    const { code } = /** @type {HTMLElement} */ (target).dataset;
    if (code) void say({ preset: code });
  });
  const shown = find("talk-shown");
  shown.dataset.pref = "chat";
  shown.addEventListener("change", () => {
    prefer("chat", shown.checked);
    show();
    if (prefs.chat) read();
  });
  return dialog;
}

/** @param {{text: string} | {preset: string}} what @returns {Promise<boolean>} whether it was sent */
async function say(what) {
  const body = JSON.stringify({ room: room?.room, ...what });
  const { ok, told } = await request(path, { body, type: "application/json" });
  const problem = sheet?.querySelector(".problem");
  if (problem) problem.textContent = ok ? "" : (told?.message ?? word("off"));
  if (ok) hear(told);
  // The game has ended meanwhile; the heading says who reads the chat now
  else if (told?.error === "chat_room") await again();
  return ok;
}

/** Show the chat state. */
function show() {
  if (!sheet || !room) return;
  const { free, longest, presets, over } = room;
  const who = over ? "over" : room.room;
  byId("talk-room").textContent = word(`room_${who}`);
  byId("talk-form").hidden = !free;
  /** @type {HTMLInputElement} */ (byId("talk-text")).maxLength = longest;
  /** @type {HTMLInputElement} */ (byId("talk-shown")).checked = prefs.chat;
  const offered = presets.map(({ code, text }) => {
    const each = make("button", { type: "button", textContent: text });
    each.dataset.code = code;
    return each;
  });
  sheet.querySelector(".presets")?.replaceChildren(...offered);
  list();
}

function list() {
  const place = byId("lines");
  const shown = prefs.chat ? lines.filter((line) => !muted(line)) : [];
  const silent = prefs.chat ? lines.filter(muted) : [];
  const entries = shown.map(entry);
  if (!shown.length) entries.push(make("li", { className: "none", textContent: word(prefs.chat ? "empty" : "off") }));
  const names = new Map(silent.map((line) => [line.who, line]));
  if (names.size) {
    entries.push(make("li", { className: "none" }, `${word("muted")}: `, ...[...names.values()].map((line) => mute(line))));
  }
  const old = new Set([...place.children].map((node) => /** @type {HTMLElement} */ (node).dataset.id));
  // Leave existing lines in place, so that screen readers announce only new ones
  const same = entries.filter(({ dataset }) => dataset.id && old.has(dataset.id)).length;
  const kept = [...place.children].filter((node) => /** @type {HTMLElement} */ (node).dataset.id);
  if (same && same === kept.length && names.size === 0 && !place.querySelector(".none")) {
    place.append(...entries.slice(same));
  } else place.replaceChildren(...entries);
  place.scrollTop = place.scrollHeight;
}

/** @param {ChatLine} line */
function entry(line) {
  const { id, who, side, name, text, mine } = line;
  const said = make("bdi", { textContent: text });
  const li = make("li", { className: mine ? "mine" : "" });
  li.dataset.id = String(id);
  if (mine) li.append(make("b", { textContent: word("you") }), " ", said);
  else {
    const person = make("button", { type: "button", className: "person", title: word("more", { name }), ariaExpanded: "false" });
    person.append(make("bdi", { textContent: name }));
    person.addEventListener("click", () => more(li, person, line));
    li.append(person, " ", said);
  }
  li.dataset.who = who;
  if (side) li.dataset.side = side;
  return li;
}

/** Show the actions against a sender. @param {HTMLElement} li @param {HTMLElement} person @param {ChatLine} line */
function more(li, person, line) {
  const there = li.querySelector(".more");
  person.ariaExpanded = String(!there);
  if (there) return there.remove();
  const row = make("span", { className: "more" }, mute(line));
  const report = make("button", { type: "button", className: "button quiet", textContent: word("report", { name: line.name }) });
  report.addEventListener("click", async () => (await import("./person.js")).open(game, line.id));
  row.append(report);
  li.append(row);
}

/** @param {ChatLine} line */
function mute(line) {
  const off = muted(line);
  const label = word(off ? "unmute" : "mute", { name: line.name });
  const each = make("button", { type: "button", className: "button quiet", textContent: label });
  each.addEventListener("click", () => {
    keep(MUTED, line.who, off ? undefined : 1);
    list();
    byId("lines").focus();
  });
  return each;
}
