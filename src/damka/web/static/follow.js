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
    const at = new Date(each.getAttribute("datetime") ?? "");
    if (Number.isNaN(at.getTime())) continue;
    const time = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const day = /** @type {const} */ ({ day: "numeric", month: "short" });
    each.textContent = at.toLocaleString(document.documentElement.lang, at.toDateString() === today ? time : { ...day, ...time });
  }
}

/**
 * @param {HTMLElement} main element with the event's id and the version shown on the page
 * @param {{boards: (boards: any) => void, changed: () => void}} handlers
 */
export function follow(main, { boards, changed }) {
  let version = Number(main.dataset.version);
  let latest = {};
  let waiting = false;

  async function refresh() {
    waiting = false;
    // In the page's language; a link may set another language than the visitor's.
    const url = new URL(main.dataset.page ?? location.href, location.href);
    url.searchParams.set("lang", document.documentElement.lang);
    const answer = await fetch(url, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const name = part.getAttribute("data-part");
      const fresh = page.querySelector(`[data-part="${name}"]`);
      if (part.contains(document.activeElement) && document.activeElement?.matches("input, select")) continue;
      if (part.querySelector("details[open]")) continue;
      if (!fresh) part.replaceChildren();
      else if (fresh.innerHTML !== part.getAttribute("data-was")) {
        part.setAttribute("data-was", fresh.innerHTML);
        part.toggleAttribute("hidden", fresh.hasAttribute("hidden"));
        const stage = fresh.getAttribute("data-stage");
        if (stage !== null) part.setAttribute("data-stage", stage);
        part.replaceChildren(...fresh.childNodes);
        localize(part);
      }
    }
    boards(latest);
    changed();
  }

  new Live(`/live/event/${main.dataset.event}`, {
    message(/** @type {any} */ told) {
      if (told.t !== "event") return;
      latest = { ...latest, ...told.boards };
      boards(told.boards);
      if (told.version && told.version !== version) {
        version = told.version;
        if (!waiting) {
          waiting = true;
          setTimeout(refresh, 50 + Math.random() * SPREAD);
        }
      }
    },
    up() {},
    down() {},
    gone() {},
  });
  localize(document);
}
