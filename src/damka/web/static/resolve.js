/**
 * Match clicked squares with legal moves.
 *
 * The page does not implement the rules: it matches the clicks against the list of legal moves with
 * all their routes. A move fits if the clicks lie in order on one of its routes: only its final
 * square, some landings, or every landing. Pure functions.
 */

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((square, i) => square === b[i]);

/** The index on a route that the clicks reach, in order from its start; -1 if they do not fit. @type {Follow} */
function follow(route, clicks) {
  if (route[0] !== clicks[0]) return -1;
  let at = 0;
  for (const click of clicks.slice(1)) {
    at = route.indexOf(click, at + 1);
    if (at < 0) return -1;
  }
  return at;
}

/** The same, but a last click on the route's end leaves the landings before it open. @type {Follow} */
function followOrEnd(route, clicks) {
  const at = follow(route, clicks);
  return at > 0 && at === route.length - 1 ? follow(route, clicks.slice(0, -1)) : at;
}

/** The same if the route's end was clicked before the landings. @type {Follow} */
function followToEnd(route, clicks) {
  const rest = withoutEnd(route, clicks);
  return rest === clicks ? -1 : follow(route, rest);
}

/** Clicks without the first one on the route's end. @param {number[]} route @param {number[]} clicks */
function withoutEnd(route, clicks) {
  const end = clicks.indexOf(route[route.length - 1], 1);
  return end < 0 ? clicks : clicks.filter((_, i) => i !== end);
}

/** @param {Move[]} moves @param {number[]} clicks @returns {MoveMatch[]} */
function fitting(moves, clicks) {
  for (const match of [followOrEnd, followToEnd]) {
    const tried = moves.map((move) => {
      const routes = (move.routes ?? [move.route]).map((route) => ({ route, at: match(route, clicks) }));
      return { move, fits: routes.filter(({ at }) => at >= 0) };
    });
    const matches = tried.filter(({ fits }) => fits.length);
    if (matches.length) return matches;
  }
  return [];
}

/**
 * Landings that distinguish moves with the same final square: where the routes diverge, if a click
 * there leaves fewer moves; else any later landing that does. A move without such a landing has all
 * its landings.
 * @param {MoveMatch[]} group
 */
function branchPoints(group) {
  const ahead = group.map(({ fits }) => fits.map(({ route, at }) => route.slice(at + 1, -1)));
  const all = ahead.flat();
  const unshared = [...new Set(all.flat())].filter((square) =>
    ahead.some((ways) => !ways.some((way) => way.includes(square))),
  );
  let fork = 0;
  while (all.every((way) => fork < way.length && way[fork] === all[0][fork])) fork++;
  const forks = all.flatMap((way) => way.slice(fork, fork + 1));
  const points = forks.some((square) => unshared.includes(square)) ? forks : unshared;
  const others = ahead.filter((ways) => !ways.flat().some((square) => points.includes(square)));
  return [...points, ...others.flat(2)];
}

/**
 * Filter for complete clicks (the end, landings, the end again): moves with the fewest landings.
 * @param {MoveMatch[]} matches
 * @param {number[]} clicks
 */
function shortestClosed(matches, clicks) {
  const end = clicks[clicks.length - 1];
  if (clicks.length < 4 || clicks.indexOf(end, 1) === clicks.length - 1) return [];
  const length = (/** @type {MoveMatch} */ { fits }) => Math.min(...fits.map(({ route }) => route.length));
  const shortest = Math.min(...matches.map(length));
  return matches.filter((each) => length(each) === shortest);
}

/**
 * Match the list of clicked squares (the piece's own square first) against the legal moves.
 *
 * A single click chooses a piece and never plays; from the second click on, a move is played as
 * soon as only one fits. Clicks on every landing of a move select that move, even if they also lie
 * on a longer route of another move.
 *
 * @param {Move[]} moves
 * @param {number[]} clicks
 * @returns {Resolution}
 */
export function resolve(moves, clicks) {
  const matches = fitting(moves, clicks);
  if (clicks.length > 1) {
    const isComplete = (/** @type {Fit} */ { route }) =>
      same(route, clicks) || same(route, withoutEnd(route, clicks));
    const exact = matches.filter(({ fits }) => fits.some(isComplete));
    const [one] = [matches, exact, shortestClosed(matches, clicks)].find(({ length }) => length === 1) ?? [];
    if (one) {
      const { route } = one.fits.find(isComplete) ?? one.fits[0];
      return { move: one.move, route, moves: [one.move], ends: [], branches: [], walked: route };
    }
  }
  const ends = [...new Set(matches.map(({ move }) => move.to))];
  const groups = ends.map((end) => matches.filter(({ move }) => move.to === end));
  const branches = groups.flatMap((group) => (group.length > 1 ? branchPoints(group) : []));
  // The piece follows a route whose landings are all clicked.
  const traced = (/** @type {Fit} */ { route }) => same(route.slice(0, clicks.length), clicks);
  return {
    move: null,
    route: [],
    moves: matches.map(({ move }) => move),
    ends,
    branches: [...new Set(branches)],
    walked: matches.some(({ fits }) => fits.some(traced)) ? clicks : clicks.slice(0, 1),
  };
}

/**
 * Match the clicked squares one landing at a time: only a move whose landings are all clicked is
 * selected, and its next landings are the targets. Null if the clicks are not the beginning of a
 * route, such as a click on the end of a capture of several pieces.
 *
 * @param {Move[]} moves
 * @param {number[]} clicks
 * @returns {Resolution | null}
 */
export function resolveSteps(moves, clicks) {
  const begins = (/** @type {number[]} */ route) => same(route.slice(0, clicks.length), clicks);
  const matches = moves
    .map((move) => ({ move, routes: (move.routes ?? [move.route]).filter(begins) }))
    .filter(({ routes }) => routes.length);
  if (!matches.length) return null;
  const complete = matches.find(({ routes }) => routes.some(({ length }) => length === clicks.length));
  if (clicks.length > 1 && complete) {
    return { move: complete.move, route: clicks, moves: [complete.move], ends: [], branches: [], walked: clicks };
  }
  const landings = matches.flatMap(({ routes }) => routes.map((route) => route[clicks.length]));
  const ends = [...new Set(landings)];
  return { move: null, route: [], moves: matches.map(({ move }) => move), ends, branches: [], walked: clicks };
}

/**
 * Squares of a typed move ("22-18", "22x15x8", "c3d4"), or null if the text is no move. The labels
 * on the board take precedence over the library's numbers and letters.
 * @param {string} text
 * @param {string[]} names the labels of squares 1, 2, …
 * @param {number[][]} cells their rows and columns
 */
export function typedSquares(text, names, cells) {
  const named = new Map(names.map((_, i) => [String(i + 1), i + 1]));
  const ranks = cells[cells.length - 1][0] + 1;
  cells.forEach(([row, column], i) => named.set(`${"abcdefghijkl"[column]}${ranks - row}`, i + 1));
  names.forEach((name, i) => named.set(name.toLowerCase(), i + 1));
  const words = text.toLowerCase().match(/[a-l]\d{1,2}|\d+/g) ?? [];
  const clicks = words.map((word) => named.get(word.replace(/^0+/, "")) ?? 0);
  return clicks.length > 1 && clicks.every((square) => square > 0) ? clicks : null;
}
