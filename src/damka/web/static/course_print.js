/** A course for the printer. */

import "./header.js";

document.getElementById("print")?.addEventListener("click", () => print());
