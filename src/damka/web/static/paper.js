/** Printable page. */

document.getElementById("print")?.addEventListener("click", () => print());
