// Apply the saved theme before the first paint.
try {
  const theme = localStorage.getItem("damka.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No saved theme when storage is blocked.
}
// Report a script of the page that fails to load or parse. The download may have been interrupted,
// for example when the browser ends the service worker, so reload the page once before.
{
  const RELOADED = "damka.again";
  let isComplete = true;
  let isReloading = false;

  const reloadOnce = () => {
    try {
      if (sessionStorage.getItem(RELOADED)) return false;
      sessionStorage.setItem(RELOADED, "1");
    } catch {
      // Without storage the page would reload forever.
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
      isComplete = false;
      isReloading ||= reloadOnce();
      if (isReloading) return;
      document.body.classList.add("has-error");
      document.getElementById("broken")?.removeAttribute("hidden");
    },
    { capture: true },
  );
  addEventListener("load", () => {
    try {
      if (isComplete) sessionStorage.removeItem(RELOADED);
    } catch {
      // Nothing to remove.
    }
  });
}
