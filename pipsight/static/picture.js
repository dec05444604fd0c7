// The live picture, and the reading drawn on it: every tile can be chosen, doubtful ones stand out.

import { element, find, middle, pair, shape } from "./drawing.js";

const PAUSE_MS = 60;
const NO_PICTURE = "No picture yet. Press Camera, then The camera of this device.";

export class Picture {
  #link;
  #choose;
  #canvas = find("picture");
  #marks = find("marks");
  #tiles = [];
  #doubtful = [];
  #at = 0;
  #drawn = "";
  #lit = "";
  #view = null;

  /** choose: called with a tile that somebody wants to correct. */
  constructor(link, choose) {
    this.#link = link;
    this.#choose = choose;
    link.addEventListener("open", () => this.#next());
    link.addEventListener("picture", ({ detail }) => this.#show(detail));
    document.addEventListener("visibilitychange", () => this.#next());
    this.#marks.addEventListener("keydown", (event) => this.#steer(event));
    this.#marks.addEventListener("click", (event) => this.#clicked(event));
  }

  #next() {
    if (!document.hidden) this.#link.ask({ ask: "picture" });
  }

  async #show(blob) {
    try {
      const image = await createImageBitmap(blob);
      if (this.#canvas.width !== image.width || this.#canvas.height !== image.height) {
        Object.assign(this.#canvas, { width: image.width, height: image.height });
      }
      this.#canvas.getContext("2d").drawImage(image, 0, 0);
      image.close();
      find("no-picture").hidden = true;
    } finally {
      setTimeout(() => this.#next(), PAUSE_MS);
    }
  }

  /** Light one domino wherever it lies, by its two characters; "" for none. */
  light(domino) {
    this.#lit = domino;
    if (this.#view) this.draw(this.#view);
  }

  /** Draw what a view says over the picture. */
  draw(view) {
    this.#view = view;
    if (view.camera.source.startsWith("page")) find("no-picture").textContent = NO_PICTURE;
    const parts = JSON.stringify([view.size_px, view.tiles, view.dice, view.pieces, view.faults, view.lit_px, view.hands, view.hunt?.sides, this.#lit]);
    if (parts === this.#drawn) return;
    this.#drawn = parts;
    const [width, height] = view.size_px;
    this.#marks.setAttribute("viewBox", `0 0 ${width || 16} ${height || 9}`);
    this.#canvas.style.aspectRatio = `${width || 16} / ${height || 9}`; // nothing below moves when the picture comes
    const focused = this.#marks.contains(document.activeElement);
    this.#tiles = view.tiles;
    this.#at = Math.min(this.#at, Math.max(0, view.tiles.length - 1));
    const cells = (quads, kind) => quads.map((quad) => shape("polygon", { class: kind, points: quad.join(" ") }));
    this.#marks.replaceChildren(
      ...this.#spots(view),
      ...view.tiles.flatMap((tile, k) => this.#tile(tile, k)),
      ...view.faults.flatMap((fault) => cells(fault.quads_px, "wrong-cell")),
      ...cells(view.lit_px, "lit-cell"),
      ...cells(view.tiles.filter((tile) => this.#isLit(tile)).map((tile) => tile.corners_px), "wrong-cell"),
      ...view.hands.flatMap((hand) => this.#hand(hand, view.hunt?.sides ?? [], width)),
    );
    if (focused) this.#focus();
    this.#doubts(view.tiles);
    find("advice").textContent = view.advice.join(" ");
  }

  #tile(tile, k) {
    const kind = ["tile", tile.doubtful ? "doubtful" : tile.changed_from && "changed", tile.covered && "covered", !tile.face_up && "back"];
    const drawn = shape("polygon", {
      class: kind.filter(Boolean).join(" "),
      points: tile.corners_px.join(" "),
      role: "button",
      tabindex: k === this.#at ? 0 : -1,
      "aria-label": told(tile),
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          this.#correct(k);
        }
      },
    });
    if (tile.doubtful) return [drawn, ...badge(tile, "?")];
    return tile.changed_from ? [drawn, ...badge(tile, "*")] : [drawn];
  }

  /** The drawing hears the click, not the tile: tiles drawn anew between press and release lose no tap. */
  #clicked(event) {
    const under = [event.target, ...document.elementsFromPoint(event.clientX, event.clientY)];
    const k = this.#drawnTiles().findIndex((tile) => under.includes(tile));
    if (k >= 0) this.#correct(k);
  }

  #correct(k) {
    this.#at = k;
    this.#choose(this.#tiles[k], this.#canvas, this.#marks.viewBox.baseVal.width);
  }

  #drawnTiles() {
    return [...this.#marks.querySelectorAll(".tile")];
  }

  #isLit(tile) {
    return tile.face_up && this.#lit === [...tile.pips].sort((a, b) => b - a).join("");
  }

  /** A hand, its fingertips, and whose it is by the side that it comes from. */
  #hand({ outline_px: outline, tips_px: tips, side }, sides, width) {
    const seat = sides.indexOf(side);
    const dots = tips.map(([x, y]) => shape("circle", { class: "tip", cx: x, cy: y, r: width / 130 }));
    const label = tips.slice(0, 1).map(([x, y]) =>
      shape("text", { class: "whose", transform: `translate(${x} ${y - width / 50}) scale(${width / 32})` }, seat < 0 ? "?" : String(seat + 1)));
    return [shape("polygon", { class: "hand", points: outline.join(" ") }), ...dots, ...label];
  }

  #spots(view) {
    const size = view.size_px[0] / 60;
    return [...view.dice, ...view.pieces].map(({ at_px: [x, y], doubtful }) =>
      shape("circle", { class: doubtful ? "spot doubtful" : "spot", cx: x, cy: y, r: size }));
  }

  #doubts(tiles) {
    this.#doubtful = tiles.filter((tile) => tile.doubtful && tile.face_up);
    const place = find("doubts");
    const shown = this.#doubtful.map(({ pips }) => pair(pips));
    if (place.dataset.shown === String(shown)) return; // what is pressed or has the focus stays
    place.dataset.shown = String(shown);
    place.replaceChildren(...shown.map((pips, k) => element("button", {
      type: "button", onclick: () => this.#choose(this.#doubtful[k], this.#canvas, this.#marks.viewBox.baseVal.width),
    }, `Is this the ${pips}?`)));
  }

  #steer(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !this.#tiles.length) return;
    event.preventDefault();
    this.#at = (this.#at + step + this.#tiles.length) % this.#tiles.length;
    this.#focus();
  }

  #focus() {
    const drawn = this.#drawnTiles();
    drawn.forEach((one, k) => one.setAttribute("tabindex", k === this.#at ? 0 : -1));
    drawn[this.#at]?.focus();
  }
}

function told(tile) {
  if (!tile.face_up) return "A tile face down";
  if (tile.doubtful) return `${pair(tile.pips)}, doubtful: ${tile.why || "not read surely"}`;
  return tile.changed_from ? `${pair(tile.pips)}: ${tile.why}` : pair(tile.pips);
}

function badge(tile, mark) {
  const [x, y] = middle(tile.corners_px);
  const size = Math.hypot(tile.corners_px[0][0] - x, tile.corners_px[0][1] - y) / 2.6;
  return [
    shape("circle", { class: "badge", cx: x, cy: y, r: size * 0.62 }),
    shape("text", { class: "mark", transform: `translate(${x} ${y}) scale(${size})` }, mark),
  ];
}
