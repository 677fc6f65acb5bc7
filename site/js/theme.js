// Before anything is painted: the theme that was chosen.
try {
  const theme = localStorage.getItem("damka.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage there is none.
}
// A script of the page that cannot be had, or read: nothing else would say so.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    document.body.classList.add("troubled");
    document.getElementById("broken")?.removeAttribute("hidden");
  },
  { capture: true },
);
