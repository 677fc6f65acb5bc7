/**
 * Live updates of an event page: draw the boards as games are played, and replace the changed parts
 * of the page, except a part with the keyboard focus.
 */

import { Live } from "./live.js";

// Milliseconds: random delays spread the requests of many pages.
const SPREAD = 500;

/** Write times in the visitor's time zone. @param {ParentNode} root */
export function localize(root) {
  const today = new Date().toDateString();
  for (const each of root.querySelectorAll("time[data-local]")) {
    const date = new Date(each.getAttribute("datetime") ?? "");
    if (Number.isNaN(date.getTime())) continue;
    const time = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const day = /** @type {const} */ ({ day: "numeric", month: "short" });
    each.textContent = date.toLocaleString(document.documentElement.lang, date.toDateString() === today ? time : { ...day, ...time });
  }
}

/**
 * @param {HTMLElement} main element with the event's id and the version shown on the page
 * @param {{showBoards: (boards: any) => void, onChange: () => void}} handlers
 */
export function follow(main, { showBoards, onChange }) {
  let version = Number(main.dataset.version);
  let latest = {};
  let waiting = false;

  async function refresh() {
    waiting = false;
    // In the page's language; a link may set another language than the visitor's.
    const url = new URL(main.dataset.page ?? location.href, location.href);
    url.searchParams.set("lang", document.documentElement.lang);
    const response = await fetch(url, { headers: { accept: "text/html" } }).catch(() => null);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const name = part.getAttribute("data-part");
      const newPart = page.querySelector(`[data-part="${name}"]`);
      if (part.contains(document.activeElement) && document.activeElement?.matches("input, select")) continue;
      if (part.querySelector("details[open]")) continue;
      if (!newPart) part.replaceChildren();
      else if (newPart.innerHTML !== part.getAttribute("data-was")) {
        part.setAttribute("data-was", newPart.innerHTML);
        part.toggleAttribute("hidden", newPart.hasAttribute("hidden"));
        const stage = newPart.getAttribute("data-stage");
        if (stage !== null) part.setAttribute("data-stage", stage);
        part.replaceChildren(...newPart.childNodes);
        localize(part);
      }
    }
    showBoards(latest);
    onChange();
  }

  new Live(`/live/event/${main.dataset.event}`, {
    onMessage(/** @type {any} */ message) {
      if (message.t !== "event") return;
      latest = { ...latest, ...message.boards };
      showBoards(message.boards);
      if (message.version && message.version !== version) {
        version = message.version;
        if (!waiting) {
          waiting = true;
          setTimeout(refresh, 50 + Math.random() * SPREAD);
        }
      }
    },
    onConnect() {},
    onDisconnect() {},
    onUnknownGame() {},
  });
  localize(document);
}
