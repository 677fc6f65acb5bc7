/** The running games that were put away; kept in a cookie, so that the server shows others instead. */

const COOKIE = "damka_away";
const KEPT = 40;
const YEAR = 60 * 60 * 24 * 365;

/** @param {string} id */
export function putAway(id) {
  const before = document.cookie.match(`(?:^|; )${COOKIE}=([\\w.-]*)`)?.[1] ?? "";
  const ids = [id, ...before.split(".").filter((other) => other && other !== id)].slice(0, KEPT);
  document.cookie = `${COOKIE}=${ids.join(".")};path=/;max-age=${YEAR};samesite=lax`;
}
