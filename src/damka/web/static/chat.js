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
 * @property {boolean} free free text is allowed, not only presets
 * @property {number} longest
 * @property {Preset[]} presets
 * @property {ChatLine[]} messages
 * @property {Record<string, string>} words
 */

const READ = "damka.said";
const MUTED = "damka.muted";
// Number of games and of people to remember
const MAX_ENTRIES = 60;

const { id: game } = embedded("state");
const path = `/api/games/${game}/chat`;
const button = byId("chat");

/** @type {Room | null} */
let room = null;
/** @type {ChatLine[]} */
let lines = [];
/** @type {HTMLDialogElement | null} */
let sheet = null;

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {object} [properties] @param {(Node | string)[]} children */
function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

/** @param {string} key @param {Record<string, string>} [values] */
function translate(key, values = {}) {
  const text = room?.words[`chat.page.${key}`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** @param {ChatLine} line */
const muted = ({ who }) => who in recall(MUTED, {});

/** Store an entry of a table, which retains only its newest entries. @param {string} key @param {string} name @param {unknown} value undefined: delete the entry */
function storeEntry(key, name, value) {
  const { [name]: _, ...others } = /** @type {Record<string, unknown>} */ (recall(key, {}));
  const entries = Object.entries(others).slice(-MAX_ENTRIES);
  remember(key, Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]));
}

/** Mark the button while there are unread messages. @param {boolean} on */
function markUnread(on) {
  button.classList.toggle("new", on);
  button.ariaLabel = on ? (button.dataset.new ?? null) : null;
}

function read() {
  const last = lines.at(-1)?.id;
  if (last) storeEntry(READ, game, last);
  markUnread(false);
}

/** Handle a message. @param {ChatLine} line */
export function receive(line) {
  if (lines.some(({ id }) => id === line.id)) return;
  lines.push(line);
  if (!prefs.chat || muted(line)) return;
  if (sheet?.open) {
    list();
    read();
  } else if (!line.mine) {
    markUnread(true);
    speak(`${line.name}: ${line.text}`);
  }
}

/** Reload the chat after a reconnection or the end of the game. */
export async function reload() {
  const lastRead = lines.at(-1)?.id ?? recall(READ, /** @type {Record<string, number>} */ ({}))[game] ?? 0;
  if (!(await load())) return;
  if (sheet?.open) return void show();
  if (prefs.chat && lines.some((line) => line.id > lastRead && !line.mine && !muted(line))) markUnread(true);
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
  const { ok, data } = await request(path);
  if (!ok) {
    speak(data?.message ?? "");
    return false;
  }
  room = data;
  // Messages that arrived while the answer was on its way are kept.
  const last = data.messages.at(-1)?.id ?? 0;
  lines = [...data.messages, ...lines.filter(({ id }) => id > last)];
  return true;
}

function build() {
  const href = new URL("./chat.css", import.meta.url).href;
  // The list cannot scroll to its end before the stylesheet gives it a height.
  const styles = element("link", { rel: "stylesheet", href, onload: list });
  document.head.append(styles);
  const dialog = element(
    "dialog",
    { id: "talk", ariaLabel: translate("title") },
    element(
      "header",
      {},
      element("h2", { textContent: translate("title") }),
      element("button", { type: "button", className: "icon", id: "talk-close", ariaLabel: translate("close"), textContent: "✕" }),
    ),
    element("p", { id: "talk-room" }),
    element("ol", { id: "lines", tabIndex: 0, ariaLabel: translate("title"), role: "log", ariaLive: "polite" }),
    element("div", { className: "presets", role: "group", ariaLabel: translate("presets") }),
    element(
      "form",
      { id: "talk-form", autocomplete: "off" },
      element("input", { type: "text", id: "talk-text", placeholder: translate("text"), ariaLabel: translate("text"), enterKeyHint: "send" }),
      element("button", { className: "button", textContent: translate("send") }),
    ),
    element("p", { className: "problem", role: "alert" }),
    element(
      "label",
      { className: "switch" },
      element("span", { textContent: translate("shown") }),
      element("input", { type: "checkbox", role: "switch", id: "talk-shown" }),
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
    if (!text) return;
    // Another press sends nothing, and what is typed meanwhile stays.
    field.value = "";
    if (!(await sendMessage({ text }))) field.value = `${text} ${field.value}`.trim();
  });
  dialog.querySelector(".presets")?.addEventListener("click", ({ target }) => {
    const { code } = /** @type {HTMLElement} */ (target).dataset;
    if (code) void sendMessage({ preset: code });
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

/** Messages are sent one after the other, which keeps their order. @type {Promise<unknown>} */
let sending = Promise.resolve();

/** @param {{text: string} | {preset: string}} message @returns {Promise<boolean>} whether it was sent */
function sendMessage(message) {
  const sent = sending.then(() => send(message));
  sending = sent.catch(() => {});
  return sent;
}

/** @param {{text: string} | {preset: string}} message @returns {Promise<boolean>} whether it was sent */
async function send(message) {
  const body = JSON.stringify({ room: room?.room, ...message });
  const { ok, data } = await request(path, { body, type: "application/json" });
  const problem = sheet?.querySelector(".problem");
  if (problem) problem.textContent = ok ? "" : (data?.message ?? translate("off"));
  if (ok) receive(data);
  // The game has ended, so the heading must name the new readers of the chat.
  else if (data?.error === "chat_room") await reload();
  return ok;
}

/** Show the chat state. */
function show() {
  if (!sheet || !room) return;
  const { free, longest, presets, over } = room;
  const audience = over ? "over" : room.room;
  byId("talk-room").textContent = translate(`room_${audience}`);
  byId("talk-form").hidden = !free;
  /** @type {HTMLInputElement} */ (byId("talk-text")).maxLength = longest;
  /** @type {HTMLInputElement} */ (byId("talk-shown")).checked = prefs.chat;
  const buttons = presets.map(({ code, text }) => {
    const each = element("button", { type: "button", textContent: text });
    each.dataset.code = code;
    return each;
  });
  sheet.querySelector(".presets")?.replaceChildren(...buttons);
  list();
}

function list() {
  const place = byId("lines");
  const visible = prefs.chat ? lines.filter((line) => !muted(line)) : [];
  const hidden = prefs.chat ? lines.filter(muted) : [];
  const entries = visible.map(entry);
  if (!visible.length) entries.push(element("li", { className: "none", textContent: translate(prefs.chat ? "empty" : "off") }));
  const names = new Map(hidden.map((line) => [line.who, line]));
  if (names.size) {
    entries.push(element("li", { className: "none" }, `${translate("muted")}: `, ...[...names.values()].map((line) => mute(line))));
  }
  const oldIds = new Set([...place.children].map((node) => /** @type {HTMLElement} */ (node).dataset.id));
  // Leave existing lines in place, so that screen readers announce only new ones
  const sameCount = entries.filter(({ dataset }) => dataset.id && oldIds.has(dataset.id)).length;
  const oldLines = [...place.children].filter((node) => /** @type {HTMLElement} */ (node).dataset.id);
  if (sameCount && sameCount === oldLines.length && names.size === 0 && !place.querySelector(".none")) {
    place.append(...entries.slice(sameCount));
  } else place.replaceChildren(...entries);
  place.scrollTop = place.scrollHeight;
}

/** @param {ChatLine} line */
function entry(line) {
  const { id, who, side, name, text, mine } = line;
  const content = element("bdi", { textContent: text });
  const li = element("li", { className: mine ? "mine" : "" });
  li.dataset.id = String(id);
  if (mine) li.append(element("b", { textContent: translate("you") }), " ", content);
  else {
    const person = element("button", { type: "button", className: "person", title: translate("more", { name }), ariaExpanded: "false" });
    person.append(element("bdi", { textContent: name }));
    person.addEventListener("click", () => more(li, person, line));
    li.append(person, " ", content);
  }
  li.dataset.who = who;
  if (side) li.dataset.side = side;
  return li;
}

/** Show the actions against a sender. @param {HTMLElement} li @param {HTMLElement} person @param {ChatLine} line */
function more(li, person, line) {
  const existing = li.querySelector(".more");
  person.ariaExpanded = String(!existing);
  if (existing) return existing.remove();
  const row = element("span", { className: "more" }, mute(line));
  const report = element("button", { type: "button", className: "button quiet", textContent: translate("report", { name: line.name }) });
  report.addEventListener("click", async () => (await import("./person.js")).open(game, line.id));
  row.append(report);
  li.append(row);
}

/** @param {ChatLine} line */
function mute(line) {
  const isMuted = muted(line);
  const label = translate(isMuted ? "unmute" : "mute", { name: line.name });
  const each = element("button", { type: "button", className: "button quiet", textContent: label });
  each.addEventListener("click", () => {
    storeEntry(MUTED, line.who, isMuted ? undefined : 1);
    list();
    byId("lines").focus();
  });
  return each;
}
