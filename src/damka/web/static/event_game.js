/**
 * The page of a game of an event: once the game is over, it tells what it counts and where its
 * player sits next, and leads there when the round begins.
 */

import { Live } from "./live.js";

// Milliseconds: the result is read first, and many pages must not ask at the same moment.
const READING = 2500;
const SPREAD = 600;

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".where a"));
const result = document.getElementById("end-result");
const says = document.getElementById("event-says");
const here = location.pathname;
// The page's own language: a link may have asked for another one than the visitor's.
const asked = new URLSearchParams({ game: here.split("/").at(-1) ?? "", lang: document.documentElement.lang });

/** @param {string} path of the event */
function lead(path) {
  let version = 0;
  let waiting = false;
  const ended = Date.now();

  async function look() {
    waiting = false;
    const answer = await fetch(`/api${path}?${asked}`).catch(() => null);
    const told = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!told) return;
    if (says) says.textContent = [told.counts, told.me.next].filter(Boolean).join(" ");
    const next = told.me.game;
    if (next && next !== here) setTimeout(() => location.assign(next), Math.max(0, ended + READING - Date.now()));
  }

  new Live(path.replace("/events/", "/live/event/"), {
    message(/** @type {any} */ told) {
      if (told.t !== "event" || !told.version || told.version === version) return;
      version = told.version;
      if (waiting) return;
      waiting = true;
      setTimeout(look, 50 + Math.random() * SPREAD);
    },
    up() {
      // What was told while the network was away may not have been fetched.
      version = 0;
    },
    down() {},
    gone() {},
  });
}

if (link && result) {
  const path = new URL(link.href).pathname;
  let led = false;
  const check = () => {
    if (led || !result.textContent) return;
    led = true;
    lead(path);
  };
  new MutationObserver(check).observe(result, { childList: true, characterData: true, subtree: true });
  check();
}
