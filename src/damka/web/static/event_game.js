/**
 * Game page within an event: after the game it shows the score and the player's next board, and
 * redirects there when the round begins.
 */

import { Live } from "./live.js";

// Milliseconds: players read the result first, and random delays spread the requests of many pages.
const READING_TIME = 2500;
const SPREAD = 600;

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".where a"));
const result = document.getElementById("end-result");
const eventLine = document.getElementById("event-score");
const currentPath = location.pathname;
// The page's language; a link may set another language than the visitor's.
const query = new URLSearchParams({ game: currentPath.split("/").at(-1) ?? "", lang: document.documentElement.lang });

/** @param {string} path path of the event */
function followEvent(path) {
  let version = 0;
  let waiting = false;
  const ended = Date.now();

  async function checkBoard() {
    waiting = false;
    const response = await fetch(`/api${path}?${query}`).catch(() => null);
    const message = response?.ok ? await response.json().catch(() => null) : null;
    if (!message) return;
    if (eventLine) eventLine.textContent = [message.counts, message.me.next].filter(Boolean).join(" ");
    const next = message.me.game;
    if (next && next !== currentPath) setTimeout(() => location.assign(next), Math.max(0, ended + READING_TIME - Date.now()));
  }

  new Live(path.replace("/events/", "/live/event/"), {
    onMessage(/** @type {any} */ message) {
      if (message.t !== "event" || !message.version || message.version === version) return;
      version = message.version;
      if (waiting) return;
      waiting = true;
      setTimeout(checkBoard, 50 + Math.random() * SPREAD);
    },
    onConnect() {
      // A change may have been missed while the network was down.
      version = 0;
    },
    onDisconnect() {},
    onUnknownGame() {},
  });
}

if (link && result) {
  const path = new URL(link.href).pathname;
  let isFollowing = false;
  const check = () => {
    if (isFollowing || !result.textContent) return;
    isFollowing = true;
    followEvent(path);
  };
  new MutationObserver(check).observe(result, { childList: true, characterData: true, subtree: true });
  check();
}
