/**
 * Game store of this browser, in IndexedDB: for each game its setup, its event log, and the state
 * last shown by a page. Texts are JSON, written and read in Python, which also validates them.
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
    // Close for a newer version of the site, which waits for this connection; the browser may also
    // close it.
    database.onversionchange = () => closed() ?? database.close();
    database.onclose = closed;
    return database;
  });
  mine.catch(() => (opened = null));
  return mine;
}

/** @type {Promise<boolean> | null} */
let keeps = null;

/** Whether this browser can store games; true if a newer version has stored them. */
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
 * @returns {Promise<T>} resolved when the transaction is complete
 */
async function within(mode, names, work) {
  const database = await open();
  return new Promise((done, failed) => {
    // Moves must survive a crash; the displayed state need not.
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
 * Store a new game, unless it is a rematch of a game that already has one.
 * @param {string} id @param {string} record @param {string | null | undefined} previous
 * @returns {Promise<string>} id of the game or of the existing rematch
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
  // An entry out of sequence becomes null, which is no entry of a log.
  const events = found.log.map(({ seq, event }, i) => (seq === i ? String(event) : "null"));
  return { record: String(found.game.record), next: found.game.next, events };
}

/** Store an entry of a log; ConstraintError if the entry exists. @param {string} id @param {number} seq @param {string} event @param {boolean} over */
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

/** Export everything stored of a game unchanged, whichever version of the site stored it. @param {string} id @returns {Promise<string>} JSON */
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

/** Store a page's state of a game; skipped when storage is full. @param {string} id @param {string} shown */
export const show = (id, shown) =>
  within("readwrite", ["shown"], ({ shown: store }) => void store.put({ id, shown })).catch(() => {});

/** Return a page's last state of a game. @param {string} id @returns {Promise<any>} null if none */
export async function lastShown(id) {
  const found = await within("readonly", ["shown"], ({ shown }) => {
    const told = { text: "null" };
    then(shown.get(id), (kept) => kept && (told.text = kept.shown));
    return told;
  });
  return JSON.parse(found.text);
}

/**
 * Return the unfinished games, latest first, with their last states; null for an unreadable state.
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

/** Remove a game from the start page. @param {string} id */
export const putAway = (id) =>
  within("readwrite", ["games"], ({ games }) => then(games.get(id), (game) => game && games.put({ ...game, away: true })));
