// What is heard: sentences spoken by the browser, and small sounds.

const TONES = {
  moved: [[523, 0], [659, 0.09]],
  began: [[392, 0], [523, 0.12], [659, 0.24]],
  over: [[523, 0], [659, 0.14], [784, 0.28], [1047, 0.42]],
  wrong: [[233, 0], [185, 0.18]],
  trouble: [[196, 0], [196, 0.25]],
  taken_back: [[659, 0], [523, 0.09]],
  righted: [[440, 0], [587, 0.09]],
  was_first: [[659, 0], [880, 0.1]],
  too_close: [[440, 0], [440, 0.16]],
  foul: [[247, 0], [208, 0.12]],
  pressed: [[784, 0]],
};
const LENGTH_S = 0.22;
const LOUD = 0.12;

export class Sounds {
  on = false;
  #air = null;

  /** Browsers let nothing sound before somebody has pressed something. */
  wake() {
    this.#air ??= new AudioContext();
    this.#air.resume();
  }

  play(kind) {
    if (!this.on || !TONES[kind]) return;
    this.wake();
    for (const [pitch, after] of TONES[kind]) this.#tone(pitch, this.#air.currentTime + after);
  }

  #tone(pitch, at) {
    const tone = this.#air.createOscillator();
    const gain = this.#air.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUD, at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0005, at + LENGTH_S);
    tone.connect(gain).connect(this.#air.destination);
    tone.start(at);
    tone.stop(at + LENGTH_S);
  }
}

export class Voice {
  on = false;

  say(text) {
    if (!this.on || !("speechSynthesis" in window) || !text) return;
    if (speechSynthesis.pending) speechSynthesis.cancel();
    const sentence = new SpeechSynthesisUtterance(text);
    sentence.lang = "en";
    speechSynthesis.speak(sentence);
  }
}
