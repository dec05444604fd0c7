// Cobra Paw: what is hunted in huge pips, who was first and by how much, what is too close to call, the photo finishes.

import { element, find, pair, player, shape } from "./drawing.js";

const GALLERY = 6;
const PLACES = { 0: [], 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const OTHER_TIMES = new Set(["began", "resynced", "taken_back", "hunted_again"]);
const BLANK = "00";
const CLAIM = /^[1-9]:00/; // who is the first to claim ends no hunt

export class Hunt {
  #link;
  #table;
  #picture;
  #first = null; // who was first in the hunt that is over
  #winners = []; // of the game, once it is over
  #close = null; // what nobody can decide but the players
  #finish = null; // the photo finish of this hunt
  #finishes = [];
  #view = null;

  constructor(link, table, picture) {
    this.#link = link;
    this.#table = table;
    this.#picture = picture;
    find("roll").addEventListener("click", () => link.ask({ ask: "chance" }));
    find("none").addEventListener("click", () => link.ask({ ask: "move", move: "none" }));
  }

  /** Nothing was hunted yet. */
  begin() {
    this.#finishes = [];
    this.#decide({ finish: null });
    this.#picture.light("");
  }

  happened(event) {
    const { event: kind } = event;
    if (kind === "was_first") this.#decide({ first: event.seat });
    else if (kind === "too_close") this.#decide({ close: event });
    else if (kind === "photo_finish") this.#photographed(event);
    else if (kind === "moved" && (this.#close || CLAIM.test(event.move))) this.#decide({});
    else if (OTHER_TIMES.has(kind) || (kind === "moved" && event.move.startsWith("roll"))) this.#decide({ finish: null });
    if (kind === "began") this.#finishes = [];
    if (kind === "over") this.#winners = event.winners;
    if (["foul", "too_close", "moved", ...OTHER_TIMES].includes(kind)) this.#picture.light(event.domino ?? "");
    if (this.#view) this.#draw();
  }

  #decide({ first = null, close = null, finish = this.#close ? null : this.#finish }) {
    this.#first = first;
    this.#close = close;
    this.#finish = first === null && !close ? finish : null;
  }

  #photographed(event) {
    if (this.#first === null || event.domino !== BLANK) this.#finish = event; // that of a claim says nothing of the find
    if (event.picture && !this.#finishes.some(({ picture }) => picture === event.picture)) this.#finishes = [event, ...this.#finishes].slice(0, GALLERY);
  }

  show(view) {
    find("hunt").hidden = !view.hunt;
    document.documentElement.toggleAttribute("data-hunt", Boolean(view.hunt));
    document.querySelector(".skip").href = view.hunt ? "#hunt" : "#board";
    document.documentElement.toggleAttribute("data-hunting", Boolean(view.hunt?.target));
    this.#view = view.hunt ? view : null;
    if (view.hunt) this.#draw();
  }

  #draw() {
    const { hunt, view, chance, paused } = this.#view;
    const over = view === "over";
    this.#target(this.#first === null && !this.#close ? hunt.target : null);
    const [who, by] = this.#verdict(hunt, over);
    say("first", who);
    say("margin", by);
    this.#between();
    find("roll").hidden = paused || !chance;
    find("none").hidden = hunt.claimed === null || over;
    find("taken").replaceChildren(...hunt.counts.map((count, seat) => standing(player(seat), count, hunt.goal)));
    this.#gallery();
  }

  /** The large line, and the one below it. */
  #verdict(hunt, over) {
    if (this.#close) return ["Too close to call", `${listed(this.#close.seats.map(player))}: say who it was, or hunt again.`];
    if (over && !this.#winners.includes(this.#first)) { // they won by a reward, or together
      return [listed(this.#winners.map(player)), this.#winners.length > 1 ? "win together." : "wins."];
    }
    const owed = listed(hunt.owed.map(player));
    const reward = "may take a domino as a reward.";
    if (this.#first !== null) {
      const by = margin(this.#finish, this.#first);
      return [player(this.#first), owed ? `${by.replace(/\.?$/, ".")} ${owed} ${reward}` : by];
    }
    if (owed) return [owed, reward];
    if (hunt.claimed !== null) return [`${player(hunt.claimed)}: gone`, `Who finds the ${pair(hunt.target)}?`];
    if (hunt.target) return [pair(hunt.target), "If it is gone: the double blank."];
    return [`${player(hunt.roller)} rolls`, ""];
  }

  #target(pips) {
    const place = find("target");
    place.hidden = !pips;
    if (place.dataset.shown === String(pips)) return;
    place.dataset.shown = String(pips);
    place.replaceChildren(...(pips ? [domino(pips)] : []));
  }

  #between() {
    const place = find("between");
    const shown = this.#close ? `${this.#close.domino} ${this.#close.seats}` : "";
    place.hidden = !this.#close;
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    if (!this.#close) return place.replaceChildren();
    const { seats, domino: touched } = this.#close;
    const named = seats.map((seat) => element("button", {
      type: "button", class: "chief", onclick: () => this.#link.ask({ ask: "move", move: `${seat + 1}:${touched}` }),
    }, player(seat)));
    const again = element("button", { type: "button", onclick: () => this.#link.ask({ ask: "hunt_again" }) }, "Hunt again");
    place.replaceChildren(...named, again);
  }

  #gallery() {
    const place = find("gallery");
    const shown = this.#finishes.map(({ picture }) => picture).join();
    find("finishes").hidden = !shown;
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.replaceChildren(...this.#finishes.map((one) => this.#photo(one)));
  }

  #photo({ picture, text }) {
    const src = `/api/tables/${this.#table}/finishes/${picture}`;
    const row = element("li", {});
    const image = element("img", { src, alt: `Photo finish: ${text}`, onerror: () => row.remove() });
    row.append(element("button", { type: "button", onclick: () => enlarge(src, text) }, image, element("span", { "aria-hidden": "true" }, text)));
    return row;
  }
}

function enlarge(src, text) {
  find("finish-told").textContent = text;
  Object.assign(find("finish-large"), { src, alt: `Photo finish: ${text}` });
  find("finish").showModal();
}

function margin(finish, first) {
  if (!finish) return "was first.";
  if (!finish.margin_ms || finish.seats[0] !== first) return finish.text;
  return `by ${finish.margin_ms} ms, give or take ${finish.sigma_ms}`;
}

const listed = (names) => names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");

/** A line that a screen reader says again only where it has changed. */
export function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
  find(id).hidden = !text;
}

/** How a player stands: the name, as many dots as there are to win, the number; after a tie it may be a larger one. */
export function standing(name, count, goal) {
  const told = count > goal ? String(count) : `${count} of ${goal}`;
  const dots = Array.from({ length: goal }, (_, k) => element("i", k < count ? { class: "on" } : {}));
  return element("li", {}, element("b", {}, name), element("span", { class: "count" }, told), element("span", { class: "dots", "aria-hidden": "true" }, ...dots));
}

function domino([first, second]) {
  return shape("svg", { viewBox: "0 0 204 104", role: "img", "aria-label": `The target: ${pair([first, second])}` },
    shape("rect", { class: "tile-face", x: 2, y: 2, width: 200, height: 100, rx: 14 }),
    shape("line", { class: "tile-bar", x1: 102, y1: 14, x2: 102, y2: 90 }),
    ...pips(first, 2), ...pips(second, 102));
}

export function pips(number, left) {
  return PLACES[number].map((place) => shape("circle", { class: "tile-pip", cx: left + 24 + 26 * (place % 3), cy: 26 + 26 * Math.floor(place / 3), r: 9.5 }));
}
