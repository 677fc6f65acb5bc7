/**
 * Game page within an event: after the game it shows the score and the player's next board, and
 * redirects there when the round begins.
 */

import { Live } from "./live.js";

// Milliseconds: players read the result first, and random delays spread the requests of many pages.
const READING = 2500;
const SPREAD = 600;

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".where a"));
const result = document.getElementById("end-result");
const says = document.getElementById("event-says");
const here = location.pathname;
// The page's language; a link may set another language than the visitor's.
const asked = new URLSearchParams({ game: here.split("/").at(-1) ?? "", lang: document.documentElement.lang });

/** @param {string} path path of the event */
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
      // A change may have been missed while the network was down.
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
