// A countdown as a ring that empties, by the table's own clock, so that every page and a page loaded anew show the same.

import { find, shape } from "./drawing.js";

const ROUND = 2 * Math.PI * 44;
const LAST_S = 10;

export class Ring {
  #place;
  #until = null; // when it ends and how long it is, in seconds of the table's clock
  #now = null; // the table's clock, and when this page heard of it
  #band = shape("circle", { class: "band", cx: 50, cy: 50, r: 44, "stroke-dasharray": ROUND });
  #left = shape("text", { class: "left", x: 50, y: 52 });

  constructor(id) {
    this.#place = find(id);
    this.#place.append(shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
      shape("circle", { class: "way", cx: 50, cy: 50, r: 44 }), this.#band, this.#left));
    setInterval(() => this.#tick(), 100);
  }

  /** Nothing runs yet, by no clock. */
  begin() {
    this.#until = this.#now = null;
    this.#tick();
  }

  happened(event) {
    if (!event.past) this.#heard(event.time_s);
    if (event.event === "began") this.#until = null;
    if (event.event === "countdown") this.#until = event.length_s > 0 ? { end: event.time_s + event.length_s, length: event.length_s } : null;
    this.#tick();
  }

  show(view) {
    this.#heard(view.waits.time_s);
    if (view.view !== "playing") this.#until = null;
    this.#tick();
  }

  #heard(seconds) {
    this.#now = { seconds, at: performance.now() };
  }

  #tick() {
    this.#place.hidden = !this.#until || !this.#now;
    if (this.#place.hidden) return;
    const left = Math.max(0, this.#until.end - this.#now.seconds - (performance.now() - this.#now.at) / 1000);
    const whole = String(Math.ceil(left));
    this.#band.setAttribute("stroke-dashoffset", ROUND * (1 - Math.min(1, left / this.#until.length)));
    this.#place.classList.toggle("last", left <= LAST_S);
    if (this.#left.textContent === whole) return;
    this.#left.textContent = whole;
    this.#place.setAttribute("aria-label", `${whole} seconds left`);
  }
}
