/** Reading a text aloud, where the browser has a voice in the page's language. */

/**
 * @param {HTMLElement} button it is invisible without a voice
 * @param {string} language
 * @param {() => string} text
 */
export function readAloud(button, language, text) {
  const speech = window.speechSynthesis;
  const voice = () => speech?.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
  const update = () => button.classList.toggle("voiceless", !voice());
  const isReading = () => button.getAttribute("aria-pressed") === "true";
  /** @param {boolean} on */
  const show = (on) => button.setAttribute("aria-pressed", String(on));

  update();
  speech?.addEventListener?.("voiceschanged", update);
  button.addEventListener("click", () => {
    speech.cancel();
    if (isReading()) return show(false);
    const words = new SpeechSynthesisUtterance(text());
    words.lang = language;
    words.voice = voice() ?? null;
    words.rate = 0.9;
    words.onend = words.onerror = () => show(false);
    show(true);
    speech.speak(words);
  });
  addEventListener("pagehide", () => speech?.cancel());
  return {
    /** Stop reading. */
    stop() {
      speech?.cancel();
      show(false);
    },
  };
}
