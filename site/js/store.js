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
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("games", { keyPath: "id" });
      request.result.createObjectStore("events", { keyPath: ["game", "seq"] });
      request.result.createObjectStore("shown", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const connection = opened.then((database) => {
    const onClose = () => (opened = null);
    // A newer version of the site waits until this connection is closed; the browser may close it too.
    database.onversionchange = () => onClose() ?? database.close();
    database.onclose = onClose;
    return database;
  });
  connection.catch(() => (opened = null));
  return connection;
}

/** @type {Promise<boolean> | null} */
let persistent = null;

/** Whether this browser can store games; also true if a newer version has stored games. */
export const isPersistent = () =>
  (persistent ??= open().then(
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
async function transact(mode, names, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    // Moves must survive a crash; the displayed state need not.
    const durability = names.includes("games") ? "strict" : "relaxed";
    const transaction = database.transaction(names, mode, mode === "readwrite" ? { durability } : {});
    const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
    /** @type {Error | null} */
    let failure = null;
    const result = work(stores, (error) => {
      failure = error;
      transaction.abort();
    });
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () => reject(failure ?? transaction.error);
  });
}

/** @param {IDBRequest} request @param {(result: any) => void} act */
const onSuccess = (request, act) => request.addEventListener("success", () => act(request.result));

/**
 * Store a new game, unless it is a rematch of a game that already has one.
 * @param {string} id @param {string} record @param {string | null | undefined} previous
 * @returns {Promise<string>} id of the game or of the existing rematch
 */
export async function create(id, record, previous) {
  if (!(await isPersistent())) return memory.create(id, record, previous);
  const stored = await transact("readwrite", ["games"], ({ games }) => {
    const result = { id };
    const add = () => games.add({ id, record, created: Date.now(), updated: Date.now(), over: false, away: false });
    if (previous == null) add();
    else {
      onSuccess(games.get(previous), (before) => {
        if (before?.next) result.id = before.next;
        else {
          if (before) games.put({ ...before, next: id });
          add();
        }
      });
    }
    return result;
  });
  return stored.id;
}

/** @param {string} id @returns {Promise<import("./memory.js").StoredGame | null>} */
export async function load(id) {
  if (!(await isPersistent())) return memory.load(id);
  const stored = await transact("readonly", ["games", "events"], ({ games, events }) => {
    /** @type {{game: any, log: {seq: number, event: string}[]}} */
    const result = { game: null, log: [] };
    onSuccess(games.get(id), (game) => (result.game = game));
    onSuccess(events.getAll(IDBKeyRange.bound([id, 0], [id, Infinity])), (log) => (result.log = log));
    return result;
  });
  if (!stored.game) return null;
  // An entry out of sequence becomes null, which is an invalid log entry.
  const events = stored.log.map(({ seq, event }, i) => (seq === i ? String(event) : "null"));
  return { record: String(stored.game.record), next: stored.game.next, events };
}

/**
 * Store an entry of a log; ConstraintError if the entry exists.
 * @param {string} id @param {number} seq @param {string} event
 * @param {string | null | undefined} result JSON of the result, once the game is over
 */
export async function append(id, seq, event, result) {
  if (!(await isPersistent())) return memory.append(id, seq, event);
  return transact("readwrite", ["games", "events"], ({ games, events }, fail) => {
    events.add({ game: id, seq, event });
    onSuccess(games.get(id), (game) => {
      if (game) games.put({ ...game, updated: Date.now(), over: result != null, result });
      else fail(new DOMException("the game was deleted", "NotFoundError"));
    });
  });
}

/** Export a game's raw data, of any version of the site. @param {string} id @returns {Promise<string>} JSON */
export async function exportGame(id) {
  /** @type {IDBDatabase} */
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const [games, events] = ["games", "events"].map((name) => database.transaction(name).objectStore(name));
  const read = (/** @type {IDBRequest} */ request) => new Promise((resolve) => onSuccess(request, resolve));
  const log = IDBKeyRange.bound([id, 0], [id, Infinity]);
  const [game, entries] = await Promise.all([read(games.get(id)), read(events.getAll(log))]);
  database.close();
  return JSON.stringify({ game, log: entries }, null, 1);
}

/** Store a page's state of a game; skipped when storage is full. @param {string} id @param {string} shown */
export const saveShown = (id, shown) =>
  transact("readwrite", ["shown"], ({ shown: store }) => void store.put({ id, shown })).catch(() => {});

/** Return a page's last state of a game. @param {string} id @returns {Promise<any>} null if none */
export async function lastShown(id) {
  const stored = await transact("readonly", ["shown"], ({ shown }) => {
    const result = { text: "null" };
    onSuccess(shown.get(id), (row) => row && (result.text = row.shown));
    return result;
  });
  return JSON.parse(stored.text);
}

/**
 * Return the unfinished games, latest first, with their last states; null for an unreadable state.
 * @param {number} limit
 * @returns {Promise<{id: string, updated: number, title: string, shown: any}[]>} `title` is the player's own, or ""
 */
export async function running(limit) {
  const stored = await transact("readonly", ["games"], ({ games }) => {
    /** @type {{all: {id: string, updated: number, title?: string, over: boolean, away: boolean, removed?: boolean}[]}} */
    const result = { all: [] };
    onSuccess(games.getAll(), (all) => (result.all = all));
    return result;
  });
  const open = stored.all
    .filter(({ over, away, removed }) => !over && !away && !removed)
    .sort((a, b) => b.updated - a.updated);
  return Promise.all(
    open.slice(0, limit).map(async ({ id, updated, title }) => ({ id, updated, title: title ?? "", shown: await lastShown(id).catch(() => null) })),
  );
}

/** Remove a game from the start page. @param {string} id */
export const hideGame = (id) =>
  transact("readwrite", ["games"], ({ games }) => onSuccess(games.get(id), (game) => game && games.put({ ...game, away: true })));

/**
 * Return the games that were not removed, with their setup, title and result.
 * @returns {Promise<string>} JSON; `result` is null if unknown, `played` says whether there are moves
 */
export async function list() {
  if (!(await isPersistent())) return "[]";
  const stored = await transact("readonly", ["games", "events"], ({ games, events }) => {
    const result = { games: /** @type {any[]} */ ([]), played: /** @type {Set<string>} */ (new Set()) };
    onSuccess(games.getAll(), (all) => {
      result.games = all.filter((/** @type {any} */ game) => !game.removed);
      for (const { id } of result.games) {
        onSuccess(events.getKey(IDBKeyRange.bound([id, 0], [id, Infinity])), (key) => key && result.played.add(id));
      }
    });
    return result;
  });
  const rows = stored.games.map(async ({ id, record, updated, over, title, result }) => ({
    ...{ id, record, updated, over },
    played: stored.played.has(id),
    title: title ?? null,
    // Earlier versions of the site did not store the result.
    result: !over ? null : result ? JSON.parse(result) : await shownResult(id),
  }));
  return JSON.stringify(await Promise.all(rows));
}

/** Return the result that a page has shown, or null. @param {string} id */
async function shownResult(id) {
  const result = (await lastShown(id).catch(() => null))?.state?.result;
  return result ? { winner: result.winner, reason: result.reason } : null;
}

/**
 * Change a game's title, or whether it was removed from the list.
 * @param {string} id @param {string} change JSON
 * @returns {Promise<string>} both as JSON; "" for an unknown game
 */
export async function changeListing(id, change) {
  if (!(await isPersistent())) return "";
  const stored = await transact("readwrite", ["games"], ({ games }) => {
    const result = { text: "" };
    onSuccess(games.get(id), (game) => {
      if (!game) return;
      const changed = { ...game, ...JSON.parse(change) };
      games.put(changed);
      result.text = JSON.stringify({ title: changed.title ?? "", removed: changed.removed ?? false });
    });
    return result;
  });
  return stored.text;
}
