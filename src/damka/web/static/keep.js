/**
 * A member's settings, which are kept with the account: those of this browser give way to them when a
 * page opens, and what is changed on it is sent. It stands before the other scripts of a page, and
 * they know nothing of it.
 */

const KEY = "damka.prefs";
const root = document.documentElement;

/** @returns {Record<string, boolean>} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

try {
  localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...JSON.parse(root.dataset.board ?? "{}") }));
} catch {
  // Without storage the settings are those of somebody new.
}

/** @param {object} change */
function send(change) {
  const headers = { "content-type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(change), keepalive: true };
  // Without a network it is kept in this browser at least.
  void fetch("/account/settings", options).catch(() => null);
}

const sendTheme = () => send({ theme: root.dataset.theme });

// Here the scripts of the page have done their part already.
document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("#theme")) sendTheme();
});
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest("dialog")) return;
  if (target.name === "theme") sendTheme();
  else if (target.dataset.pref) send({ board: { ...stored(), [target.dataset.pref]: target.checked } });
});
