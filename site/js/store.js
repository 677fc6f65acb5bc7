/**
 * The games of this browser, in IndexedDB: for each how it was set up, its log, and what a page last
 * showed of it. Texts are JSON, written and read in Python. Nothing here trusts what it finds: the
 * reader of a text says what is wrong with it.
 */

import * as memory from "./memory.js";

const NAME = "damka";
const VERSION = 1;

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("games", { keyPath: "id" });
      asked.result.createObjectStore("events", { keyPath: ["game", "seq"] });
      asked.result.createObjectStore("shown", { keyPath: "id" });
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  const mine = opened.then((database) => {
    const closed = () => (opened = null);
    // A newer version of the site waits for this connection; the browser may end it as well.
    database.onversionchange = () => closed() ?? database.close();
    database.onclose = closed;
    return database;
  });
  mine.catch(() => (opened = null));
  return mine;
}

/** @type {Promise<boolean> | null} */
let keeps = null;

/** Whether this browser keeps games at all; one whose games are from a newer version does. */
export const lasting = () =>
  (keeps ??= open().then(
    () => true,
    (error) => error.name === "VersionError",
  ));

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {string[]} names
 * @param {(stores: Record<string, IDBObjectStore>, fail: (error: Error) => void) => T} work
 * @returns {Promise<T>} once everything is kept
 */
async function within(mode, names, work) {
  const database = await open();
  return new Promise((done, failed) => {
    // A move that was shown must be there after a crash as well; what was shown need not.
    const durability = names.includes("games") ? "strict" : "relaxed";
    const transaction = database.transaction(names, mode, mode === "readwrite" ? { durability } : {});
    const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
    /** @type {Error | null} */
    let wrong = null;
    const told = work(stores, (error) => {
      wrong = error;
      transaction.abort();
    });
    transaction.oncomplete = () => done(told);
    transaction.onabort = () => failed(wrong ?? transaction.error);
  });
}

/** @param {IDBRequest} request @param {(result: any) => void} act */
const then = (request, act) => request.addEventListener("success", () => act(request.result));

/**
 * Keep a new game; the rematch that a game already has stands for another.
 * @param {string} id @param {string} record @param {string | null | undefined} previous
 * @returns {Promise<string>} its id
 */
export async function create(id, record, previous) {
  if (!(await lasting())) return memory.create(id, record, previous);
  const made = await within("readwrite", ["games"], ({ games }) => {
    const told = { id };
    const add = () => games.add({ id, record, created: Date.now(), updated: Date.now(), over: false, away: false });
    if (previous == null) add();
    else {
      then(games.get(previous), (before) => {
        if (before?.next) told.id = before.next;
        else {
          if (before) games.put({ ...before, next: id });
          add();
        }
      });
    }
    return told;
  });
  return made.id;
}

/** @param {string} id @returns {Promise<import("./memory.js").Kept | null>} */
export async function load(id) {
  if (!(await lasting())) return memory.load(id);
  const found = await within("readonly", ["games", "events"], ({ games, events }) => {
    /** @type {{game: any, log: {seq: number, event: string}[]}} */
    const told = { game: null, log: [] };
    then(games.get(id), (game) => (told.game = game));
    then(events.getAll(IDBKeyRange.bound([id, 0], [id, Infinity])), (log) => (told.log = log));
    return told;
  });
  if (!found.game) return null;
  // An entry that is missing is no entry of a log.
  const events = found.log.map(({ seq, event }, i) => (seq === i ? String(event) : "null"));
  return { record: String(found.game.record), next: found.game.next, events };
}

/** Keep an entry of a log; ConstraintError when there is one. @param {string} id @param {number} seq @param {string} event @param {boolean} over */
export async function append(id, seq, event, over) {
  if (!(await lasting())) return memory.append(id, seq, event);
  return within("readwrite", ["games", "events"], ({ games, events }, fail) => {
    events.add({ game: id, seq, event });
    then(games.get(id), (game) => {
      if (game) games.put({ ...game, updated: Date.now(), over });
      else fail(new DOMException("the game was deleted", "NotFoundError"));
    });
  });
}

/** All that is kept of a game, as it is, whatever version of the site has kept it. @param {string} id @returns {Promise<string>} JSON */
export async function everything(id) {
  /** @type {IDBDatabase} */
  const database = await new Promise((done, failed) => {
    const asked = indexedDB.open(NAME);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  const [games, events] = ["games", "events"].map((name) => database.transaction(name).objectStore(name));
  const read = (/** @type {IDBRequest} */ request) => new Promise((done) => then(request, done));
  const log = IDBKeyRange.bound([id, 0], [id, Infinity]);
  const [game, entries] = await Promise.all([read(games.get(id)), read(events.getAll(log))]);
  database.close();
  return JSON.stringify({ game, log: entries }, null, 1);
}

/** Keep what a page shows of a game; without room, it is not kept. @param {string} id @param {string} shown */
export const show = (id, shown) =>
  within("readwrite", ["shown"], ({ shown: store }) => void store.put({ id, shown })).catch(() => {});

/** What a page showed of a game. @param {string} id @returns {Promise<any>} null for nothing */
export async function lastShown(id) {
  const found = await within("readonly", ["shown"], ({ shown }) => {
    const told = { text: "null" };
    then(shown.get(id), (kept) => kept && (told.text = kept.shown));
    return told;
  });
  return JSON.parse(found.text);
}

/**
 * The games that are not over, the latest first, and what pages last showed of them: null where nothing
 * can be read.
 * @param {number} most
 * @returns {Promise<{id: string, updated: number, shown: any}[]>}
 */
export async function running(most) {
  const found = await within("readonly", ["games"], ({ games }) => {
    /** @type {{all: {id: string, updated: number, over: boolean, away: boolean}[]}} */
    const told = { all: [] };
    then(games.getAll(), (all) => (told.all = all));
    return told;
  });
  const open = found.all.filter(({ over, away }) => !over && !away).sort((a, b) => b.updated - a.updated);
  return Promise.all(
    open.slice(0, most).map(async ({ id, updated }) => ({ id, updated, shown: await lastShown(id).catch(() => null) })),
  );
}

/** Offer a game no more. @param {string} id */
export const putAway = (id) =>
  within("readwrite", ["games"], ({ games }) => then(games.get(id), (game) => game && games.put({ ...game, away: true })));
