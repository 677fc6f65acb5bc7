// @ts-check
/**
 * Which legal move do the clicked squares mean?
 *
 * The page knows no rules: it has the list of legal moves with all their routes, and matches the
 * clicks against it. A move fits when the clicks are met in their order on one of its routes: its
 * final square alone, any landing on the way, or every landing. Pure functions, no page needed.
 *
 * @typedef {import("../types").Move} Move
 * @typedef {import("../types").Resolution} Resolution
 * @typedef {{route: number[], at: number}} Fit a route, and how far the clicks have come on it
 */

/** @param {Move} move @returns {number[][]} the ways to click it */
const routesOf = (move) => move.routes ?? [move.route];

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((square, i) => square === b[i]);

/**
 * How far the clicks come on the route when they are met in order from its start; -1 when not.
 * @param {number[]} route
 * @param {number[]} clicks
 */
function follow(route, clicks) {
  if (route[0] !== clicks[0]) return -1;
  let at = 0;
  for (const click of clicks.slice(1)) {
    at = route.indexOf(click, at + 1);
    if (at < 0) return -1;
  }
  return at;
}

/**
 * The clicks without the first one on the route's end, for those who name the end before the way.
 * @param {number[]} route
 * @param {number[]} clicks
 */
function endApart(route, clicks) {
  const end = clicks.indexOf(route[route.length - 1], 1);
  return end < 0 ? clicks : clicks.filter((_, i) => i !== end);
}

/**
 * The same for such clicks.
 * @param {number[]} route
 * @param {number[]} clicks
 */
function followToEnd(route, clicks) {
  const rest = endApart(route, clicks);
  return rest === clicks ? -1 : follow(route, rest);
}

/**
 * The same for clicks of which the last is the end of the route: what lies between is still open.
 * @param {number[]} route
 * @param {number[]} clicks
 */
function followOrEnd(route, clicks) {
  const at = follow(route, clicks);
  return at > 0 && at === route.length - 1 ? follow(route, clicks.slice(0, -1)) : at;
}

/**
 * The moves that fit, each with those of its routes that do.
 * @param {Move[]} moves
 * @param {number[]} clicks
 */
function fitting(moves, clicks) {
  for (const how of [followOrEnd, followToEnd]) {
    const found = moves
      .map((move) => ({
        move,
        fits: routesOf(move)
          .map((route) => ({ route, at: how(route, clicks) }))
          .filter(({ at }) => at >= 0),
      }))
      .filter(({ fits }) => fits.length);
    if (found.length) return found;
  }
  return [];
}

/**
 * The squares on the way that tell moves with the same end apart: where the ways part, if a click
 * there leaves fewer moves; else any later landing that does. A move that has none of those is met
 * by all its landings.
 * @param {{move: Move, fits: Fit[]}[]} group moves with one common end
 */
function branchPoints(group) {
  const ahead = group.map(({ fits }) => fits.map(({ route, at }) => route.slice(at + 1, -1)));
  const all = ahead.flat();
  const telling = [...new Set(all.flat())].filter((square) => {
    const kept = ahead.filter((ways) => ways.some((way) => way.includes(square)));
    return kept.length < group.length;
  });
  let fork = 0;
  while (all.every((way) => fork < way.length && way[fork] === all[0][fork])) fork++;
  const parting = all.flatMap((way) => way.slice(fork, fork + 1));
  const points = parting.some((square) => telling.includes(square)) ? parting : telling;
  const untold = ahead.filter((ways) => !ways.flat().some((square) => points.includes(square)));
  return [...points, ...untold.flat(2)];
}

/**
 * Who names the end, then some of the way, and the end again has said all there is to say: the moves
 * with the fewest landings.
 * @template {{fits: Fit[]}} T
 * @param {T[]} found
 * @param {number[]} clicks
 * @returns {T[]}
 */
function closed(found, clicks) {
  const end = clicks[clicks.length - 1];
  if (clicks.length < 4 || clicks.indexOf(end, 1) === clicks.length - 1) return [];
  const length = (/** @type {T} */ { fits }) => Math.min(...fits.map(({ route }) => route.length));
  const shortest = Math.min(...found.map(length));
  return found.filter((each) => length(each) === shortest);
}

/**
 * Match the list of clicked squares (the piece's own square first) against the legal moves.
 *
 * A single click chooses a piece and never plays; from the second click on, the move is played as
 * soon as one fits. Every landing of one move clicked means that move even where the same clicks
 * also lie on a longer way of another.
 *
 * @param {Move[]} moves
 * @param {number[]} clicks
 * @returns {Resolution}
 */
export function resolve(moves, clicks) {
  const found = fitting(moves, clicks);
  if (clicks.length > 1) {
    const full = (/** @type {Fit} */ { route }) =>
      same(route, clicks) || same(route, endApart(route, clicks));
    const exact = found.filter(({ fits }) => fits.some(full));
    const [one] = [found, exact, closed(found, clicks)].find(({ length }) => length === 1) ?? [];
    if (one) {
      const { route } = one.fits.find(full) ?? one.fits[0];
      return { move: one.move, route, moves: [one.move], ends: [], branches: [], walked: route };
    }
  }
  /** @type {Set<number>} */
  const branches = new Set();
  const ends = [...new Set(found.map(({ move }) => move.to))];
  for (const end of ends) {
    const group = found.filter(({ move }) => move.to === end);
    if (group.length > 1) branchPoints(group).forEach((square) => branches.add(square));
  }
  // Who follows a way landing by landing sees the piece go it.
  const traced = found.some(({ fits }) => fits.some(({ route }) => same(route.slice(0, clicks.length), clicks)));
  const walked = traced ? clicks : clicks.slice(0, 1);
  const left = found.map(({ move }) => move);
  return { move: null, route: [], moves: left, ends, branches: [...branches], walked };
}

/**
 * The squares of a typed move ("22-18", "22x15x8", "c3d4"), or null when the text names none.
 * What is printed on the board goes before the library's number where the two differ.
 * @param {string} text
 * @param {Record<string, string>} numbers what is printed on each square
 */
export function typedSquares(text, numbers) {
  const squares = Object.keys(numbers);
  const named = new Map(squares.map((square) => [square, Number(square)]));
  for (const square of squares) named.set(numbers[square].toLowerCase(), Number(square));
  const words = text.toLowerCase().match(/[a-l]\d{1,2}|\d+/g) ?? [];
  const clicks = words.map((word) => named.get(word.replace(/^0+/, "")) ?? 0);
  return clicks.length > 1 && clicks.every((square) => square > 0) ? clicks : null;
}
