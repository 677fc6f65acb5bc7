/**
 * Unfinished attempts in this tab: their chosen squares, mistakes and hints outlast a reload, another
 * language, and a look at other levels. A finished level is forgotten, so that its next attempt may
 * earn all stars.
 */

const KEY = "damka.lesson";
/** Most mistakes that are counted. */
export const MAX_MISTAKES = 1000;
const MAX_ATTEMPTS = 50;

/** @typedef {{squares: number[], mistakes: number, hints: number}} Unfinished */

/** @param {LessonLevel} level */
const place = ({ course, id }) => `${course}/${id}`;

/** Return the attempts by course and level, the latest last. @returns {Record<string, Partial<Unfinished> | null>} */
function stored() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/** @param {unknown} value @param {number} most */
const count = (value, most) => (Number.isInteger(value) ? Math.min(Math.max(Number(value), 0), most) : 0);

/** Return the unfinished attempt at a level, or a new one. @param {LessonLevel} level @returns {Unfinished} */
export function unfinished(level) {
  const { squares, mistakes, hints } = stored()[place(level)] ?? {};
  return {
    squares: (Array.isArray(squares) ? squares : []).filter((each) => Number.isInteger(each) && level.pieces[each - 1]),
    mistakes: count(mistakes, MAX_MISTAKES),
    hints: count(hints, level.hints),
  };
}

/** Store an attempt at a level; null if it is finished. @param {LessonLevel} level @param {Unfinished | null} attempt */
export function remember(level, attempt) {
  const { [place(level)]: _, ...others } = stored();
  const kept = Object.entries(others).slice(1 - MAX_ATTEMPTS);
  if (attempt) kept.push([place(level), attempt]);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage it is lost with the page.
  }
}
