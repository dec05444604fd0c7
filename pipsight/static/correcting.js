// A tile corrected in two taps: the tile, then what it reads; its likely readings first, then every number.

import { element, find, middle, submitted } from "./drawing.js";

const HALVES = ["first", "second"];
const MOST_PIPS = 15;
const OTHERWISE = [["back", "Face down"], [null, "No domino"]];

export class Correcting {
  #link;
  #tile = null;
  #turned = false;
  #chosen = [null, null];
  #highest = 12;

  constructor(link) {
    this.#link = link;
    submitted("correcting", () => this.#say(this.#chosen));
    HALVES.forEach((name, half) => find(`typed-${name}`).addEventListener("input", (event) => this.#typed(half, event.target.value)));
  }

  /** Offer the numbers of the set that is played with; any other is typed. */
  show(view) {
    this.#highest = view.highest;
  }

  #typed(half, text) {
    const number = Number(text);
    if (text !== "" && Number.isInteger(number) && number >= 0 && number <= MOST_PIPS) this.#choose(half, number);
    else this.#choose(half, null);
  }

  /** Ask what a tile reads; canvas: the picture, width: that of the camera's picture, in which the tile's pixels count. */
  ask(tile, canvas, width) {
    this.#tile = tile;
    const [[x0, y0], [x1, y1]] = tile.centers_px;
    const flat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
    this.#turned = flat ? x1 < x0 : y1 < y0;
    find("first-half").textContent = flat ? "Left half" : "Upper half";
    find("second-half").textContent = flat ? "Right half" : "Lower half";
    HALVES.forEach((name) => find(`typed-${name}`).setAttribute("aria-label", `${find(`${name}-half`).textContent}, typed`));
    find("why").textContent = tile.why;
    this.#chosen = tile.face_up ? this.#shown(tile.pips) : [null, null];
    this.#offer();
    this.#pads();
    portray(tile, canvas, width);
    find("correcting").showModal();
  }

  /** Numbers as they stand in the picture, from those in the tile's own order, and back. */
  #shown(pips) {
    return this.#turned ? [pips[1], pips[0]] : [...pips];
  }

  #offer() {
    const known = this.#tile.face_up ? [this.#tile.pips, ...this.#tile.others] : this.#tile.others;
    find("readings").replaceChildren(...known.map((pips) => {
      const shown = this.#shown(pips);
      return element("button", { type: "button", onclick: () => this.#say(shown) }, shown.join(" | "));
    }), ...OTHERWISE.filter(([said]) => said !== "back" || this.#tile.face_up).map(([said, words]) => (
      element("button", { type: "button", class: "none", onclick: () => this.#tell(said) }, words)
    )));
  }

  #pads() {
    const numbers = [...Array(Math.min(this.#highest, 12) + 1).keys()];
    HALVES.forEach((name, half) => {
      find(`pad-${name}`).replaceChildren(...numbers.map((number) => element("button", {
        type: "button",
        onclick: () => {
          find(`typed-${name}`).value = "";
          this.#choose(half, number);
        },
      }, String(number))));
      find(`typed-${name}`).value = this.#chosen[half] >= numbers.length ? this.#chosen[half] : "";
      this.#choose(half, this.#chosen[half]);
    });
  }

  #choose(half, number) {
    this.#chosen[half] = number;
    [...find(`pad-${HALVES[half]}`).children].forEach((key, k) => key.setAttribute("aria-pressed", String(k === number)));
    this.#ready();
  }

  #ready() {
    find("say").disabled = this.#chosen.includes(null);
    find("say").textContent = this.#chosen.includes(null) ? "Choose both halves" : `It is ${this.#chosen.join(" | ")}`;
  }

  #say(shown) {
    this.#tell(this.#shown(shown));
  }

  #tell(pips) {
    this.#link.ask({ ask: "correct", at_px: middle(this.#tile.corners_px), pips });
    find("correcting").close();
  }
}

/** The tile, cut out of the picture with some of its surroundings. */
function portray(tile, canvas, width) {
  const scale = canvas.width / width;
  const [x, y] = middle(tile.corners_px).map((value) => value * scale);
  const reach = 1.1 * scale * Math.max(...tile.corners_px.map(([a, b]) => Math.hypot(a - x / scale, b - y / scale)));
  const shown = find("portrait");
  const pen = shown.getContext("2d");
  pen.clearRect(0, 0, shown.width, shown.height);
  pen.drawImage(canvas, x - 2 * reach, y - reach, 4 * reach, 2 * reach, 0, 0, shown.width, shown.height);
  const zoom = shown.height / (2 * reach);
  pen.beginPath();
  tile.corners_px.forEach(([a, b]) => pen.lineTo((a * scale - x + 2 * reach) * zoom, (b * scale - y + reach) * zoom));
  pen.closePath();
  Object.assign(pen, { lineWidth: 3, strokeStyle: "#5cd6bb" });
  pen.stroke();
}
