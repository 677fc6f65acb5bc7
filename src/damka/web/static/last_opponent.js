// Show the form's rows for the last opponent before the first paint, and follow the choice until
// opponent.js is loaded.
{
  const root = document.documentElement;
  try {
    const { opponent = "computer" } = JSON.parse(localStorage.getItem("damka.choice") ?? "{}");
    root.dataset.opponent = String(opponent);
  } catch {
    // Without storage the opponent is the computer.
  }
  document.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "opponent") root.dataset.opponent = target.value;
  });
}
