/** Finished reviews in this browser, the latest ones only. */

const KEY = "damka.reviews";
const MAX_REVIEWS = 20;
/** Most characters of all stored reviews. */
const MAX_LENGTH = 1_500_000;

/**
 * @typedef {object} StoredReview
 * @property {string} game
 * @property {string} language
 * @property {Side | null} reader
 * @property {ReviewData} review
 * @property {ReviewEvaluation[]} evaluations so that the sentences can be written anew
 */

/** @returns {StoredReview[]} the latest first */
function all() {
  try {
    const reviews = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return reviews.filter((/** @type {any} */ each) => Array.isArray(each.review.moments) && Array.isArray(each.evaluations));
  } catch {
    return [];
  }
}

/** @param {string} game @returns {StoredReview | null} */
export const stored = (game) => all().find((each) => each.game === game) ?? null;

/** @param {StoredReview} review */
export function store(review) {
  const reviews = [review, ...all().filter(({ game }) => game !== review.game)].slice(0, MAX_REVIEWS);
  while (reviews.length && JSON.stringify(reviews).length > MAX_LENGTH) reviews.pop();
  for (; reviews.length; reviews.pop()) {
    try {
      return localStorage.setItem(KEY, JSON.stringify(reviews));
    } catch {
      // Full: store fewer. Without storage the review lasts until the page is closed.
    }
  }
}
