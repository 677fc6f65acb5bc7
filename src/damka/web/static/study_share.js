/** Dialog that shares a study: by a link of the server that can be ended, or by a link that contains it. */

import { copy as copyText } from "./copy.js";
import { t } from "./i18n.js";
import { encode } from "./study_link.js";
import { fileText, saveFile } from "./study_files.js";
import { account } from "./study_store.js";
import { href } from "./transport.js";

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const sheet = /** @type {HTMLDialogElement} */ (get("sharing"));

/** @param {string} path */
const addressOf = (path) => new URL(href(path), location.href).href;

/**
 * @param {StudyStore} store
 * @param {StudyData} study with the texts of its chapters
 * @param {(study: StudyData) => void} changed called when sharing begins or ends
 * @param {typeof import("./study_text.js").say} say
 */
export async function offerSharing(store, study, changed, say) {
  const inLink = store.where === "browser" ? await encode(study) : "";
  const problem = get("sharing-problem");
  problem.textContent = "";

  /** @param {boolean} shared */
  async function share(shared) {
    const answer = await account.share(study.id, shared);
    problem.textContent = answer.message;
    if (!answer.ok) return;
    study = { ...study, share: answer.data.share };
    changed(study);
    show();
  }

  function show() {
    const path = inLink ? `/study/-?${study.chapters[0].query}${inLink}` : study.share ? `/study/${study.share}` : "";
    const means = store.where === "browser" ? (inLink ? "link_has_all" : "too_long") : study.share ? "is_shared" : "is_private";
    get("sharing-means").textContent = say(means);
    const link = get("sharing-link");
    link.hidden = !path;
    const [input, copy] = [link.querySelector("input"), link.querySelector("button")];
    if (input && copy && path) {
      input.value = addressOf(path);
      copy.onclick = async () => {
        const isCopied = await copyText(input.value);
        input.select();
        problem.textContent = isCopied ? "" : t("edit.say.not_copied");
        if (!isCopied) return;
        get("announcement").textContent = say("copied");
        copy.textContent = say("copied");
      };
      copy.textContent = say("copy");
    }
    /** @type {[string, string, () => void][]} */
    const acts =
      store.where === "browser"
        ? [["download", "button", () => saveFile(fileText(study.title, study.chapters), study.title)]]
        : study.share
          ? [["stop_sharing", "button quiet", () => void share(false)]]
          : [["create_link", "button big", () => void share(true)]];
    get("sharing-acts").replaceChildren(
      ...acts.map(([key, className, act]) => {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className, textContent: say(key) });
        button.addEventListener("click", act);
        return button;
      }),
    );
  }

  show();
  sheet.showModal();
}
