// What happens, in sentences: the newest one large, what is waited for, what is wrong, the moves, the clock, the steps.

import { brief, clock, element, find, inlined, player, tell, worded } from "./drawing.js";
import { lines } from "./told.js";

const MOST_FAULTS = 4; // that are told one by one; all are marked in the picture
const SHOWN_ELSEWHERE = new Set(["waits", "trouble", "countdown", "pressed", "photo_finish", "chosen"]);

/** The sentence of an event; that of a fault is its first, and a foul is somebody's. */
export function sentenceOf(event) {
  if (event.event === "foul" && event.seat !== null) return `${player(event.seat)}: ${event.text}`;
  if (event.text) return event.text;
  const [first] = event.faults ?? [];
  return first?.text ?? "";
}

export class Story {
  #board = null;
  #told = "";
  #clockFrom = null;
  #steps = []; // of a solution: each its move, and that in a sentence
  #at = 0;
  #sentences = []; // of the moves, by their numbers
  #faults = [];
  #game = null;
  #silent = true; // nothing has happened yet in this game

  constructor() {
    setInterval(() => this.#tick(), 500);
    find("step-on").addEventListener("click", () => this.#step(this.#at + 1));
    find("step-back").addEventListener("click", () => this.#step(this.#at - 1));
  }

  /** Nothing has happened yet. */
  begin() {
    this.#sentences = [];
    this.#solved([]);
    this.#silent = true;
  }

  /** There is nothing to tell, and why. */
  refused(text) {
    this.#say(text, "happened refused");
  }

  happened(event) {
    if (event.event === "hinted" && event.moves?.length) this.#solved(event.moves.map((move, k) => ({ move, told: event.told?.[k] })));
    else if (event.event === "moved" && this.#steps[this.#at]?.move === event.move) this.#step(this.#at + 1);
    else if (["moved", "taken_back", "resynced", "began"].includes(event.event)) this.#solved([]);
    if (event.event === "moved") this.#sentences[event.number] = event.text;
    const text = sentenceOf(event);
    if (!text || SHOWN_ELSEWHERE.has(event.event)) return;
    this.#silent = false;
    this.#say(text, `happened ${event.event}`);
    this.#wrong();
  }

  #say(text, className) {
    tell(find("happened"), text);
    find("happened").className = className;
    this.#hush();
  }

  /** What is waited for is not told twice, as where help can say no more. */
  #hush() {
    find("waits").hidden = this.#silent || find("happened").textContent.startsWith(find("waits").textContent);
  }

  /** What is wrong stands there until it is right again, whatever else is said. */
  #wrong(faults = this.#faults) {
    this.#faults = faults;
    const told = find("happened").textContent;
    const others = faults.map((fault) => fault.text).filter((text) => text !== told);
    const most = others.length > MOST_FAULTS + 1 ? MOST_FAULTS : others.length; // "and 1 more" would take as much room
    const more = others.length > most ? [element("li", {}, `and ${others.length - most} more`)] : [];
    find("faults").replaceChildren(...others.slice(0, most).map((text) => element("li", {}, ...worded(text))), ...more);
  }

  #solved(steps) {
    this.#steps = steps;
    find("steps").hidden = !steps.length;
    this.#step(0);
  }

  #step(to) {
    this.#at = Math.max(0, Math.min(to, this.#steps.length));
    const done = this.#at === this.#steps.length;
    const { move, told } = this.#steps[this.#at] ?? {};
    const step = done ? "That was the last step." : `Step ${this.#at + 1} of ${this.#steps.length}: ${told ?? move}`;
    tell(find("step"), step);
    find("step-back").disabled = this.#at === 0;
    find("step-on").disabled = done;
  }

  show(view) {
    const title = view.title || "";
    document.title = title ? `${title} · pipsight` : "pipsight";
    find("title").textContent = title;
    find("board-title").textContent = view.lay_this ? "Lay this" : ["setting up", "choosing"].includes(view.view) ? "What lies there" : "Board";
    const waits = view.paused ? "Paused." : (view.waits?.text ?? "");
    tell(find("waits"), waits);
    this.#silent ||= view.game !== this.#game && this.#game !== null;
    this.#game = view.game;
    if (this.#silent) this.#say(waits, "happened");
    this.#hush();
    this.#wrong(view.faults);
    find("trouble").hidden = !view.trouble;
    find("trouble").textContent = view.trouble;
    this.#tell(view);
    find("begin").hidden = view.view !== "choosing";
    document.querySelector(".picture").hidden = !view.camera?.source;
    find("save-picture").hidden = find("save-clip").hidden = !view.size_px[0]; // nothing was seen yet
    find("again").hidden = !view.camera?.over;
    this.#moves(view.moves);
    this.#draw(view);
    const running = view.view === "playing" && !view.paused && !view.camera?.over;
    this.#clockFrom = { seconds: view.clock_s ?? 0, at: performance.now(), running };
    this.#tick();
  }

  #moves(moves) {
    const list = find("moves");
    if (list.childElementCount === moves.length && list.dataset.last === JSON.stringify(moves.at(-1))) return;
    const told = (number) => element("small", {}, ...worded(this.#sentences[number] ?? ""));
    list.replaceChildren(...moves.map(({ move, by }, k) => element("li", {}, brief(move), element("span", {}, by), told(k + 1))));
    list.dataset.last = JSON.stringify(moves.at(-1));
    list.scrollTop = list.scrollHeight;
  }

  #tell({ told, board_svg: drawn }) {
    const shown = `${Boolean(drawn)} ${told}`;
    if (shown === this.#told) return;
    this.#told = shown;
    find("told").replaceChildren(...lines(told, Boolean(drawn)));
    find("told").hidden = !find("told").childElementCount;
  }

  #draw(view) {
    tell(find("board-says"), view.board_says);
    find("board-says").hidden = !view.board_says || view.board_says === view.waits?.text;
    if (view.board_svg === this.#board) return;
    this.#board = view.board_svg;
    const drawn = view.board_svg && inlined(view.board_svg);
    if (drawn) Object.entries({ role: "img", "aria-label": "The board as pipsight understands it" }).forEach(([k, v]) => drawn.setAttribute(k, v));
    find("board-drawn").replaceChildren(drawn || element("p", {}, "There is no board to draw yet."));
  }

  #tick() {
    if (!this.#clockFrom) return;
    const { seconds, at, running } = this.#clockFrom;
    find("clock").textContent = clock(seconds + (running ? (performance.now() - at) / 1000 : 0));
  }
}
