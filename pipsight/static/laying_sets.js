// Which taught sets lie on this table: a choice for each in the camera's dialog, and one press after a set was taught.

import { element, find } from "./drawing.js";
import { exchange, send } from "./sending.js";

export class LayingSets {
  #table;
  #lying = [];
  #asked = 0;

  constructor(table) {
    this.#table = table;
    find("choose-camera").addEventListener("click", () => this.#list());
    find("sets").addEventListener("change", () => this.#tell(this.#lay(checked())));
    find("lay-set").addEventListener("click", async ({ target }) => {
      const refused = await this.#lay([...new Set([...this.#lying, target.dataset.set])]);
      find("lay-refused").textContent = refused;
      target.hidden = !refused;
    });
  }

  /** What lies there, by a view. */
  show(view) {
    this.#lying = view.sets ?? [];
  }

  async #list() {
    await this.#tell(exchange("/api/sets", (sets) => this.#offer([...sets, ...this.#forgotten(sets)])));
  }

  /** The sets that lie there still and were forgotten meanwhile. */
  #forgotten(sets) {
    const gone = this.#lying.filter((name) => !sets.some((one) => one.name === name));
    return gone.map((name) => ({ name, highest: null, lines: ["It was forgotten, and lies here until it is taken away."] }));
  }

  /** A set without a highest number is one whose file cannot be used: its line says why, and it can but be taken away. */
  #offer(sets) {
    find("sets").hidden = !sets.length;
    find("sets-taught").replaceChildren(...sets.map(({ name, highest, lines }) => element("label", {},
      element("input", {
        type: "checkbox",
        value: name,
        ...(this.#lying.includes(name) ? { checked: "" } : {}),
        ...(highest === null && !this.#lying.includes(name) ? { disabled: "" } : {}),
      }),
      element("span", {}, name),
      element("small", {}, [...(highest === null ? [] : [`double-${highest}.`]), ...lines].join(" ")))));
  }

  #lay(sets) {
    return send(`/api/tables/${this.#table}/sets`, { sets });
  }

  /** Say why something was refused; that all is well only if nothing else was asked for since. */
  async #tell(answer) {
    const asked = ++this.#asked;
    const refused = await answer;
    if (refused || asked === this.#asked) find("camera-refused").textContent = refused;
  }
}

const checked = () => [...find("sets-taught").querySelectorAll(":checked")].map((one) => one.value);
