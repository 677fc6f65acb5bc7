/** Progress of the lessons, stored in this browser: the stars of each level, by course. */

const KEY = "damka.lessons";
export const MAX_STARS = 3;
const MAX_COURSES = 200;
/** A course has fewer levels; more are not from here. */
const MAX_LEVELS = 300;
const COURSE = /^[0-9a-f]{16}$/;
const LEVEL = /^(?=.{1,64}$)(game|[a-z0-9_]+(\.[a-z0-9_-]+)+)$/;

/** Stars by level id. A demonstration that was seen has 0; the guided game is the level `game`. @typedef {Record<string, number>} Stars */

/** @param {unknown} value @returns {Stars} the valid levels of a course */
function cleanStars(value) {
  const levels = Object.entries(value ?? {}).filter(
    ([id, stars]) => LEVEL.test(id) && Number.isInteger(stars) && stars >= 0 && stars <= MAX_STARS,
  );
  return Object.fromEntries(levels.slice(0, MAX_LEVELS));
}

/** Return the stars of all courses, by fingerprint; unreadable data is dropped. @returns {Record<string, Stars>} */
export function allProgress() {
  try {
    const stored = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {});
    const courses = stored.filter(([fingerprint]) => COURSE.test(fingerprint));
    return Object.fromEntries(courses.slice(-MAX_COURSES).map(([fingerprint, stars]) => [fingerprint, cleanStars(stars)]));
  } catch {
    return {};
  }
}

/** @param {Record<string, Stars>} courses the latest last */
function store(courses) {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(courses).slice(-MAX_COURSES))));
  } catch {
    // Without storage the stars are lost with the page.
  }
}

/** Tell the page's other scripts about a change. @param {string} name @param {object} detail */
const announce = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

/** Return the stars of a course. @param {string} fingerprint @returns {Stars} */
export const progress = (fingerprint) => allProgress()[fingerprint] ?? {};

/**
 * Store the stars of a level, unless it has more already.
 * @param {string} fingerprint
 * @param {string} id
 * @param {number} stars
 */
export function record(fingerprint, id, stars) {
  merge({ [fingerprint]: { [id]: stars } });
  announce("lesson-recorded", { fingerprint, id, stars });
}

/** Delete the stars of a course in this browser only. @param {string} fingerprint */
export function forget(fingerprint) {
  const { [fingerprint]: _, ...others } = allProgress();
  store(others);
}

/** Delete the stars of a course. @param {string} fingerprint */
export function reset(fingerprint) {
  const stars = progress(fingerprint);
  forget(fingerprint);
  announce("lesson-reset", { fingerprint, stars });
}

/** Store the stars of other courses and levels, the better of each. @param {Record<string, Stars>} more */
export function merge(more) {
  const courses = allProgress();
  for (const [fingerprint, levels] of Object.entries(more)) {
    if (!COURSE.test(fingerprint)) continue;
    const stars = courses[fingerprint] ?? {};
    for (const [id, count] of Object.entries(cleanStars(levels))) stars[id] = Math.max(stars[id] ?? 0, count);
    delete courses[fingerprint];
    courses[fingerprint] = stars;
  }
  store(courses);
}

/**
 * Call a function after changes by the account, by another tab, and while the page was left.
 * @param {() => void} show
 */
export function watchProgress(show) {
  document.addEventListener("lesson-merged", show);
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && show());
  addEventListener("pageshow", ({ persisted }) => persisted && show());
}
