/** Short synthesised wooden sounds; silent until the first gesture on the page. */

/** @type {AudioContext | null} */
let audio = null;

/**
 * A knock on wood: a short low tone with a little noise.
 * @param {AudioContext} context
 * @param {number} when
 * @param {number} pitch in hertz
 * @param {number} loudness
 */
function knock(context, when, pitch, loudness) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loudness, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + 0.09);
  gain.connect(context.destination);
  const tone = context.createOscillator();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, when);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, when + 0.08);
  tone.connect(gain);
  tone.start(when);
  tone.stop(when + 0.1);
  const noise = context.createBufferSource();
  noise.buffer = context.createBuffer(1, 400, context.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length);
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = pitch * 8;
  noise.connect(filter).connect(gain);
  noise.start(when);
}

/** Knocks of each sound: [seconds from now, pitch, loudness]. */
const SOUNDS = {
  step: [[0, 210, 0.25]],
  capture: [[0, 250, 0.25], [0.09, 170, 0.3]],
  crown: [[0, 210, 0.25], [0.12, 330, 0.2], [0.22, 440, 0.15]],
  refuse: [[0, 110, 0.18]],
  ask: [[0, 330, 0.12], [0.14, 330, 0.1]],
  end: [[0, 220, 0.2], [0.16, 277, 0.2], [0.32, 330, 0.2]],
};

/** @typedef {keyof typeof SOUNDS} Sound */

/** Play a sound; without audio, or with one that fails, do nothing. @param {Sound} name */
export function play(name) {
  // Browsers allow sound only after a gesture; before it a context would only warn.
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    // A phone suspends a page's audio during a call.
    if (audio.state !== "running") audio.resume().catch(() => {});
    for (const [after, pitch, loud] of SOUNDS[name]) knock(audio, audio.currentTime + after, pitch, loud);
  } catch {
    // The device has no audio output, or all its contexts are in use.
    audio = null;
  }
}
