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
import { notice, showErrorPage } from "./notice.js";
import { enableOfflineUse, repair } from "./offline.js";
import { Progress } from "./progress.js";
import * as store from "./store.js";
import { startWatched } from "./watch.js";

export { href };

const root = document.documentElement;
// The page already shows that this browser is too old.
if ("old" in root.dataset) await new Promise(() => {});
const language = root.lang;
const RUNNING = 3;

/** @typedef {{id?: number, status: number, text?: string, type?: string, name?: string, error?: string}} WorkerReply */

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
/** Prefix of a URL fragment that passes the game to another page. */
const CARRIED_HASH = "#carried=";

/** @type {Worker | null} */
let worker = null;
/** Number of crashes since the last reply of a worker. */
let crashes = 0;
let lastId = 0;
/** @type {Map<number, {message: object, reply: (reply: WorkerReply) => void}>} */
const waiting = new Map();
/** @type {(message: any) => void} */
let onFrame = () => {};
/** Reopens the open game in a new worker. */
let reopenGame = () => {};
/** Called when the worker has stopped permanently, or the game is open in another window. */
let stopPage = () => {};
/** The window's game, when this browser does not store it. */
let carriedGame = "";
/** Hints for the worker: whether the game needs searches, and the weights of the first search. @typedef {{searches: boolean, weights: string | null}} SearchHints */
/** @type {(searches: SearchHints) => void} */
let resolveHints = () => {};
/** @type {Promise<SearchHints>} */
const hints = new Promise((resolve) => (resolveHints = resolve));
/** Progress of the worker's downloads. */
const progress = new Progress(words.amount, language);

function startWorker() {
  if (worker) return worker;
  const current = startWatched(new URL("./worker.js", import.meta.url), () => current === worker && restartWorker());
  worker = current;
  current.addEventListener("message", ({ data }) => {
    if (current !== worker || data.lock) return;
    if (data.frame) onFrame(JSON.parse(data.frame));
    else if (data.loaded) progress.show(data.loaded);
    else if (data.failed) void onWorkerFailure(data.failed);
    else if (data.search) void onSearchFailure(data.search);
    else waiting.get(data.id)?.reply(data);
  });
  current.onerror = (event) => current === worker && onWorkerFailure(event.message);
  void hints.then((searches) => current.postMessage({ action: "start", language, ...searches }));
  if (carriedGame) current.postMessage({ action: "importGame", text: carriedGame });
  return current;
}

/** Resolves once the worker has loaded everything or has failed; at once on a page without requests. */
async function workerIsIdle() {
  if (worker) await send({ action: "loadRest" });
}

/** Replace a crashed worker and repeat the requests. */
function restartWorker() {
  stopWorker();
  if (++crashes > MAX_CRASHES) return void onWorkerFailure("the worker keeps crashing");
  console.info("the worker has ended; starting another one");
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
  const { repaired, lost } = await repair();
  // If nothing was damaged, a download may have been interrupted, for example when the browser ended
  // the service worker.
  if (!lost && (repaired ? crashes <= MAX_CRASHES : !crashes)) return restartWorker();
  const reload = { label: words.reload, onClick: () => location.reload() };
  notice("worker", lost ? words.damaged : words.failed, reload);
  setText(".lost", words.stopped);
  stopPage();
  for (const { reply } of waiting.values()) reply({ status: 500 });
}

/** Handle a search that failed twice. @param {string} reason */
async function onSearchFailure(reason) {
  console.warn(reason);
  const { repaired, lost } = await repair();
  if (lost) notice("worker", words.damaged);
  else if (repaired) restartWorker();
}

/** @param {Record<string, unknown>} message @returns {Promise<WorkerReply>} */
function send(message) {
  const id = ++lastId;
  const full = { ...message, id, language };
  startWorker().postMessage(full);
  return new Promise((resolve) => {
    const reply = (/** @type {WorkerReply} */ answer) => {
      waiting.delete(id);
      if (answer.status !== 500) crashes = 0;
      if (answer.error) console.warn(answer.error);
      resolve(answer);
    };
    waiting.set(id, { message: full, reply });
  });
}

/** Return the error of a reply. @param {WorkerReply} answer @returns {{error?: string, message: string}} */
function errorOf({ text }) {
  const body = text ? JSON.parse(text) : {};
  return { message: words.failed, ...body };
}

// Requests of the page

/** @param {string} path */
export const visit = (path) => location.assign(href(path));

/** @param {HTMLImageElement} image @param {string} path */
export async function loadImage(image, path) {
  const address = href(path);
  if (address !== path) image.src = address;
  else {
    const { text, status } = await send({ action: "request", path });
    if (status === 200) image.src = `data:image/svg+xml,${encodeURIComponent(text ?? "")}`;
    else image.dispatchEvent(new Event("error"));
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
  const answer = await send({ action: "request", path, body: content && new Blob([content.body]), type: content?.type });
  const { status, text } = answer;
  if (!text) return { ok: false, data: errorOf(answer) };
  const data = JSON.parse(text);
  if (status === 201) data.url += await carriedHash(data.id);
  return { ok: status < 300, data };
}

/** @param {string} path @returns {Promise<Document | null>} a page rendered by the worker; null if it fails */
export async function loadPage(path) {
  const { status, text } = await send({ action: "request", path });
  return status === 200 ? new DOMParser().parseFromString(text ?? "", "text/html") : null;
}

/** Return the part of an address that passes a game to the next page; "" if the browser stores it. @param {string} id */
async function carriedHash(id) {
  if (await store.isPersistent()) return "";
  const { text } = await send({ action: "exportGame", game: id });
  return text ? CARRIED_HASH + encodeURIComponent(text) : "";
}

/** Return the page of a new game with shipped rules, which creates the game; null for other rules. @param {string} body */
function newGame(body) {
  const { rules, names, ...options } = JSON.parse(body);
  if (typeof rules !== "string" || options.fen || options.opponent === "guide") return null;
  const query = new URLSearchParams({ rules });
  for (const [name, value] of Object.entries(options)) if (value != null) query.set(name, String(value));
  for (const name of names ?? []) query.append("name", name);
  return { url: `/game/-?${query}`, lot: { drawn: options.colour === "lot" && options.opponent === "computer" } };
}

/** @param {URLSearchParams} query @returns {string} body of the request for a new game */
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
    // Without storage, the next visit uses the browser's language.
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
    // Without storage the theme lasts until the page is closed.
  }
}

/** @param {string} id */
export const dismiss = (id) => store.hideGame(id);

/**
 * @param {string} id "" for a new game from the parameters of the address
 * @param {string} _language
 * @param {import("./live.js").Handlers} handlers
 */
export async function join(id, _language, handlers) {
  let isOpen = false;
  /** Messages sent before the game was open, except moves, which are stored. @type {{t?: string}[]} */
  let queued = [];
  const postFrame = (/** @type {object} */ message) => startWorker().postMessage({ action: "message", frame: JSON.stringify(message) });
  /** @type {State} */
  const first = embedded("state");
  const isLocal = Object.values(first.players).every(({ kind }) => kind !== "computer");
  /** Show the progress until the game is open. */
  const showStarting = () => handlers.onStarting?.(words.move_saved, progress.after(isLocal ? words.starting : words.getting_ready));
  onFrame = (message) => {
    deleteHandledMove(message);
    handlers.onMessage(message);
  };
  stopPage = handlers.onDisconnect;
  setTimeout(() => {
    if (isOpen) return;
    progress.watch(() => isOpen || showStarting());
    showStarting();
    // Repeat the move made before a reload, if it is still legal.
    const move = savedMove(first);
    if (move) handlers.onMessage(/** @type {any} */ ({ t: "chosen", move, route: move.route, legs: 0 }));
  });
  reopenGame = () => {
    if (!isOpen) return;
    isOpen = false;
    void open();
  };

  async function open() {
    showStarting();
    const answer = await send({ action: "join", game: id });
    if (answer.status !== 200) return showCannotOpen(id, answer);
    isOpen = true;
    handlers.onConnect();
    queued.splice(0).forEach(postFrame);
  }

  /** Close the game after another window has taken it over. */
  function leaveGame() {
    isOpen = false;
    handlers.onDisconnect();
    stopWorker();
  }

  async function begin() {
    if (!id) {
      const body = newGameRequest(new URLSearchParams(location.search));
      const created = await send({ action: "request", path: "/api/games", body: new Blob([body]) });
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
      if (isOpen) postFrame(message);
      else if (message.t === "move") saveMove(Number(message.ply), String(message.move));
      // Explain only the last of several attempts.
      else queued = [...queued.filter(({ t }) => t !== "why" || message.t !== "why"), message];
      return isOpen || message.t !== "move";
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
    setText(".lost", words.elsewhere);
    stopPage();
    let isStolen = false;
    notice("window", words.other_window, {
      label: words.play_here,
      onClick: () => {
        isStolen = true;
        void lock({ steal: true }, hold);
      },
    });
    // The other window was closed or has crashed.
    return lock({}, () => (isStolen ? undefined : hold()));
  };
  await lock({ ifAvailable: true }, (free) => (free ? hold() : void wait()));
}

/** Show why a game cannot be opened, in place of the game. @param {string} id @param {WorkerReply} reply */
function showCannotOpen(id, reply) {
  const { error, message } = errorOf(reply);
  const home = { label: words.start_page, onClick: () => visit("/") };
  const reload = { label: words.reload, onClick: () => location.reload() };
  const save = { label: words.keep_file, onClick: () => void saveDamaged(id) };
  if (error === "unknown_game") showErrorPage(message, words.no_game, home);
  else if (error === "bad_game") showErrorPage(message, words.not_deleted, save, home);
  else if (error === "newer_game") showErrorPage(message, words.not_deleted, reload, save, home);
  else if (error) showErrorPage(message, "", home);
}

/** @param {string} id */
async function saveDamaged(id) {
  saveFile(await store.exportGame(id), "application/json", `damka-damaged-${id}.json`);
}

// Start of the page

/** @param {string} selector @param {string} text */
function setText(selector, text) {
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
  setText(".where", shownState.title);
  setText("h1", shownState.title);
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
  const reply = await requestPage(`/api/games/${encodeURIComponent(game)}/shown`);
  if (reply.status === 200) return JSON.parse(reply.text ?? "null");
  showCannotOpen(game, reply);
  return null;
}

/** Request a page from the worker, and show the progress meanwhile. @param {string} path */
async function requestPage(path) {
  document.body.classList.add("starting");
  const showProgress = () => setText(".site-starting", progress.after(words.starting));
  progress.watch(showProgress);
  showProgress();
  const reply = await send({ action: "request", path });
  document.body.classList.remove("starting");
  return reply;
}

/** Show a page rendered by the worker. @param {string} path */
async function preparePage(path) {
  const reply = await requestPage(path);
  const { status, text = "" } = reply;
  if (status !== 200) {
    if (text) showErrorPage(errorOf(reply).message, "", { label: words.start_page, onClick: () => visit("/") });
    return new Promise(() => {});
  }
  const rendered = new DOMParser().parseFromString(text, "text/html");
  document.title = rendered.title;
  document.querySelector("main")?.replaceWith(/** @type {Element} */ (rendered.querySelector("main")));
  // The browser has looked for the anchor before.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  const now = rendered.getElementById("box-now");
  if (now) pageData.set("box-now", JSON.parse(now.textContent ?? "null"));
}

/** Path of a course's page that starts its guided game, or is for the printer. @param {"game" | "print"} what */
function coursePath(what) {
  const query = new URLSearchParams(search);
  const link = query.get("r");
  if (link) return `/learn/-/${what}?r=${encodeURIComponent(link)}`;
  return `/learn/${encodeURIComponent(query.get("rules") ?? "-")}/${what}`;
}

/** Prepare the board editor for the rules of the address. */
async function prepareAnalyse() {
  const query = new URLSearchParams(search);
  const [link, game] = [query.get("r"), query.get("game")];
  const name = query.get("rules") ?? "";
  if (!link && !game && !/^[a-z0-9-]+$/.test(name)) return;
  const path = link ? `r=${link}` : game ? `game=${encodeURIComponent(game)}` : "";
  const start = await (path ? fetchEditor(path) : fetchStart(name));
  if (!start) return path ? new Promise(() => {}) : void location.replace(href("/analyse"));
  const page = embedded("page");
  pageData.set("page", { ...page, rules: start.page.rules, edit: start.edit });
  document.title = document.title.replace(page.rules.title, () => start.title);
  setText(".print-title", start.title);
  const games = document.querySelector("#game");
  if (!(games instanceof HTMLSelectElement)) return;
  if (![...games.options].some(({ value }) => value === start.edit.path)) games.prepend(new Option(start.title, start.edit.path));
  games.value = start.edit.path;
}

/** Request the page's data of house rules or of a game; null if they cannot be read. @param {string} query */
async function fetchEditor(query) {
  const reply = await requestPage(`/analyse?${query}`);
  const { status, text = "" } = reply;
  if (status === 200) return JSON.parse(text);
  if (text) showErrorPage(errorOf(reply).message, "", { label: words.start_page, onClick: () => visit("/") });
  return null;
}

/** Prepare the level of the address; an unknown one leads to the path of its course. */
async function prepareLesson() {
  const query = new URLSearchParams(search);
  const [link, name, level] = [query.get("r"), query.get("rules") ?? "-", query.get("level") ?? ""];
  const box = link ? `?r=${encodeURIComponent(link)}` : "";
  const course = `/learn/${link ? "-" : encodeURIComponent(name)}`;
  const reply = await requestPage(`${course}/${encodeURIComponent(level)}${box}`);
  const { status, text = "" } = reply;
  if (status === 200) {
    const { title, page } = JSON.parse(text);
    pageData.set("page", page);
    document.title = `${page.lesson.level.title} · ${title} · Damka`;
    return;
  }
  if (text && errorOf(reply).error === "unknown_level") location.replace(href(`${course}${box}${box ? "&" : "?"}missing=1`));
  else if (text) showErrorPage(errorOf(reply).message, "", { label: words.start_page, onClick: () => visit("/") });
  return new Promise(() => {});
}

/** List the unfinished games. */
async function listRunning() {
  const games = await store.running(RUNNING).catch(() => []);
  if (!games.length) return;
  const section = document.createElement("section");
  section.className = "running";
  section.setAttribute("aria-label", words.running);
  for (const { id, updated, title: ownTitle, shown } of games) {
    const entry = document.createElement("div");
    entry.className = "run";
    entry.innerHTML = `<a><span class="pic"></span><span><b></b><small></small><small></small></span></a><button type="button" class="icon" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>`;
    const [link, dismissButton] = entry.children;
    link.setAttribute("href", href(`/game/${id}`));
    const [title, opponent, sentence] = link.querySelectorAll("b, small");
    title.textContent = words.a_game;
    opponent.textContent = new Date(updated).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    if (shown?.card) {
      const { card, page, rules_url: rules } = shown;
      // Only the picture is markup, created by the worker; everything else is text.
      const picture = new DOMParser().parseFromString(String(card.svg), "image/svg+xml").documentElement;
      if (picture.localName === "svg") link.firstElementChild?.append(picture);
      // Name shipped rules in this page's language.
      const shipped = /^\/rules\/([a-z0-9-]+)/.exec(rules)?.[1];
      const shippedTitle = shipped ? document.querySelector(/** @type {"button"} */ (`.chip[value="${shipped}"]`))?.dataset.title : undefined;
      title.textContent = shippedTitle ?? card.title;
      const sameLanguage = page?.lang === language;
      opponent.textContent = sameLanguage ? card.opponent : "";
      sentence.textContent = sameLanguage ? card.sentence : "";
    }
    if (ownTitle) title.textContent = ownTitle;
    dismissButton.setAttribute("data-dismiss", id);
    dismissButton.setAttribute("aria-label", words.put_away);
    dismissButton.setAttribute("title", words.put_away);
    section.append(entry);
  }
  document.querySelector(".intro")?.after(section);
}

// The worker creates the files.
document.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[download]");
  if (!link) return;
  event.preventDefault();
  const game = new URLSearchParams(location.search).get("game") ?? "-";
  const path = (link.getAttribute("href") ?? "").replace("/games/-/", `/games/${game}/`);
  const { status, text = "", type, name = "" } = await send({ action: "request", path });
  if (status !== 200) return notice("file", text ? JSON.parse(text).message : words.failed);
  saveFile(text, type ?? "", name);
});

/** @param {string} text @param {string} type @param {string} name */
function saveFile(text, type, name) {
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([text], { type }));
  file.setAttribute("download", name);
  // Bypass the click handler of download links.
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
else if (kind === "games") await preparePage(`/games${search}`);
else if (kind === "analyse" || kind === "study") await prepareAnalyse();
else if (kind === "lesson") await prepareLesson();
else if (kind === "course") await preparePage(`/learn/-${search}`);
else if (kind === "box" && search) await preparePage(`/box${search}`);
else if (kind === "guided") await preparePage(coursePath("game"));
else if (kind === "course_print") await preparePage(coursePath("print"));
else if (kind === "house") await preparePage(`/game/${playing}/rules`);
else if (kind === "rules" && playing) {
  const back = document.querySelector("p.back");
  back?.removeAttribute("hidden");
  back?.querySelector("a")?.setAttribute("href", href(`/game/${playing}`));
}
void store.isPersistent().then((isPersistent) => {
  if (isPersistent || !["game", "choose", "games"].includes(kind ?? "")) return;
  notice("storage", words.not_kept, { label: words.ok, onClick: () => notice("storage", "") });
  // Leaving the page would lose the game: open the rules in another window.
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
/** Resolves when the page has loaded. */
const loaded = new Promise((resolve) => {
  if (document.readyState === "complete") resolve(null);
  else addEventListener("load", resolve);
});
void Promise.all([loaded, workerIsIdle()]).then(() =>
  setTimeout(() => void enableOfflineUse(words).catch(() => {}), 500),
);
