/** Form that edits the title of a study or a chapter in place. */

/**
 * @param {HTMLElement} row
 * @param {string} title
 * @param {{save: (title: string) => Promise<string>, closed: () => void, placeholder?: string}} options
 *   `save` returns an error message or "", `closed` is called when the form has been removed
 */
export function editTitle(row, title, { save, closed, placeholder = "" }) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("rename-form"));
  const form = /** @type {HTMLFormElement} */ (template.content.firstElementChild?.cloneNode(true));
  const [input, problem] = [form.querySelector("input"), form.querySelector(".problem")];
  if (!input || !problem) return;
  const close = () => {
    form.remove();
    row.classList.remove("editing");
    closed();
    /** @type {HTMLElement | null} */ (row.querySelector("[data-do^=rename]"))?.focus();
  };
  Object.assign(input, { value: title, placeholder });
  form.querySelector("[data-cancel]")?.addEventListener("click", close);
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // The list is drawn again with the answer.
    form.classList.remove("rename");
    problem.textContent = await save(input.value);
    form.classList.add("rename");
    if (problem.textContent) input.focus();
    else close();
  });
  row.classList.add("editing");
  row.append(form);
  input.focus();
  input.select();
}
