/** Lessons: the progress of each course, and the house boxes of this browser. */

import "./header.js";
import { page, t } from "./i18n.js";
import { allProgress, watchProgress } from "./lesson_progress.js";
import { recent } from "./recent.js";
import { href } from "./transport.js";

const { ids, courses: own } = /** @type {{ids: string[], courses: Record<string, number[]>}} */ (page.counted);

function showProgress() {
  const courses = allProgress();
  for (const place of document.querySelectorAll(/** @type {"small"} */ ("[data-course]"))) {
    const { course = "", levels = "" } = place.dataset;
    const got = courses[course] ?? {};
    // Stars may be of levels of another release.
    const done = (own[course] ?? []).filter((number) => ids[number] in got).length;
    const inList = place.closest(".list");
    place.textContent = inList ? `${done} / ${levels}` : t("progress", { done, all: levels });
    place.classList.toggle("begun", done > 0);
    const bar = /** @type {HTMLElement | null} */ (place.parentElement?.querySelector(".bar i"));
    if (bar) bar.style.width = `${(100 * done) / Number(levels)}%`;
  }
}

const house = /** @type {HTMLElement} */ (document.getElementById("own"));
for (const { title, link, size } of recent()) {
  const address = link.replace("/box?", "/learn/-?");
  if ([...house.querySelectorAll("a")].some((known) => known.getAttribute("href") === href(address))) continue;
  const entry = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = href(address);
  anchor.append(`${title} `, Object.assign(document.createElement("small"), { textContent: size ?? "" }));
  entry.append(anchor);
  house.append(entry);
  house.parentElement?.removeAttribute("hidden");
}
showProgress();
watchProgress(showProgress);
