/** Chosen squares of a level in this tab: they outlast a reload and another language. */

const KEY = "damka.lesson";

/** @param {LessonLevel} level */
const place = ({ course, id }) => `${course}/${id}`;

/** Remember the chosen squares of a level. @param {LessonLevel} level @param {number[]} squares */
export function remember(level, squares) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ place: place(level), squares }));
  } catch {
    // Without storage they are lost with the page.
  }
}

/** Return the remembered squares of a level. @param {LessonLevel} level @returns {number[]} */
export function remembered(level) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    const squares = stored?.place === place(level) && Array.isArray(stored.squares) ? stored.squares : [];
    return squares.filter((/** @type {unknown} */ each) => Number.isInteger(each) && level.pieces[Number(each) - 1]);
  } catch {
    return [];
  }
}
