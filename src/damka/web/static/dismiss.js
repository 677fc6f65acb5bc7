/** Dismissed running games, in a cookie: the server lists other games instead. */

const COOKIE = "damka_away";
const MAX_IDS = 40;
const YEAR = 60 * 60 * 24 * 365;

/** @param {string} id */
export function dismiss(id) {
  const dismissed = document.cookie.match(`(?:^|; )${COOKIE}=([\\w.-]*)`)?.[1] ?? "";
  const ids = [id, ...dismissed.split(".").filter((other) => other && other !== id)].slice(0, MAX_IDS);
  document.cookie = `${COOKIE}=${ids.join(".")};path=/;max-age=${YEAR};samesite=lax`;
}
