// The form of a new game until its modules are loaded: show the rows of the last opponent at the
// first paint, mark the fields that the player uses, and keep a press of Play.
{
  const root = document.documentElement;
  try {
    const { opponent = "computer" } = JSON.parse(localStorage.getItem("damka.choice") ?? "{}");
    root.dataset.opponent = String(opponent);
  } catch {
    // Without storage the opponent is the computer.
  }
  /** @param {Event} event */
  const use = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    target.dataset.used = "";
    if (target.name === "opponent") root.dataset.opponent = target.value;
  };
  document.addEventListener("click", use);
  document.addEventListener("input", use);
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || form.id !== "new" || "ready" in form.dataset) return;
      event.preventDefault();
      form.dataset.waiting = "";
    },
    { capture: true },
  );
}
