// Choosing a game, its problem and its players; for a published problem the picture of what to lay.

import { element, find, submitted } from "./drawing.js";
import { exchange, send } from "./sending.js";

const LISTING = new Intl.ListFormat("en-GB");

export class Choosing {
  #table;
  #games = null;
  #beginning = false;
  #played = "";

  constructor(table) {
    this.#table = table;
    find("choose-game").addEventListener("click", () => this.open());
    find("begin").addEventListener("click", () => this.open());
    submitted("choosing", () => this.#play());
    find("games").addEventListener("change", () => {
      this.#chosen();
      if (!matchMedia("(max-width: 40rem)").matches) return;
      find("needs").scrollIntoView({ block: "nearest" }); // with what can be chosen above it
      const laid = find("set-up");
      laid.querySelector("img")?.addEventListener("load", () => laid.scrollIntoView({ block: "nearest" }));
    });
    find("players").addEventListener("change", () => this.#ways());
    find("problem").addEventListener("change", () => this.#picture());
  }

  /** Opens at once; the games may be a while in coming. */
  async open() {
    find("play").disabled = !this.#games;
    find("choosing").showModal();
    const refused = this.#games ? "" : await exchange("/api/games", (games) => this.#list(games));
    find("choosing-refused").textContent = refused;
    find("play").disabled = !this.#games;
    this.#point();
    find("games").querySelector(":checked")?.focus();
  }

  /** What is played, by a view. */
  show(view) {
    this.#played = view.game;
  }

  /** Whoever opens the list while a game is played finds that one chosen. */
  #point() {
    const played = [...find("games").querySelectorAll("input")].find((one) => one.value === this.#played);
    if (!played || played.checked) return;
    played.checked = true;
    this.#chosen();
  }

  #list(games) {
    this.#games = games;
    find("games").replaceChildren(...games.map((game, k) => element("label", {},
      element("input", { type: "radio", name: "game", value: game.slug, ...(k ? {} : { checked: "" }) }),
      element("span", {}, game.title),
      element("small", {}, players(game.players)))));
    this.#chosen();
  }

  get #game() {
    const slug = find("games").querySelector(":checked")?.value;
    return this.#games.find((game) => game.slug === slug);
  }

  #chosen() {
    const game = this.#game;
    const [least, most] = game.players;
    const counts = [...Array(most - least + 1).keys()].map((k) => String(least + k));
    const problems = game.problems.map((name) => [name, name]);
    if (!game.variants.length) problems.unshift(["", "what lies there"]);
    fill("problem", game.problems.length ? problems : []);
    fill("players", game.variants.length && counts.length > 1 ? counts.map((name) => [name, name]) : []);
    this.#ways();
    if (game.problems.length) find("problem").value = game.problems[0];
    find("needs").textContent = `Needs ${[game.set, ...game.needs].join(", ")}.`;
    this.#picture();
  }

  // The ways to play, and to sit, that so many may choose among.
  #ways() {
    const { players: [least], variants, seats, seated } = this.#game;
    const many = Number(find("players").value || least) - least;
    const fitting = variants[many] ?? [];
    const chosen = find("variant").value;
    fill("variant", fitting.length > 1 ? fitting.map((name) => [name, name]) : []);
    if (fitting.includes(chosen)) find("variant").value = chosen;
    const places = (seats[many] ?? []).map((sides) => [sides.join(), LISTING.format(sides)]);
    const usual = ["", `calibrated sides, else ${LISTING.format(seated[many] ?? [])}`];
    fill("sitting", places.length > 1 ? [usual, ...places] : []);
  }

  #picture() {
    const name = find("problem").value;
    const address = `/api/games/${this.#game.slug}/problems/${encodeURIComponent(name)}.svg`;
    find("set-up").replaceChildren(...(name ? [element("img", { src: address, alt: `The set-up of problem ${name}` })] : []));
  }

  async #play() {
    if (this.#beginning) return; // pressed twice
    this.#beginning = true;
    const choice = { game: this.#game.slug };
    if (find("problem").value) choice.problem = find("problem").value;
    if (find("players").value) choice.players = Number(find("players").value);
    if (find("variant").value) choice.variant = find("variant").value;
    if (find("sitting").value) choice.seats = find("sitting").value.split(",");
    const refused = await send(`/api/tables/${this.#table}/game`, choice, ({ camera }) => {
      find("choosing").close();
      if (!camera.source) find("choose-camera").click();
    });
    find("choosing-refused").textContent = refused;
    this.#beginning = false;
  }
}

function fill(id, options) {
  find(id).replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
  find(`${id}-label`).hidden = !options.length;
}

function players([least, most]) {
  if (least === most) return least === 1 ? "1 player" : `${least} players`;
  return `${least} to ${most} players`;
}
