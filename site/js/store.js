/**
 * The games of this browser, in IndexedDB: for each how it was set up, its log, and what a page last
 * showed of it. Texts are JSON, written and read in Python.
 */

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
  opened.catch(() => (opened = null));
  return opened;
}

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

/** @param {string} id @returns {Promise<{record: string, events: string[], next?: string} | null>} */
export async function load(id) {
  const found = await within("readonly", ["games", "events"], ({ games, events }) => {
    /** @type {{game: any, log: {event: string}[]}} */
    const told = { game: null, log: [] };
    then(games.get(id), (game) => (told.game = game));
    then(events.getAll(IDBKeyRange.bound([id, 0], [id, Infinity])), (log) => (told.log = log));
    return told;
  });
  if (!found.game) return null;
  return { record: found.game.record, next: found.game.next, events: found.log.map(({ event }) => event) };
}

/** Keep an entry of a log; ConstraintError when there is one. @param {string} id @param {number} seq @param {string} event @param {boolean} over */
export const append = (id, seq, event, over) =>
  within("readwrite", ["games", "events"], ({ games, events }) => {
    events.add({ game: id, seq, event });
    then(games.get(id), (game) => game && games.put({ ...game, updated: Date.now(), over }));
  });

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

/** The games that are not over, the latest first, as pages showed them. @param {number} most @returns {Promise<any[]>} */
export async function running(most) {
  const found = await within("readonly", ["games"], ({ games }) => {
    /** @type {{all: {id: string, updated: number, over: boolean, away: boolean}[]}} */
    const told = { all: [] };
    then(games.getAll(), (all) => (told.all = all));
    return told;
  });
  const open = found.all.filter(({ over, away }) => !over && !away).sort((a, b) => b.updated - a.updated);
  const shown = await Promise.all(open.slice(0, most).map(({ id }) => lastShown(id)));
  return shown.filter(Boolean);
}

/** Offer a game no more. @param {string} id */
export const putAway = (id) =>
  within("readwrite", ["games"], ({ games }) => then(games.get(id), (game) => game && games.put({ ...game, away: true })));
