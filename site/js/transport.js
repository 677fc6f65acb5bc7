/**
 * How the page talks to what plays with it: here a worker in the same browser, which holds Python and
 * the kernel. It has the functions of the server's transport.js, and stands in its place.
 *
 * The worker takes a moment to start. So that a board is there at once, the page shows what it last
 * showed of the game, or the new game that its address describes. A move that is made meanwhile is kept,
 * also over a reload, and sent when the game is open.
 */

import { href } from "./addresses.js";
import { drawLot, fresh } from "./fresh.js";
import { forgetMove, keepMove, keptMove, moveKept } from "./kept_move.js";
import { notice, trouble } from "./notice.js";
import { keepOffline, mend } from "./offline.js";
import { Progress } from "./progress.js";
import * as store from "./store.js";
import { start } from "./watch.js";

export { href };

const root = document.documentElement;
// The page says that this browser is too old.
if ("old" in root.dataset) await new Promise(() => {});
const language = root.lang;
const RUNNING = 3;

/** @typedef {{id?: number, status: number, text?: string, type?: string, name?: string, wrong?: string}} Answered */

/** What the page begins with, in place of what is embedded in it. @type {Map<string, unknown>} */
const begins = new Map();

/** @param {string} id */
export const embedded = (id) =>
  begins.has(id) ? begins.get(id) : JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {{words: Record<string, string> & {update: string, update_now: string, later: string, amount: string}}} */
const { words } = embedded("site");

// The worker

/** Workers that may end one after the other before the page gives up. */
const MOST_ENDS = 3;
/** What is opened in this window: another takes it over with its game. */
const CARRIED = "#carried=";

/** @type {Worker | null} */
let worker = null;
/** How many workers have ended since one answered. */
let ends = 0;
let asked = 0;
/** @type {Map<number, {message: object, tell: (answered: Answered) => void}>} */
const waiting = new Map();
/** @type {(message: any) => void} */
let heard = () => {};
/** The game that is open is to be opened in a new worker. */
let reopen = () => {};
/** The worker runs no more, or the game is open elsewhere. */
let down = () => {};
/** What this browser does not keep: the game in this window. */
let carried = "";
/** What a worker may expect of the game: whether there are searches, and with which weights the first one. @typedef {{searches: boolean, weights: string | null}} Expected */
/** @type {(searches: Expected) => void} */
let expect = () => {};
/** @type {Promise<Expected>} */
const expected = new Promise((done) => (expect = done));
/** How far what the worker needs has arrived. */
const progress = new Progress(words.amount, language);

function started() {
  if (worker) return worker;
  const mine = start(new URL("./worker.js", import.meta.url), () => mine === worker && ended());
  worker = mine;
  mine.addEventListener("message", ({ data }) => {
    if (mine !== worker || data.holds) return;
    if (data.frame) heard(JSON.parse(data.frame));
    else if (data.loaded) progress.show(data.loaded);
    else if (data.failed) void failed(data.failed);
    else if (data.search) void searchFailed(data.search);
    else waiting.get(data.id)?.tell(data);
  });
  mine.onerror = (event) => mine === worker && failed(event.message);
  void expected.then((searches) => mine.postMessage({ what: "begin", language, ...searches }));
  if (carried) mine.postMessage({ what: "carry", text: carried });
  return mine;
}

/** Settles after the first answer, or when the worker cannot run; at once on a page that has not asked for it. */
async function settled() {
  if (worker) await ask({ what: "settled" });
}

/** The worker is no more: start another, which is asked again. */
function ended() {
  stopWorker();
  if (++ends > MOST_ENDS) return void failed("the worker ends again and again");
  console.info("the worker has ended; another one starts");
  for (const { message } of waiting.values()) started().postMessage(message);
  reopen();
}

function stopWorker() {
  worker?.terminate();
  worker = null;
}

/** The worker cannot start. @param {string} why */
async function failed(why) {
  console.warn(why);
  stopWorker();
  const { mended, lost } = await mend();
  // Where nothing was damaged, a file may have been cut off on its way: a browser ends service workers as well.
  if (!lost && (mended ? ends <= MOST_ENDS : !ends)) return ended();
  const reload = { label: words.reload, act: () => location.reload() };
  notice("worker", lost ? words.damaged : words.failed, reload);
  write(".lost", words.stopped);
  down();
  for (const { tell } of waiting.values()) tell({ status: 500 });
}

/** The computer cannot search, though it was tried twice. @param {string} why */
async function searchFailed(why) {
  console.warn(why);
  const { mended, lost } = await mend();
  if (lost) notice("worker", words.damaged);
  else if (mended) ended();
}

/** @param {Record<string, unknown>} message @returns {Promise<Answered>} */
function ask(message) {
  const id = ++asked;
  const whole = { ...message, id, language };
  started().postMessage(whole);
  return new Promise((done) => {
    const tell = (/** @type {Answered} */ answered) => {
      waiting.delete(id);
      if (answered.status !== 500) ends = 0;
      if (answered.wrong) console.warn(answered.wrong);
      done(answered);
    };
    waiting.set(id, { message: whole, tell });
  });
}

/** What an answer says went wrong. @param {Answered} answered @returns {{error?: string, message: string}} */
function wrong({ text }) {
  const told = text ? JSON.parse(text) : {};
  return { message: words.failed, ...told };
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
  const answered = await ask({ what: "request", path, body: sent && new Blob([sent.body]), type: sent?.type });
  const { status, text } = answered;
  if (!text) return { ok: false, told: wrong(answered) };
  const told = JSON.parse(text);
  if (status === 201) told.url += await toCarry(told.id);
  return { ok: status < 300, told };
}

/** What an address needs for the next page to have a game; "" where the browser keeps it. @param {string} id */
async function toCarry(id) {
  if (await store.lasting()) return "";
  const { text } = await ask({ what: "carried", game: id });
  return text ? CARRIED + encodeURIComponent(text) : "";
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
export async function speak({ value }) {
  try {
    localStorage.setItem("damka.language", value);
  } catch {
    // Without storage the browser's language is taken the next time.
  }
  const { up = "", here = "" } = root.dataset;
  const game = new URLSearchParams(location.search).get("game");
  location.assign(`${up}../${value}/${here}${location.search}${game ? await toCarry(game) : ""}`);
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
  /** What was asked for before the game was open, but moves, which are sent again. @type {{t?: string}[]} */
  let early = [];
  const post = (/** @type {object} */ message) => started().postMessage({ what: "message", frame: JSON.stringify(message) });
  /** @type {State} */
  const first = embedded("state");
  const alike = Object.values(first.players).every(({ kind }) => kind !== "computer");
  /** Say that the game is not open yet, and how far it is. */
  const starting = () => handlers.starting?.(words.move_saved, progress.after(alike ? words.starting : words.getting_ready));
  heard = (message) => {
    moveKept(message);
    handlers.message(message);
  };
  down = handlers.down;
  setTimeout(() => {
    if (up) return;
    progress.watch(() => up || starting());
    starting();
    // Where the move before a reload is still possible, it is made again.
    const move = keptMove(first);
    if (move) handlers.message(/** @type {any} */ ({ t: "chosen", move, route: move.route, legs: 0 }));
  });
  reopen = () => {
    if (!up) return;
    up = false;
    void open();
  };

  async function open() {
    starting();
    const answered = await ask({ what: "join", game: id });
    if (answered.status !== 200) return cannotOpen(id, answered);
    up = true;
    handlers.up();
    early.splice(0).forEach(post);
  }

  /** The game goes on in another window. */
  function away() {
    up = false;
    handlers.down();
    stopWorker();
  }

  async function begin() {
    if (!id) {
      const body = wanted(new URLSearchParams(location.search));
      const made = await ask({ what: "request", path: "/api/games", body: new Blob([body]) });
      if (made.status !== 201) {
        forgetMove();
        return cannotOpen("", made);
      }
      ({ id } = JSON.parse(made.text ?? "{}"));
      const move = keptMove(first);
      history.replaceState(null, "", `${href(`/game/${id}`)}${location.hash}`);
      if (move) keepMove(first.ply, move.hub);
    }
    await alone(id, open, away);
  }
  void begin();
  return {
    /** @param {{t?: string, ply?: number, move?: string}} message */
    send(message) {
      if (up) post(message);
      else if (message.t === "move") keepMove(Number(message.ply), String(message.move));
      // Of several attempts the last one is explained.
      else early = [...early.filter(({ t }) => t !== "why" || message.t !== "why"), message];
      return up || message.t !== "move";
    },
  };
}

/**
 * Do something while no other window has the game open, and keep it so until this page ends or another
 * window takes the game.
 * @param {string} id
 * @param {() => Promise<void>} act
 * @param {() => void} leave
 */
async function alone(id, act, leave) {
  if (!navigator.locks) return act();
  const name = `damka-game-${id}`;
  const held = () => {
    notice("window", "");
    return new Promise(() => void act());
  };
  /** @param {LockOptions} options @param {LockGrantedCallback<void>} granted */
  const lock = (options, granted) =>
    navigator.locks.request(name, options, granted).catch((error) => {
      // Another window has taken the game.
      if (error.name !== "AbortError") throw error;
      leave();
      void wait();
    });
  const wait = () => {
    write(".lost", words.elsewhere);
    down();
    let mine = false;
    notice("window", words.other_window, {
      label: words.play_here,
      act: () => {
        mine = true;
        void lock({ steal: true }, held);
      },
    });
    // The other window was closed, or has ended.
    return lock({}, () => (mine ? undefined : held()));
  };
  await lock({ ifAvailable: true }, (free) => (free ? held() : void wait()));
}

/** Say why a game cannot be opened, in place of the game. @param {string} id @param {Answered} answered */
function cannotOpen(id, answered) {
  const { error, message } = wrong(answered);
  const home = { label: words.start_page, act: () => visit("/") };
  const reload = { label: words.reload, act: () => location.reload() };
  const keep = { label: words.keep_file, act: () => void keepDamaged(id) };
  if (error === "unknown_game") trouble(message, words.no_game, home);
  else if (error === "bad_game") trouble(message, words.not_deleted, keep, home);
  else if (error === "newer_game") trouble(message, words.not_deleted, reload, keep, home);
  else if (error) trouble(message, "", home);
}

/** @param {string} id */
async function keepDamaged(id) {
  saveFile(await store.everything(id), "application/json", `damka-damaged-${id}.json`);
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
    if (shown?.page?.lang !== language) shown = await tell(game);
  } else if (/^[a-z0-9-]+$/.test(rules)) {
    started();
    const found = await startOf(rules);
    if (drawLot(query)) history.replaceState(null, "", `?${query}${location.hash}`);
    shown = found && { ...found, state: fresh(found, query) };
  }
  if (!shown) {
    if (!game) location.replace(href("/"));
    return new Promise(() => {});
  }
  const searches = Object.values(shown.state.players).some(({ kind }) => kind === "computer");
  expect({ searches, weights: searches ? (shown.weights ?? null) : null });
  started();
  begins.set("page", { ...shown.page, ...embedded("page") });
  begins.set("state", shown.state);
  document.title = `${shown.title} · Damka`;
  write(".where", shown.title);
  write("h1", shown.title);
  document.body.classList.toggle("broad", shown.broad);
  const link = document.querySelector("a[data-rules]");
  if (link) link.setAttribute("href", href(shown.rules_url));
}

/** The start of a game by shipped rules; null for no such rules. What was cut off on its way is fetched again. @param {string} rules */
async function startOf(rules) {
  const fetched = async () => {
    const answer = await fetch(`${root.dataset.up ?? ""}start/${rules}.json`);
    return answer.ok ? answer.json() : null;
  };
  return fetched().catch(fetched).catch(() => null);
}

/** Have a game told anew: nothing is kept of it that can be shown, or in another language. @param {string} game */
async function tell(game) {
  expect({ searches: false, weights: null });
  const answered = await askForPage(`/api/games/${encodeURIComponent(game)}/shown`);
  if (answered.status === 200) return JSON.parse(answered.text ?? "null");
  cannotOpen(game, answered);
  return null;
}

/** Have the worker make what the page shows; until then it says that it is getting ready, and how far it is. @param {string} path */
async function askForPage(path) {
  document.body.classList.add("starting");
  const say = () => write(".site-starting", progress.after(words.starting));
  progress.watch(say);
  say();
  const answered = await ask({ what: "request", path });
  document.body.classList.remove("starting");
  return answered;
}

/** Show what the worker makes of a page. @param {string} path */
async function preparePage(path) {
  const answered = await askForPage(path);
  const { status, text = "" } = answered;
  if (status !== 200) {
    if (text) trouble(wrong(answered).message, "", { label: words.start_page, act: () => visit("/") });
    return new Promise(() => {});
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
  for (const [i, { id, updated, shown }] of games.entries()) {
    const entry = document.createElement("div");
    entry.className = "run";
    entry.innerHTML = `<a><span class="pic"></span><span><b></b><small></small><small></small></span><span class="button"></span></a><button type="button" class="icon" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>`;
    const [link, away] = entry.children;
    link.setAttribute("href", href(`/game/${id}`));
    const [title, opponent, sentence] = link.querySelectorAll("b, small");
    title.textContent = words.a_game;
    opponent.textContent = new Date(updated).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    if (shown?.card) {
      const { card, page, rules_url: rules } = shown;
      // The drawing is the worker's own; everything else is text.
      const drawn = new DOMParser().parseFromString(String(card.svg), "image/svg+xml").documentElement;
      if (drawn.localName === "svg") link.firstElementChild?.append(drawn);
      // Shipped rules are named in this page's language.
      const shipped = /^\/rules\/([a-z0-9-]+)/.exec(rules)?.[1];
      const named = shipped ? document.getElementById(`card-${shipped}`)?.dataset.title : undefined;
      title.textContent = named ?? card.title;
      const known = page?.lang === language;
      opponent.textContent = known ? card.opponent : "";
      sentence.textContent = known ? card.sentence : "";
    }
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
  if (status !== 200) return notice("file", text ? JSON.parse(text).message : words.failed);
  saveFile(text, type ?? "", name);
});

/** @param {string} text @param {string} type @param {string} name */
function saveFile(text, type, name) {
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([text], { type }));
  file.setAttribute("download", name);
  // Not for the listener of links to files.
  file.addEventListener("click", (click) => click.stopPropagation());
  document.body.append(file);
  file.click();
  file.remove();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

if (location.hash.startsWith(CARRIED)) {
  const [text, anchor] = location.hash.slice(CARRIED.length).split("#");
  carried = decodeURIComponent(text);
  history.replaceState(null, "", `${location.pathname}${location.search}${anchor ? `#${anchor}` : ""}`);
}
const { page: kind } = root.dataset;
const { search } = location;
const playing = new URLSearchParams(search).get("game");
if (kind !== "game") expect({ searches: false, weights: null });
if (kind === "game") await prepareGame();
else if (kind === "choose") await listRunning();
else if (kind === "box" && search) await preparePage(`/box${search}`);
else if (kind === "house") await preparePage(`/game/${playing}/rules`);
else if (kind === "rules" && playing) {
  const back = document.querySelector("p.back");
  back?.removeAttribute("hidden");
  back?.querySelector("a")?.setAttribute("href", href(`/game/${playing}`));
}
void store.lasting().then((lasts) => {
  if (lasts || (kind !== "game" && kind !== "choose")) return;
  notice("kept", words.not_kept, { label: words.ok, act: () => notice("kept", "") });
  // A game ends with its page: the rules are shown in another window.
  document.addEventListener("click", async (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    const to = link?.getAttribute("href") ?? "";
    if (kind !== "game" || !/^(rules\/|house\.html)/.test(to)) return;
    event.preventDefault();
    const [address, anchor] = to.split("#");
    const game = new URLSearchParams(location.search).get("game") ?? "";
    open(`${address}${await toCarry(game)}${anchor ? `#${anchor}` : ""}`);
  });
});
/** When the page has what it needs; then the rest of the site is kept for times without a network. */
const loaded = new Promise((done) => {
  if (document.readyState === "complete") done(null);
  else addEventListener("load", done);
});
void Promise.all([loaded, settled()]).then(() =>
  setTimeout(() => void keepOffline(words).catch(() => {}), 500),
);
