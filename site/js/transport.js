/**
 * Transport between the page and its backend: here a worker in the same browser with Python and the
 * kernel. It replaces the server's transport.js, with the same interface.
 *
 * The worker takes a moment to start. To show a board at once, the page shows its last state of the
 * game, or the new game that its address describes. A move made meanwhile is stored, survives a
 * reload, and is sent when the game is open.
 */

import { href } from "./addresses.js";
import { drawLot, initialState } from "./fresh.js";
import { deleteHandledMove, deleteMove, savedMove, saveMove } from "./saved_move.js";
import { notice, trouble } from "./notice.js";
import { keepOffline, repair } from "./offline.js";
import { Progress } from "./progress.js";
import * as store from "./store.js";
import { start } from "./watch.js";

export { href };

const root = document.documentElement;
// The page already says that this browser is too old.
if ("old" in root.dataset) await new Promise(() => {});
const language = root.lang;
const RUNNING = 3;

/** @typedef {{id?: number, status: number, text?: string, type?: string, name?: string, wrong?: string}} Answered */

/** Initial data of the page, in place of embedded data. @type {Map<string, unknown>} */
const pageData = new Map();

/** @param {string} id */
export const embedded = (id) =>
  pageData.has(id) ? pageData.get(id) : JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {{words: Record<string, string> & {update: string, update_now: string, later: string, amount: string}}} */
const { words } = embedded("site");

// The worker

/** Number of successive worker crashes before the page gives up. */
const MAX_CRASHES = 3;
/** Fragment of addresses that open another window with a copy of the game. */
const CARRIED_HASH = "#carried=";

/** @type {Worker | null} */
let worker = null;
/** Number of crashes since a worker last answered. */
let crashes = 0;
let lastId = 0;
/** @type {Map<number, {message: object, reply: (answered: Answered) => void}>} */
const waiting = new Map();
/** @type {(message: any) => void} */
let onFrame = () => {};
/** Reopens the open game in a new worker. */
let reopenGame = () => {};
/** Handles a worker that has stopped for good, or a game that is open elsewhere. */
let stopPage = () => {};
/** The window's game, when this browser does not store it. */
let carriedGame = "";
/** Hints for the worker: whether the game needs searches, and the weights of the first one. @typedef {{searches: boolean, weights: string | null}} SearchHints */
/** @type {(searches: SearchHints) => void} */
let resolveHints = () => {};
/** @type {Promise<SearchHints>} */
const hints = new Promise((done) => (resolveHints = done));
/** Progress of the worker's downloads. */
const progress = new Progress(words.amount, language);

function startWorker() {
  if (worker) return worker;
  const current = start(new URL("./worker.js", import.meta.url), () => current === worker && restartWorker());
  worker = current;
  current.addEventListener("message", ({ data }) => {
    if (current !== worker || data.holds) return;
    if (data.frame) onFrame(JSON.parse(data.frame));
    else if (data.loaded) progress.show(data.loaded);
    else if (data.failed) void onWorkerFailure(data.failed);
    else if (data.search) void onSearchFailure(data.search);
    else waiting.get(data.id)?.reply(data);
  });
  current.onerror = (event) => current === worker && onWorkerFailure(event.message);
  void hints.then((searches) => current.postMessage({ what: "begin", language, ...searches }));
  if (carriedGame) current.postMessage({ what: "carry", text: carriedGame });
  return current;
}

/** Settles after the first answer, or when the worker cannot run; at once on a page without requests. */
async function whenReady() {
  if (worker) await send({ what: "settled" });
}

/** Replace a crashed worker and repeat the requests. */
function restartWorker() {
  stopWorker();
  if (++crashes > MAX_CRASHES) return void onWorkerFailure("the worker ends again and again");
  console.info("the worker has ended; another one starts");
  for (const { message } of waiting.values()) startWorker().postMessage(message);
  reopenGame();
}

function stopWorker() {
  worker?.terminate();
  worker = null;
}

/** Handle a worker that cannot start. @param {string} reason */
async function onWorkerFailure(reason) {
  console.warn(reason);
  stopWorker();
  const { mended, lost } = await repair();
  // If nothing was damaged, a download may have been cut off, as when the browser ends the service
  // worker.
  if (!lost && (mended ? crashes <= MAX_CRASHES : !crashes)) return restartWorker();
  const reload = { label: words.reload, act: () => location.reload() };
  notice("worker", lost ? words.damaged : words.failed, reload);
  write(".lost", words.stopped);
  stopPage();
  for (const { reply } of waiting.values()) reply({ status: 500 });
}

/** Handle a search that failed twice. @param {string} reason */
async function onSearchFailure(reason) {
  console.warn(reason);
  const { mended, lost } = await repair();
  if (lost) notice("worker", words.damaged);
  else if (mended) restartWorker();
}

/** @param {Record<string, unknown>} message @returns {Promise<Answered>} */
function send(message) {
  const id = ++lastId;
  const full = { ...message, id, language };
  startWorker().postMessage(full);
  return new Promise((done) => {
    const reply = (/** @type {Answered} */ answer) => {
      waiting.delete(id);
      if (answer.status !== 500) crashes = 0;
      if (answer.wrong) console.warn(answer.wrong);
      done(answer);
    };
    waiting.set(id, { message: full, reply });
  });
}

/** Return the error of an answer. @param {Answered} answer @returns {{error?: string, message: string}} */
function errorOf({ text }) {
  const body = text ? JSON.parse(text) : {};
  return { message: words.failed, ...body };
}

// Requests of the page

/** @param {string} path */
export const visit = (path) => location.assign(href(path));

/** @param {HTMLImageElement} image @param {string} path */
export async function draw(image, path) {
  const address = href(path);
  if (address !== path) image.src = address;
  else {
    const { text, status } = await send({ what: "request", path });
    if (status === 200) image.src = `data:image/svg+xml,${encodeURIComponent(text ?? "")}`;
  }
}

/**
 * @param {string} path
 * @param {{body: string | Blob, type: string}} [content]
 * @returns {Promise<{ok: boolean, data: any}>}
 */
export async function request(path, content) {
  const created = path === "/api/games" && content && newGame(String(content.body));
  if (created) return { ok: true, data: created };
  const answer = await send({ what: "request", path, body: content && new Blob([content.body]), type: content?.type });
  const { status, text } = answer;
  if (!text) return { ok: false, data: errorOf(answer) };
  const data = JSON.parse(text);
  if (status === 201) data.url += await carriedHash(data.id);
  return { ok: status < 300, data };
}

/** Return the part of an address that passes a game to the next page; "" if the browser stores it. @param {string} id */
async function carriedHash(id) {
  if (await store.isPersistent()) return "";
  const { text } = await send({ what: "carried", game: id });
  return text ? CARRIED_HASH + encodeURIComponent(text) : "";
}

/** Open the page of a new game. With shipped rules that page creates the game, and shows the board meanwhile. @param {string} body */
function newGame(body) {
  const { rules, names, ...options } = JSON.parse(body);
  if (typeof rules !== "string") return null;
  const query = new URLSearchParams({ rules });
  for (const [name, value] of Object.entries(options)) if (value != null) query.set(name, String(value));
  for (const name of names ?? []) query.append("name", name);
  return { url: `/game/-?${query}`, lot: { drawn: options.colour === "lot" && options.opponent === "computer" } };
}

/** @param {URLSearchParams} query @returns {string} the request for the game that it describes */
function newGameRequest(query) {
  const { name, level, ...options } = Object.fromEntries(query);
  const names = name === undefined ? undefined : query.getAll("name");
  return JSON.stringify({ ...options, level: level && Number(level), names });
}

/** @param {HTMLSelectElement} languages */
export async function changeLanguage({ value }) {
  try {
    localStorage.setItem("damka.language", value);
  } catch {
    // Without storage the next visit uses the browser's language.
  }
  const { up = "", here = "" } = root.dataset;
  const game = new URLSearchParams(location.search).get("game");
  location.assign(`${up}../${value}/${here}${location.search}${game ? await carriedHash(game) : ""}`);
}

/** @param {string} theme */
export function saveTheme(theme) {
  try {
    localStorage.setItem("damka.theme", theme);
  } catch {
    // Without storage the theme lasts as long as the page.
  }
}

/** @param {string} id */
export const dismiss = (id) => store.hideGame(id);

/**
 * @param {string} id "" for the new game that the address describes
 * @param {string} _language
 * @param {import("./live.js").Handlers} handlers
 */
export function join(id, _language, handlers) {
  let up = false;
  /** Messages sent before the game was open, except moves, which are sent again. @type {{t?: string}[]} */
  let queued = [];
  const postFrame = (/** @type {object} */ message) => startWorker().postMessage({ what: "message", frame: JSON.stringify(message) });
  /** @type {State} */
  const first = embedded("state");
  const isLocal = Object.values(first.players).every(({ kind }) => kind !== "computer");
  /** Show that the game is not open yet, with the progress. */
  const showStarting = () => handlers.starting?.(words.move_saved, progress.after(isLocal ? words.starting : words.getting_ready));
  onFrame = (message) => {
    deleteHandledMove(message);
    handlers.message(message);
  };
  stopPage = handlers.down;
  setTimeout(() => {
    if (up) return;
    progress.watch(() => up || showStarting());
    showStarting();
    // Repeat the move made before a reload, if it is still legal.
    const move = savedMove(first);
    if (move) handlers.message(/** @type {any} */ ({ t: "chosen", move, route: move.route, legs: 0 }));
  });
  reopenGame = () => {
    if (!up) return;
    up = false;
    void open();
  };

  async function open() {
    showStarting();
    const answer = await send({ what: "join", game: id });
    if (answer.status !== 200) return showCannotOpen(id, answer);
    up = true;
    handlers.up();
    queued.splice(0).forEach(postFrame);
  }

  /** Close the game, which is open in another window now. */
  function leaveGame() {
    up = false;
    handlers.down();
    stopWorker();
  }

  async function begin() {
    if (!id) {
      const body = newGameRequest(new URLSearchParams(location.search));
      const created = await send({ what: "request", path: "/api/games", body: new Blob([body]) });
      if (created.status !== 201) {
        deleteMove();
        return showCannotOpen("", created);
      }
      ({ id } = JSON.parse(created.text ?? "{}"));
      const move = savedMove(first);
      history.replaceState(null, "", `${href(`/game/${id}`)}${location.hash}`);
      if (move) saveMove(first.ply, move.hub);
    }
    await withLock(id, open, leaveGame);
  }
  void begin();
  return {
    /** @param {{t?: string, ply?: number, move?: string}} message */
    send(message) {
      if (up) postFrame(message);
      else if (message.t === "move") saveMove(Number(message.ply), String(message.move));
      // Explain the latest of several attempts.
      else queued = [...queued.filter(({ t }) => t !== "why" || message.t !== "why"), message];
      return up || message.t !== "move";
    },
  };
}

/**
 * Run a function under the game's lock, and hold the lock until this page ends or another window
 * takes the game over.
 * @param {string} id
 * @param {() => Promise<void>} act
 * @param {() => void} leave
 */
async function withLock(id, act, leave) {
  if (!navigator.locks) return act();
  const name = `damka-game-${id}`;
  const hold = () => {
    notice("window", "");
    return new Promise(() => void act());
  };
  /** @param {LockOptions} options @param {LockGrantedCallback<void>} granted */
  const lock = (options, granted) =>
    navigator.locks.request(name, options, granted).catch((error) => {
      // Another window has taken the game over.
      if (error.name !== "AbortError") throw error;
      leave();
      void wait();
    });
  const wait = () => {
    write(".lost", words.elsewhere);
    stopPage();
    let isStolen = false;
    notice("window", words.other_window, {
      label: words.play_here,
      act: () => {
        isStolen = true;
        void lock({ steal: true }, hold);
      },
    });
    // The other window was closed or has crashed.
    return lock({}, () => (isStolen ? undefined : hold()));
  };
  await lock({ ifAvailable: true }, (free) => (free ? hold() : void wait()));
}

/** Show why a game cannot be opened, in place of the game. @param {string} id @param {Answered} answered */
function showCannotOpen(id, answered) {
  const { error, message } = errorOf(answered);
  const home = { label: words.start_page, act: () => visit("/") };
  const reload = { label: words.reload, act: () => location.reload() };
  const keep = { label: words.keep_file, act: () => void saveDamaged(id) };
  if (error === "unknown_game") trouble(message, words.no_game, home);
  else if (error === "bad_game") trouble(message, words.not_deleted, keep, home);
  else if (error === "newer_game") trouble(message, words.not_deleted, reload, keep, home);
  else if (error) trouble(message, "", home);
}

/** @param {string} id */
async function saveDamaged(id) {
  saveFile(await store.exportGame(id), "application/json", `damka-damaged-${id}.json`);
}

// Start of the page

/** @param {string} selector @param {string} text */
function write(selector, text) {
  const place = document.querySelector(selector);
  if (place) place.textContent = text;
}

async function prepareGame() {
  const query = new URLSearchParams(location.search);
  const game = query.get("game");
  const rules = query.get("rules") ?? "";
  let shownState = null;
  if (game) {
    shownState = await store.lastShown(game).catch(() => null);
    if (shownState?.page?.lang !== language) shownState = await fetchState(game);
  } else if (/^[a-z0-9-]+$/.test(rules)) {
    startWorker();
    const startData = await fetchStart(rules);
    if (drawLot(query)) history.replaceState(null, "", `?${query}${location.hash}`);
    shownState = startData && { ...startData, state: initialState(startData, query) };
  }
  if (!shownState) {
    if (!game) location.replace(href("/"));
    return new Promise(() => {});
  }
  const searches = Object.values(shownState.state.players).some(({ kind }) => kind === "computer");
  resolveHints({ searches, weights: searches ? (shownState.weights ?? null) : null });
  startWorker();
  pageData.set("page", { ...shownState.page, ...embedded("page") });
  pageData.set("state", shownState.state);
  document.title = `${shownState.title} · Damka`;
  write(".where", shownState.title);
  write("h1", shownState.title);
  document.body.classList.toggle("broad", shownState.broad);
  const link = document.querySelector("a[data-rules]");
  if (link) link.setAttribute("href", href(shownState.rules_url));
}

/** Fetch the start of a game by shipped rules; null for unknown rules. Retries an interrupted download. @param {string} rules */
async function fetchStart(rules) {
  const fetched = async () => {
    const answer = await fetch(`${root.dataset.up ?? ""}start/${rules}.json`);
    return answer.ok ? answer.json() : null;
  };
  return fetched().catch(fetched).catch(() => null);
}

/** Request the state of a game that has no stored state, or one in another language. @param {string} game */
async function fetchState(game) {
  resolveHints({ searches: false, weights: null });
  const answered = await askForPage(`/api/games/${encodeURIComponent(game)}/shown`);
  if (answered.status === 200) return JSON.parse(answered.text ?? "null");
  showCannotOpen(game, answered);
  return null;
}

/** Let the worker render the page, and show the progress meanwhile. @param {string} path */
async function askForPage(path) {
  document.body.classList.add("starting");
  const say = () => write(".site-starting", progress.after(words.starting));
  progress.watch(say);
  say();
  const answered = await send({ what: "request", path });
  document.body.classList.remove("starting");
  return answered;
}

/** Show a page rendered by the worker. @param {string} path */
async function preparePage(path) {
  const answered = await askForPage(path);
  const { status, text = "" } = answered;
  if (status !== 200) {
    if (text) trouble(errorOf(answered).message, "", { label: words.start_page, act: () => visit("/") });
    return new Promise(() => {});
  }
  const rendered = new DOMParser().parseFromString(text, "text/html");
  document.title = rendered.title;
  write(".where", rendered.querySelector(".where")?.textContent ?? "");
  document.querySelector("main")?.replaceWith(/** @type {Element} */ (rendered.querySelector("main")));
  const now = rendered.getElementById("box-now");
  if (now) pageData.set("box-now", JSON.parse(now.textContent ?? "null"));
}

/** List the unfinished games. */
async function listRunning() {
  const games = await store.running(RUNNING).catch(() => []);
  if (!games.length) return;
  const section = document.createElement("section");
  section.className = "running";
  section.setAttribute("aria-label", words.running);
  for (const [i, { id, updated, shown }] of games.entries()) {
    const entry = document.createElement("div");
    entry.className = "run";
    entry.innerHTML = `<a><span class="pic"></span><span><b></b><small></small><small></small></span><span class="button"></span></a><button type="button" class="icon" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>`;
    const [link, dismissButton] = entry.children;
    link.setAttribute("href", href(`/game/${id}`));
    const [title, opponent, sentence] = link.querySelectorAll("b, small");
    title.textContent = words.a_game;
    opponent.textContent = new Date(updated).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    if (shown?.card) {
      const { card, page, rules_url: rules } = shown;
      // Only the drawing is HTML, from the worker; everything else is text.
      const picture = new DOMParser().parseFromString(String(card.svg), "image/svg+xml").documentElement;
      if (picture.localName === "svg") link.firstElementChild?.append(picture);
      // Name shipped rules in this page's language.
      const shipped = /^\/rules\/([a-z0-9-]+)/.exec(rules)?.[1];
      const shippedTitle = shipped ? document.getElementById(`card-${shipped}`)?.dataset.title : undefined;
      title.textContent = shippedTitle ?? card.title;
      const sameLanguage = page?.lang === language;
      opponent.textContent = sameLanguage ? card.opponent : "";
      sentence.textContent = sameLanguage ? card.sentence : "";
    }
    const go = /** @type {Element} */ (link.lastElementChild);
    go.textContent = words.continue;
    go.classList.toggle("quiet", i > 0);
    dismissButton.setAttribute("data-dismiss", id);
    dismissButton.setAttribute("aria-label", words.put_away);
    dismissButton.setAttribute("title", words.put_away);
    section.append(entry);
  }
  document.querySelector("main")?.prepend(section);
}

// The worker creates the files.
document.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[download]");
  if (!link) return;
  event.preventDefault();
  const game = new URLSearchParams(location.search).get("game") ?? "-";
  const path = (link.getAttribute("href") ?? "").replace("/games/-/", `/games/${game}/`);
  const { status, text = "", type, name = "" } = await send({ what: "request", path });
  if (status !== 200) return notice("file", text ? JSON.parse(text).message : words.failed);
  saveFile(text, type ?? "", name);
});

/** @param {string} text @param {string} type @param {string} name */
function saveFile(text, type, name) {
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([text], { type }));
  file.setAttribute("download", name);
  // Hide the click from the listener of file links.
  file.addEventListener("click", (click) => click.stopPropagation());
  document.body.append(file);
  file.click();
  file.remove();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

if (location.hash.startsWith(CARRIED_HASH)) {
  const [text, anchor] = location.hash.slice(CARRIED_HASH.length).split("#");
  carriedGame = decodeURIComponent(text);
  history.replaceState(null, "", `${location.pathname}${location.search}${anchor ? `#${anchor}` : ""}`);
}
const { page: kind } = root.dataset;
const { search } = location;
const playing = new URLSearchParams(search).get("game");
if (kind !== "game") resolveHints({ searches: false, weights: null });
if (kind === "game") await prepareGame();
else if (kind === "choose") await listRunning();
else if (kind === "box" && search) await preparePage(`/box${search}`);
else if (kind === "house") await preparePage(`/game/${playing}/rules`);
else if (kind === "rules" && playing) {
  const back = document.querySelector("p.back");
  back?.removeAttribute("hidden");
  back?.querySelector("a")?.setAttribute("href", href(`/game/${playing}`));
}
void store.isPersistent().then((lasts) => {
  if (lasts || (kind !== "game" && kind !== "choose")) return;
  notice("kept", words.not_kept, { label: words.ok, act: () => notice("kept", "") });
  // Leaving the page ends the game: show the rules in another window.
  document.addEventListener("click", async (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    const to = link?.getAttribute("href") ?? "";
    if (kind !== "game" || !/^(rules\/|house\.html)/.test(to)) return;
    event.preventDefault();
    const [address, anchor] = to.split("#");
    const game = new URLSearchParams(location.search).get("game") ?? "";
    open(`${address}${await carriedHash(game)}${anchor ? `#${anchor}` : ""}`);
  });
});
/** Resolves when the page has loaded; then the rest of the site is cached for offline use. */
const loaded = new Promise((done) => {
  if (document.readyState === "complete") done(null);
  else addEventListener("load", done);
});
void Promise.all([loaded, whenReady()]).then(() =>
  setTimeout(() => void keepOffline(words).catch(() => {}), 500),
);
