// Before anything is painted: the theme that was chosen.
try {
  const theme = localStorage.getItem("damka.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage there is none.
}
