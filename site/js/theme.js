// Before anything is painted: the theme that was chosen.
try {
  const theme = localStorage.getItem("damka.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage there is none.
}
// A script of the page that cannot be had, or read: nothing else would say so. It may have been cut off on
// its way, as when the browser ends the service worker; so the page is loaded once more before.
{
  const AGAIN = "damka.again";
  let whole = true;
  let reloads = false;

  const reloadOnce = () => {
    try {
      if (sessionStorage.getItem(AGAIN)) return false;
      sessionStorage.setItem(AGAIN, "1");
    } catch {
      // Where nothing can be noted, it would be loaded again and again.
      return false;
    }
    location.reload();
    return true;
  };
  addEventListener(
    "error",
    ({ target }) => {
      // A browser that is too old is told of that.
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
      // There is nothing to remove.
    }
  });
}
