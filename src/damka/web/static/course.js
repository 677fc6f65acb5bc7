/** Path of a course: the stars of each level, the next level, and the reset. */

import "./header.js";
import { t } from "./i18n.js";
import { MAX_STARS, progress, reset, watchProgress } from "./lesson_progress.js";

/** Id of the guided game, the last stage. */
const GAME = "game";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const course = /** @type {HTMLElement} */ (document.querySelector(".course"));
const fingerprint = course.dataset.course ?? "";
const stages = [...course.querySelectorAll(/** @type {"li"} */ (".stage"))];
const levels = [...course.querySelectorAll(/** @type {"a"} */ ("[data-level]"))];
const query = new URLSearchParams(location.search);

function show() {
  const got = progress(fingerprint);
  for (const level of levels) {
    const stars = got[level.dataset.level ?? ""];
    level.classList.toggle("done", stars !== undefined);
    level.dataset.stars = String(stars ?? 0);
    const state = level.querySelector(".state");
    const words = stars ? t("level_stars", { n: stars }) : t("level_seen");
    if (state) state.textContent = stars === undefined ? "" : words;
  }
  /** Whether the next stage was found. */
  let isAhead = false;
  for (const stage of stages) {
    const own = [...stage.querySelectorAll(/** @type {"a"} */ ("[data-level]"))];
    const isDone = stage.dataset.stage === GAME ? GAME in got : own.every(({ classList }) => classList.contains("done"));
    stage.classList.toggle("done", isDone);
    const isNow = !(isDone || isAhead);
    stage.classList.toggle("now", isNow);
    const stone = stage.querySelector(".to");
    if (isNow) stone?.setAttribute("aria-current", "step");
    else stone?.removeAttribute("aria-current");
    if (isNow) isAhead = true;
    // A stone leads to its first level that is not done.
    const next = own.find(({ classList }) => !classList.contains("done")) ?? own[0];
    if (next) stone?.setAttribute("href", next.getAttribute("href") ?? "");
  }
  showSum(got);
}

/** @param {import("./lesson_progress.js").Stars} got */
function showSum(got) {
  const ids = [...levels.map(({ dataset }) => dataset.level ?? ""), GAME].filter((id) => id in got);
  const all = Number(course.dataset.levels);
  const sum = ids.reduce((total, id) => total + Math.min(got[id], MAX_STARS), 0);
  get("done").textContent = ids.length === all ? t("done") : t("progress", { done: ids.length, all });
  get("stars").textContent = t("stars", { n: sum, all: course.dataset.stars ?? "" });
  const bar = /** @type {HTMLElement | null} */ (course.querySelector(".bar i"));
  if (bar) bar.style.width = `${(100 * ids.length) / all}%`;
  const next = get("next");
  const target = course.querySelector(".now .to") ?? course.querySelector(".to");
  next.setAttribute("href", target?.getAttribute("href") ?? "");
  next.textContent = t(ids.length === all ? "again" : ids.length ? "continue" : "begin");
  get("reset").style.visibility = ids.length ? "" : "hidden";
}

// Reset

/** @param {boolean} isAsking */
function ask(isAsking) {
  get("sure").hidden = !isAsking;
  get("reset").hidden = isAsking;
  get(isAsking ? "reset-no" : "reset").focus();
}

get("reset").addEventListener("click", () => ask(true));
get("reset-no").addEventListener("click", () => ask(false));
get("reset-yes").addEventListener("click", () => {
  reset(fingerprint);
  ask(false);
  show();
  get("said").textContent = t("was_reset");
  get("next").focus();
});

show();
// A server answers these parameters itself; a static site has one page for all of them.
const about = query.get("about");
const level = about ? levels.find(({ dataset }) => dataset.topic === about) : undefined;
if (level) location.replace(level.href);
if (query.has("missing")) get("missing").hidden = false;
watchProgress(show);
