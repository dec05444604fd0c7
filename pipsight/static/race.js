// Bee's race: who claims and what, the time that is left, the demonstration counted, the points.

import { element, find, isTyping, player, shape } from "./drawing.js";
import { pips, say } from "./hunt.js";
import { Ring } from "./ring.js";

const KEYS = 12; // longer claims are typed
const LETTERS = "qwerty"; // claim also while a number is typed
const CLAIM = /^([1-9]):/;

export class Race {
  #link;
  #ring = new Ring("ring");
  #view = null;
  #pressed = []; // who pressed and has not said a number yet, in order

  constructor(link) {
    this.#link = link;
    find("race-roll").addEventListener("click", () => link.ask({ ask: "chance" }));
    find("put-back").addEventListener("click", () => link.ask({ ask: "move", move: "back" }));
    find("give-up").addEventListener("click", () => link.ask({ ask: "move", move: "give-up" }));
    find("none-exists").addEventListener("click", () =>
      link.ask({ ask: "move", move: `${this.#view.race.flier + 1}:impossible` }));
    find("impossible").addEventListener("click", () => this.#claim("impossible"));
    find("never-mind").addEventListener("click", () => this.#forget());
    find("claim").addEventListener("submit", (event) => {
      event.preventDefault();
      if (find("claimed").value) this.#claim(find("claimed").value);
    });
    find("claim-keys").append(...Array.from({ length: KEYS }, (_, k) =>
      element("button", { type: "button", onclick: () => this.#claim(String(k + 1)) }, String(k + 1))));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Nobody has pressed yet. */
  begin() {
    this.#pressed = [];
    this.#ring.begin();
  }

  happened(event) {
    this.#ring.happened(event);
    const { event: kind } = event;
    if (kind === "pressed" && event.seat !== null) this.#heard(event);
    else if (kind === "moved") {
      const claimed = CLAIM.exec(event.move);
      this.#pressed = claimed ? this.#pressed.filter(({ seat }) => seat !== claimed[1] - 1) : [];
    } else if (["began", "resynced", "taken_back"].includes(kind)) this.#pressed = [];
    if (this.#view) this.#draw();
  }

  show(view) {
    this.#ring.show(view);
    find("race").hidden = !view.race;
    document.documentElement.toggleAttribute("data-race", Boolean(view.race));
    this.#view = view.race ? view : null;
    if (view.race) this.#draw();
  }

  #draw() {
    const { race, chance, view, paused } = this.#view;
    const thinking = race.phase === "solving" && view !== "over" && !paused;
    const helped = race.together && race.phase === "flying";
    const extra = race.round > race.rounds ? ", an extra round" : ` of ${race.rounds}`;
    find("race-title").textContent = `Round ${race.round}${extra}, ${race.dice} dice`;
    this.#queen(race.queen);
    const [leading, behind] = lines(this.#view);
    say("leading", leading);
    say("behind", behind);
    this.#claimers(race, thinking);
    this.#pad(thinking);
    find("race-roll").hidden = paused || !(chance && race.phase === "rolling");
    const away = race.phase === "returning" || race.phase === "settled" || (helped && race.flown > 0);
    find("put-back").hidden = paused || view === "over" || !away;
    find("none-exists").hidden = paused || !helped;
    const nobody = thinking && !race.claims.length && !this.#pressed.length; // who has pressed does not give up
    find("give-up").hidden = paused || !(race.phase === "flying" || nobody);
    find("give-up").textContent = thinking ? "All give up" : "Give up";
    const best = Math.max(...race.points);
    find("points").replaceChildren(...race.points.map((points, seat) => element("li", best && points === best ? { class: "leads" } : {},
      element("b", {}, player(seat)), element("span", { class: "count" }, `${points} ${points === 1 ? "point" : "points"}`))));
  }

  #queen(number) {
    const place = find("queen");
    place.hidden = !number;
    if (place.dataset.shown === String(number)) return;
    place.dataset.shown = String(number);
    place.replaceChildren(...(number ? [die(number), element("span", { "aria-hidden": "true" }, "Queen")] : []));
  }

  #claimers(race, thinking) {
    const place = find("claimers");
    place.hidden = !thinking;
    place.classList.toggle("others", thinking && this.#pressed.length > 0); // whose digits are typed into the pad now
    if (place.childElementCount === race.points.length) return;
    place.replaceChildren(...race.points.map((_, seat) => element("button", { type: "button", onclick: () => this.#press(seat) },
      element("kbd", { "aria-hidden": "true" }, element("span", { class: "digit" }, `${seat + 1} `), LETTERS[seat].toUpperCase()),
      `${player(seat)} claims`)));
  }

  #press(seat) {
    this.#link.ask({ ask: "press", seat });
  }

  /** The pad for who pressed first and has not said yet what. */
  #pad(thinking) {
    const form = find("claim");
    const [first] = thinking ? this.#pressed : [];
    const shown = first ? String(first.seat) : "";
    form.hidden = !first;
    if (form.dataset.shown === shown) return;
    form.dataset.shown = shown;
    find("claimed").value = "";
    if (!first) return find("claimed").blur(); // a hidden field would swallow the next player's key
    find("claim-title").textContent = `${player(first.seat)}: in how many moves?`;
    form.scrollIntoView({ block: "nearest" });
    if (!isTyping({ target: document.activeElement })) find("claimed").focus({ preventScroll: true });
  }

  #claim(what) {
    const [first] = this.#pressed;
    if (first) this.#link.ask({ ask: "move", move: `${first.seat + 1}:${what}@${first.at_s.toFixed(3)}` });
    find("claimed").value = "";
  }

  /** A press, or one that is taken back. */
  #heard({ seat, at_s, means }) {
    if (means === "withdrawn") this.#pressed = this.#pressed.filter((one) => one.seat !== seat);
    else if (means === "claim" && !this.#pressed.some((one) => one.seat === seat)) this.#pressed.push({ seat, at_s });
    this.#pressed.sort((one, other) => one.at_s - other.at_s);
  }

  #forget() {
    const [first] = this.#pressed;
    if (first) this.#link.ask({ ask: "press", seat: first.seat, on: false });
  }

  #key(event) {
    if (!this.#view || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.repeat) { // a key that is held down claims once, and its digits are no number
      if (event.target === find("claimed") && event.key.length === 1) event.preventDefault();
      return;
    }
    if (event.key === "Escape" && !find("claim").hidden && !document.querySelector("dialog[open]")) return this.#forget();
    const letter = LETTERS.indexOf(event.key.toLowerCase());
    const typed = letter >= 0 && event.target === find("claimed"); // no letter belongs to a number
    const seat = event.key.length > 1 ? -1 : letter >= 0 ? letter : "123456".indexOf(event.key);
    if (seat < 0 || (isTyping(event) && !typed) || find("claimers").hidden || seat >= this.#view.race.points.length) return;
    event.preventDefault();
    this.#press(seat);
  }
}

/** The large line, and the one below it. */
function lines({ race, view, waits }) {
  const behind = race.claims.filter(({ seat }) => seat !== race.shown?.seat).map((claim) =>
    `${player(claim.seat)}: ${told(claim)}${race.failed.includes(claim.seat) ? ", failed" : ""}`);
  if (race.phase === "solving") {
    if (race.shown) return [`${player(race.shown.seat)}: ${told(race.shown)}`, behind.join(". ")];
    return behind.length ? [behind[0], ""] : ["Who finds a way?", "The first claim starts the timer."];
  }
  if (race.phase === "flying" && race.together) return [`${race.flown} flown`, `${player(race.flier)} flies the bees; the others help.`];
  if (race.phase === "flying") return [`${race.flown} of ${race.shown.moves}`, [`${player(race.flier)} demonstrates`, ...behind].join(". ")];
  if (race.phase === "returning") return [`${player(race.flier)} is next`, [`${told(race.shown)}. Put the dice back first.`, ...behind].join(" ")];
  if (race.phase === "settled") return [settled(race), view === "over" ? "" : waits.text];
  return ["", waits.text];
}

const told = ({ moves }) => moves === null ? "impossible" : `${moves} ${moves === 1 ? "move" : "moves"}`;

function settled({ scored, together }) {
  if (!scored.length) return "Nobody scores";
  return together ? "All score" : `${player(scored[0])} scores`;
}

function die(number) {
  return shape("svg", { viewBox: "0 0 104 104", role: "img", "aria-label": `The queen is the ${number}` },
    shape("rect", { class: "tile-face", x: 2, y: 2, width: 100, height: 100, rx: 20 }), ...pips(number, 2));
}
