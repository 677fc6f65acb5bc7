/** Reading the texts of a page aloud, where the browser has a voice in the page's language. */

/**
 * @param {HTMLElement} button switches reading on and off; it is invisible without a voice
 * @param {string} language
 * @param {() => string} text
 */
export function readAloud(button, language, text) {
  const speech = window.speechSynthesis;
  const voice = () => speech?.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
  const update = () => button.classList.toggle("voiceless", !voice());
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  /** Words being read, kept because a browser may forget them otherwise. @type {SpeechSynthesisUtterance | null} */
  let words = null;

  /** Read the text if reading is on; wait for its end. @returns {Promise<void>} */
  function read() {
    if (!isOn()) return Promise.resolve();
    speech.cancel();
    const spoken = (words = new SpeechSynthesisUtterance(text()));
    spoken.lang = language;
    spoken.voice = voice() ?? null;
    spoken.rate = 0.9;
    return new Promise((done) => {
      spoken.onend = spoken.onerror = () => {
        if (words === spoken) words = null;
        done();
      };
      speech.speak(spoken);
    });
  }

  update();
  speech?.addEventListener?.("voiceschanged", update);
  button.addEventListener("click", () => {
    speech.cancel();
    button.setAttribute("aria-pressed", String(!isOn()));
    void read();
  });
  addEventListener("pagehide", () => speech?.cancel());
  return {
    read,
    /** End what is read now; reading stays on. */
    hush: () => speech?.cancel(),
  };
}
