/**
 * How the page talks to what plays with it: here a worker in the same browser, which holds Python and
 * the kernel. It has the functions of the server's transport.js, and stands in its place.
 *
 * The worker takes a moment to start. So that a board is there at once, the page shows what it last
 * showed of the game, or the start of a new one.
 */

import { href } from "./addresses.js";
import { notice } from "./notice.js";
import { keepOffline } from "./offline.js";
import * as store from "./store.js";

export { href };

const root = document.documentElement;
const language = root.lang;
const RUNNING = 3;

/** @typedef {{id?: number, status: number, text?: string, type?: string, name?: string, wrong?: string}} Answered */

/** What the page begins with, in place of what is embedded in it. @type {Map<string, unknown>} */
const begins = new Map();

/** @param {string} id */
export const embedded = (id) =>
  begins.has(id) ? begins.get(id) : JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {{words: Record<string, string> & {update: string, update_now: string}}} */
const { words } = embedded("site");

// The worker

/** @type {Worker | null} */
let worker = null;
let asked = 0;
/** @type {Map<number, (answered: Answered) => void>} */
const waiting = new Map();
/** @type {(message: any) => void} */
let heard = () => {};

function started() {
  if (worker) return worker;
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.frame) heard(JSON.parse(data.frame));
    else if (data.failed) failed(data.failed);
    else waiting.get(data.id)?.(data);
  };
  worker.onerror = (event) => failed(event.message);
  return worker;
}

/** Settles when the worker runs, or cannot; at once on a page that has not asked for it. */
async function running() {
  if (worker) await ask({ what: "ready" });
}

/** @param {string} why */
function failed(why) {
  console.warn(why);
  notice(words.failed);
  for (const tell of waiting.values()) tell({ status: 500 });
}

/** @param {Record<string, unknown>} message @returns {Promise<Answered>} */
function ask(message) {
  const id = ++asked;
  started().postMessage({ ...message, id, language });
  return new Promise((done) => {
    waiting.set(id, (answered) => {
      waiting.delete(id);
      if (answered.wrong) console.warn(answered.wrong);
      done(answered);
    });
  });
}

// What the page asks

/** @param {string} path */
export const visit = (path) => location.assign(href(path));

/** @param {HTMLImageElement} image @param {string} path */
export async function draw(image, path) {
  const there = href(path);
  if (there !== path) image.src = there;
  else {
    const { text, status } = await ask({ what: "request", path });
    if (status === 200) image.src = `data:image/svg+xml,${encodeURIComponent(text ?? "")}`;
  }
}

/**
 * @param {string} path
 * @param {{body: string | Blob, type: string}} [sent]
 * @returns {Promise<{ok: boolean, told: any}>}
 */
export async function request(path, sent) {
  const soon = path === "/api/games" && sent && newGame(String(sent.body));
  if (soon) return { ok: true, told: soon };
  const { status, text } = await ask({ what: "request", path, body: sent && new Blob([sent.body]), type: sent?.type });
  const told = text ? JSON.parse(text) : null;
  return { ok: status < 300 && Boolean(told), told };
}

/** A new game by shipped rules is made by its own page, which shows the board meanwhile. @param {string} body */
function newGame(body) {
  const { rules, names, ...options } = JSON.parse(body);
  if (typeof rules !== "string") return null;
  const query = new URLSearchParams({ rules });
  for (const [name, value] of Object.entries(options)) if (value != null) query.set(name, String(value));
  for (const name of names ?? []) query.append("name", name);
  return { url: `/game/-?${query}`, lot: { drawn: options.colour === "lot" && options.opponent === "computer" } };
}

/** @param {URLSearchParams} query @returns {string} the request for the game that it describes */
function wanted(query) {
  const { name, level, ...options } = Object.fromEntries(query);
  const names = name === undefined ? undefined : query.getAll("name");
  return JSON.stringify({ ...options, level: level && Number(level), names });
}

/** @param {HTMLSelectElement} languages */
export function speak({ value }) {
  try {
    localStorage.setItem("damka.language", value);
  } catch {
    // Without storage the browser's language is taken the next time.
  }
  const { up = "", here = "" } = root.dataset;
  location.assign(`${up}../${value}/${here}${location.search}`);
}

/** @param {string} theme */
export function keepTheme(theme) {
  try {
    localStorage.setItem("damka.theme", theme);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** @param {string} id */
export const dismiss = (id) => store.putAway(id);

/**
 * @param {string} id "" for the new game that the address describes
 * @param {string} _language
 * @param {import("./live.js").Handlers} handlers
 */
export function join(id, _language, handlers) {
  let up = false;
  /** What was asked for before the game was open, but moves, which are sent again. @type {object[]} */
  const early = [];
  const post = (/** @type {object} */ message) => started().postMessage({ what: "message", frame: JSON.stringify(message) });
  heard = handlers.message;
  setTimeout(() => up || handlers.down());

  async function open() {
    const { status } = await ask({ what: "join", game: id });
    if (status !== 200) return handlers.gone();
    up = true;
    handlers.up();
    early.splice(0).forEach(post);
  }

  async function begin() {
    if (!id) {
      const body = wanted(new URLSearchParams(location.search));
      const made = await ask({ what: "request", path: "/api/games", body: new Blob([body]) });
      const told = JSON.parse(made.text ?? "{}");
      if (made.status !== 201) return notice(told.message ?? words.failed);
      id = told.id;
      history.replaceState(null, "", `${href(`/game/${id}`)}${location.hash}`);
    }
    await alone(id, open);
  }
  void begin();
  return {
    /** @param {{t?: string}} message */
    send(message) {
      if (up) post(message);
      else if (message.t !== "move") early.push(message);
      return up || message.t !== "move";
    },
  };
}

/**
 * Do something while no other window has the game open, and keep it so until this page ends.
 * @param {string} id
 * @param {() => Promise<void>} act
 */
async function alone(id, act) {
  const held = () => new Promise(() => void act());
  if (!navigator.locks) return act();
  const name = `damka-game-${id}`;
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock) return held();
    notice(words.other_window);
    return void navigator.locks.request(name, () => {
      notice("");
      return held();
    });
  });
}

// What the page shows at the beginning

/** @param {string} selector @param {string} text */
function write(selector, text) {
  const place = document.querySelector(selector);
  if (place) place.textContent = text;
}

async function prepareGame() {
  const query = new URLSearchParams(location.search);
  const game = query.get("game");
  const rules = query.get("rules") ?? "";
  let shown = null;
  if (game) {
    shown = await store.lastShown(game).catch(() => null);
    if (shown?.page.lang !== language) {
      // Told anew, in this language.
      await ask({ what: "join", game });
      shown = await store.lastShown(game).catch(() => null);
    }
  } else if (/^[a-z0-9-]+$/.test(rules)) {
    const answer = await fetch(`${root.dataset.up ?? ""}start/${rules}.json`).catch(() => null);
    shown = answer?.ok ? await answer.json() : null;
  }
  if (!shown) {
    location.replace(href("/"));
    return new Promise(() => {});
  }
  started();
  begins.set("page", { ...embedded("page"), ...shown.page });
  begins.set("state", shown.state);
  document.title = `${shown.title} · Damka`;
  write(".where", shown.title);
  write("h1", shown.title);
  document.body.classList.toggle("broad", shown.broad);
  const link = document.querySelector("a[data-rules]");
  if (link) link.setAttribute("href", href(shown.rules_url));
}

/** Show what the worker makes of a page. @param {string} path */
async function preparePage(path) {
  document.body.classList.add("starting");
  const { status, text = "" } = await ask({ what: "request", path });
  document.body.classList.remove("starting");
  if (status !== 200) {
    const told = text && JSON.parse(text);
    notice(told?.message ?? words.failed);
    return;
  }
  const made = new DOMParser().parseFromString(text, "text/html");
  document.title = made.title;
  write(".where", made.querySelector(".where")?.textContent ?? "");
  document.querySelector("main")?.replaceWith(/** @type {Element} */ (made.querySelector("main")));
  const now = made.getElementById("box-now");
  if (now) begins.set("box-now", JSON.parse(now.textContent ?? "null"));
}

/** Offer the games that are not over. */
async function listRunning() {
  const games = await store.running(RUNNING).catch(() => []);
  if (!games.length) return;
  const section = document.createElement("section");
  section.className = "running";
  section.setAttribute("aria-label", words.running);
  for (const [i, { id, card, page, rules_url: rules }] of games.entries()) {
    const entry = document.createElement("div");
    entry.className = "run";
    // The drawing is the worker's own; everything else is text.
    entry.innerHTML = `<a><span class="pic">${card.svg}</span><span><b></b><small></small><small></small></span><span class="button"></span></a><button type="button" class="icon" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>`;
    const [link, away] = entry.children;
    link.setAttribute("href", href(`/game/${id}`));
    const [title, opponent, sentence] = link.querySelectorAll("b, small");
    // Shipped rules are named in this page's language.
    const shipped = /^\/rules\/([a-z0-9-]+)/.exec(rules)?.[1];
    const named = shipped ? document.getElementById(`card-${shipped}`)?.dataset.title : undefined;
    title.textContent = named ?? card.title;
    const known = page.lang === language;
    opponent.textContent = known ? card.opponent : "";
    sentence.textContent = known ? card.sentence : "";
    const go = /** @type {Element} */ (link.lastElementChild);
    go.textContent = words.continue;
    go.classList.toggle("quiet", i > 0);
    away.setAttribute("data-dismiss", id);
    away.setAttribute("aria-label", words.put_away);
    away.setAttribute("title", words.put_away);
    section.append(entry);
  }
  document.querySelector("main")?.prepend(section);
}

// Files come from the worker.
document.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[download]");
  if (!link) return;
  event.preventDefault();
  const game = new URLSearchParams(location.search).get("game") ?? "-";
  const path = (link.getAttribute("href") ?? "").replace("/games/-/", `/games/${game}/`);
  const { status, text = "", type, name = "" } = await ask({ what: "request", path });
  if (status !== 200) return notice(text ? JSON.parse(text).message : words.failed);
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([text], { type }));
  file.setAttribute("download", name);
  // Not for this listener.
  file.addEventListener("click", (click) => click.stopPropagation());
  document.body.append(file);
  file.click();
  file.remove();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
});

const { page: kind } = root.dataset;
const { search } = location;
const playing = new URLSearchParams(search).get("game");
if (kind === "game") await prepareGame();
else if (kind === "choose") await listRunning();
else if (kind === "box" && search) await preparePage(`/box${search}`);
else if (kind === "house") await preparePage(`/game/${playing}/rules`);
else if (kind === "rules" && playing) {
  const back = document.querySelector("p.back");
  back?.removeAttribute("hidden");
  back?.querySelector("a")?.setAttribute("href", href(`/game/${playing}`));
}
/** When the page has what it needs; then the rest of the site is kept for times without a network. */
const settled = new Promise((done) => {
  if (document.readyState === "complete") done(null);
  else addEventListener("load", done);
});
void Promise.all([settled, running()]).then(() =>
  setTimeout(() => void keepOffline(words).catch(() => {}), 500),
);
