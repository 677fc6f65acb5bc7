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
  ({ target }) => target instanceof HTMLScriptElement && document.getElementById("broken")?.removeAttribute("hidden"),
  { capture: true },
);
