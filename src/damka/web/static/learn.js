/** Lessons: the progress of each course, and the house boxes of this browser. */

import "./header.js";
import { t } from "./i18n.js";
import { allProgress } from "./lesson_progress.js";
import { recent } from "./recent.js";
import { href } from "./transport.js";

function showProgress() {
  const courses = allProgress();
  for (const place of document.querySelectorAll(/** @type {"small"} */ ("[data-course]"))) {
    const { course = "", levels = "" } = place.dataset;
    // It may have levels of another release.
    const done = Math.min(Object.keys(courses[course] ?? {}).length, Number(levels));
    const inList = place.closest(".list");
    place.textContent = inList ? `${done} / ${levels}` : t("progress", { done, all: levels });
    place.classList.toggle("begun", done > 0);
    const bar = /** @type {HTMLElement | null} */ (place.parentElement?.querySelector(".bar i"));
    if (bar) bar.style.width = `${(100 * done) / Number(levels)}%`;
  }
}

const own = /** @type {HTMLElement} */ (document.getElementById("own"));
for (const { title, link, size } of recent()) {
  const address = link.replace("/box?", "/learn/-?");
  if ([...own.querySelectorAll("a")].some((known) => known.getAttribute("href") === href(address))) continue;
  const entry = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = href(address);
  anchor.append(`${title} `, Object.assign(document.createElement("small"), { textContent: size ?? "" }));
  entry.append(anchor);
  own.append(entry);
  own.parentElement?.removeAttribute("hidden");
}
showProgress();
document.addEventListener("lesson-merged", showProgress);
addEventListener("pageshow", ({ persisted }) => persisted && showProgress());
