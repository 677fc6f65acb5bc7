/**
 * Sync of a member's settings with the account: the account's settings override those of this
 * browser when a page opens, and changes are sent. It runs before the other scripts of a page,
 * which do not depend on it.
 */

const KEY = "damka.prefs";
const root = document.documentElement;

/** @returns {Record<string, boolean>} */
function storedPrefs() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

try {
  localStorage.setItem(KEY, JSON.stringify({ ...storedPrefs(), ...JSON.parse(root.dataset.board ?? "{}") }));
} catch {
  // Without storage, use the default settings.
}

/** @param {object} change */
function sendSettings(change) {
  const headers = { "content-type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(change), keepalive: true };
  // Without a network the change is at least stored in this browser.
  void fetch("/account/settings", options).catch(() => null);
}

const sendTheme = () => sendSettings({ theme: root.dataset.theme });

// The scripts of the page have run by now.
document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("#theme")) sendTheme();
});
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest("dialog")) return;
  if (target.name === "theme") sendTheme();
  else if (target.dataset.pref) sendSettings({ board: { ...storedPrefs(), [target.dataset.pref]: target.checked } });
});
