/**
 * Sync of a member's progress of lessons with the account: the better stars of each level are kept,
 * in this browser and in the account. Changes are sent at once, and again when a page opens. A reset
 * deletes the stars in the account and, as it is counted there, on the other devices; without a
 * connection it is sent later.
 */

import { allProgress, forget, merge } from "./lesson_progress.js";

const KEY = "damka.lessons.account";
/** Number of courses in a request. */
const MAX_SENT = 50;

/** State of the exchange with the account: `waiting` are resets to send, with the stars that they delete. @typedef {{account: string | null, resets: Record<string, number>, waiting: Record<string, import("./lesson_progress.js").Stars>}} Known */

/** @returns {Known} */
function known() {
  try {
    const { account = null, resets = {}, waiting = {} } = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    return { account, resets: { ...resets }, waiting: { ...waiting } };
  } catch {
    return { account: null, resets: {}, waiting: {} };
  }
}

/** @param {Partial<Known>} change */
function remember(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...known(), ...change }));
  } catch {
    // Without storage there is no progress either.
  }
}

/** @param {object} body @returns {Promise<boolean>} whether the progress of all devices has arrived */
async function exchange(body) {
  const { account, resets } = known();
  const headers = { "content-type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify({ account, resets, ...body }), keepalive: true };
  const response = await fetch("/account/lessons", options).catch(() => null);
  const answer = response?.ok ? await response.json().catch(() => null) : null;
  if (!answer) return false;
  if (answer.account === account) {
    const later = Object.keys(answer.resets).filter((course) => answer.resets[course] > (resets[course] ?? 0));
    for (const course of later) forget(course);
  }
  remember({ account: answer.account, resets: answer.resets });
  merge(answer.courses);
  document.dispatchEvent(new CustomEvent("lesson-merged"));
  return true;
}

/** Send the resets that wait, and then a change. @param {() => object | null} change */
async function send(change) {
  for (const [course, had] of Object.entries(known().waiting)) {
    if (!(await exchange({ reset: course, had }))) return;
    const { [course]: _, ...waiting } = known().waiting;
    remember({ waiting });
  }
  const body = change();
  if (body) await exchange(body);
}

/** Requests are sent one after the other. */
let queue = Promise.resolve();

/** @param {() => object | null} change */
function sync(change) {
  queue = queue.then(() => send(change));
}

document.addEventListener("lesson-recorded", (event) => {
  const { fingerprint, id, stars } = /** @type {CustomEvent} */ (event).detail;
  sync(() => ({ courses: { [fingerprint]: { [id]: stars } } }));
});
document.addEventListener("lesson-reset", (event) => {
  const { fingerprint, stars } = /** @type {CustomEvent} */ (event).detail;
  const { waiting } = known();
  remember({ waiting: { ...waiting, [fingerprint]: { ...waiting[fingerprint], ...stars } } });
  sync(() => null);
});
sync(() => ({ courses: Object.fromEntries(Object.entries(allProgress()).slice(-MAX_SENT)) }));
