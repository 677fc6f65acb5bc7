/** Copy buttons: `data-copy` has the text, `data-copied` the label once it is copied. */

// Milliseconds until the button has its label again
const SHOWN = 2000;

/** Copy text to the clipboard; return whether it could be copied. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The Clipboard API needs https, which a server in a local network seldom has.
    const focused = document.activeElement;
    const area = document.createElement("textarea");
    area.className = "unseen";
    area.value = text;
    // In an open dialog nothing outside can be selected
    (focused?.closest("dialog") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest(/** @type {"button"} */ ("[data-copy]"));
  if (!button) return;
  event.preventDefault();
  if (!(await copy(button.dataset.copy ?? ""))) {
    // The text beside the button can be copied by hand.
    if (button.previousElementSibling) getSelection()?.selectAllChildren(button.previousElementSibling);
    return;
  }
  const before = button.innerHTML;
  if (button.hasAttribute("data-done")) return;
  button.dataset.done = "";
  button.textContent = button.dataset.copied ?? "";
  // The live region of the page
  const spoken = document.getElementById("spoken");
  if (spoken) spoken.textContent = button.textContent;
  setTimeout(() => {
    button.innerHTML = before;
    delete button.dataset.done;
  }, SHOWN);
});
