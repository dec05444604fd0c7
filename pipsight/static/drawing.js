// Small things that every part of the page draws with.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...inside) {
  return filled(document.createElement(name), attributes, inside);
}

/** A sentence in which no line ends within a domino, as 2-5. */
export function worded(text) {
  const parts = text.split(/(\d+-\d+)/);
  return parts.map((part, k) => (k % 2 ? element("span", { class: "whole" }, part) : part));
}

/** Put a sentence where another may stand. */
export function tell(place, text) {
  if (place.textContent !== text) place.replaceChildren(...worded(text));
}

export function shape(name, attributes = {}, ...inside) {
  return filled(document.createElementNS(SVG, name), attributes, inside);
}

function filled(made, attributes, inside) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
}

/** An SVG document of the server's as a part of the page, without its white paper and its own style. */
export function inlined(text) {
  const bare = text.replace(/<style>[^<]*<\/style>/g, "");
  const drawn = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (drawn.nodeName !== "svg") return null;
  drawn.querySelectorAll("script").forEach((one) => one.remove());
  drawn.querySelector(':scope > rect[fill="white"]')?.remove();
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  return document.importNode(drawn, true);
}

export const player = (seat) => `Player ${seat + 1}`;

/** A move as it is listed: without its moment, and without all the dominoes of a board. */
export const brief = (move) => move.replace(/@[\d.]+/g, "").replace(/^board\(.*\)$/, "board");

/** Whether a key belongs to something that is typed into, or to a dialog. */
export const isTyping = ({ target }) => Boolean(target.closest?.("input, select, textarea, dialog")) || Boolean(document.querySelector("dialog[open]"));

/** What a dialog is for is done by its chief button and by Enter; what happens then says whether it closes. */
export function submitted(id, done) {
  find(id).querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    done();
  });
}

export const pair = ([first, second]) => `${first}-${second}`;
export const middle = (points) => [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};
