// Lay the page Analyse out for the saved settings of the engine's lines before the first paint.
try {
  const { on = true, count = 2 } = JSON.parse(localStorage.getItem("damka.lines") ?? "{}");
  document.documentElement.classList.toggle("no-engine", !on);
  document.documentElement.style.setProperty("--lines", String(count));
} catch {
  // Without storage the engine is on.
}
