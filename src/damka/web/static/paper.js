/** A page for the printer. */

document.getElementById("print")?.addEventListener("click", () => print());
