// Apply the saved theme before the first paint.
try {
  const theme = localStorage.getItem("damka.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No saved theme when storage is blocked.
}
// Report a script of the page that fails to load or parse; nothing else would. The download may
// have been cut off, for example when the browser ends the service worker, so reload the page once
// first.
{
  const AGAIN = "damka.again";
  let whole = true;
  let reloads = false;

  const reloadOnce = () => {
    try {
      if (sessionStorage.getItem(AGAIN)) return false;
      sessionStorage.setItem(AGAIN, "1");
    } catch {
      // Without storage the page would reload for ever.
      return false;
    }
    location.reload();
    return true;
  };
  addEventListener(
    "error",
    ({ target }) => {
      // An old browser already has its own message.
      if (!(target instanceof HTMLScriptElement) || "old" in document.documentElement.dataset) return;
      whole = false;
      reloads ||= reloadOnce();
      if (reloads) return;
      document.body.classList.add("troubled");
      document.getElementById("broken")?.removeAttribute("hidden");
    },
    { capture: true },
  );
  addEventListener("load", () => {
    try {
      if (whole) sessionStorage.removeItem(AGAIN);
    } catch {
      // Nothing to remove.
    }
  });
}
