// The wizards: the lens, the table, and a new set, over this table's camera. What they say is docs/protocol.md.

import { element, find, submitted } from "./drawing.js";
import { addressOf } from "./link.js";
import { exchange } from "./sending.js";
import { Asking } from "./set_questions.js";

const PAUSE_MS = 60;
const KINDS = ["lens", "table", "set"];
const DONE = { true: "Done", false: "Not done" };

export class Calibrating {
  #table;
  #socket = null;
  #asking = new Asking((reply) => this.#ask(reply));
  #kind = "lens";

  constructor(table) {
    this.#table = table;
    find("calibrate").addEventListener("click", () => this.open());
    find("calibration-camera").addEventListener("click", () => find("choose-camera").click());
    find("cameras").addEventListener("close", () => find("calibrating").open && this.#known());
    find("wizards").addEventListener("change", () => this.#chosen());
    find("found-by").addEventListener("change", () => this.#chosen());
    submitted("calibrating", () => this.#begin());
    find("stop-wizard").addEventListener("click", () => this.#stop());
    find("take").addEventListener("click", () => this.#ask({ ask: "take" }));
    find("enough").addEventListener("click", () => this.#ask({ ask: "enough" }));
    find("another-wizard").addEventListener("click", () => this.#choose());
    find("calibrating").addEventListener("close", () => this.#end());
    find("calibrating").addEventListener("cancel", (event) => this.#cancelled(event));
  }

  /** Open the dialog; kind: the wizard that is chosen at first. */
  open(kind = "lens") {
    find("wizards").querySelector(`[value="${KINDS.includes(kind) ? kind : "lens"}"]`).checked = true;
    this.#choose();
    find("calibrating").showModal();
  }

  #choose() {
    this.#end();
    this.#show("choosing-wizard");
    this.#chosen();
    this.#known();
  }

  #chosen() {
    this.#kind = find("wizards").querySelector(":checked").value;
    document.querySelectorAll("[data-wizard]").forEach((one) => { one.hidden = one.dataset.wizard !== this.#kind; });
    const by = find("found-by").value;
    document.querySelectorAll("[data-by]").forEach((one) => { one.hidden = !one.dataset.by.split(" ").includes(by); });
  }

  async #known() {
    find("begin-wizard").disabled = true;
    const refused = await exchange(`/api/tables/${this.#table}/calibration`, ({ camera, lines }) => {
      find("known-camera").textContent = camera ? `Camera: ${camera}. ${lines.join(" ")}` : "No camera was chosen yet.";
      find("begin-wizard").disabled = !camera;
    });
    if (refused) find("known-camera").textContent = refused;
  }

  /** Show one of the dialog's three parts, and let whoever uses no mouse go on there. */
  #show(part) {
    for (const name of ["choosing-wizard", "wizard", "wizard-over"]) find(name).hidden = name !== part;
    find(part === "wizard-over" ? "over-seen" : "wizard-seen").append(find("wizard-picture"));
    if (part !== "choosing-wizard") find(part).focus();
  }

  #begin() {
    const wish = this.#wish();
    if (!wish) return;
    find("wizard-refused").textContent = "";
    const socket = new WebSocket(addressOf(this.#table, "calibrate"));
    this.#socket = socket;
    socket.binaryType = "blob";
    socket.onopen = () => {
      this.#ask({ ask: "begin", what: this.#kind, ...wish });
      this.#ask({ ask: "picture" });
    };
    socket.onmessage = ({ data }) => (data instanceof Blob ? this.#picture(data) : this.#heard(JSON.parse(data)));
    socket.onclose = () => this.#cut(socket);
  }

  /** What the wizard is to know beforehand; null where a field is not as it must be, which the browser then says. */
  #wish() {
    const [width, depth] = [find("area-width"), find("area-depth")];
    [width.required, depth.required] = [Boolean(depth.value), Boolean(width.value)]; // half an area is none
    const fields = [...document.querySelectorAll(`[data-wizard="${this.#kind}"] input`)].filter((one) => one.offsetParent);
    if (!fields.every((one) => one.reportValidity())) return null;
    const number = (id) => (find(id).offsetParent && find(id).value ? Number(find(id).value) : null);
    if (this.#kind === "set") {
      return { name: find("set-name").value.trim(), highest: Number(find("set-highest").value), length_mm: number("set-length") };
    }
    if (this.#kind === "lens") return {};
    const area = [number("area-width"), number("area-depth")];
    return {
      by: find("found-by").value,
      ruler_mm: number("ruler"),
      tile_mm: number("tile-length"),
      area_mm: area.every(Boolean) ? area : null,
      seats: [...document.querySelectorAll("#seats :checked")].map((one) => one.value),
    };
  }

  #ask(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #heard(event) {
    if (event.event === "refused") return this.#refused(event.text);
    if (event.event === "finished") return this.#finished(event);
    if (find("wizard").hidden) this.#show("wizard");
    this.#asking.show(event);
    say("wizard-says", event.text);
    if (event.event !== "guided") return undefined;
    find("wizard-share").value = event.share;
    find("wizard-figures").replaceChildren(...event.figures.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    say("wizard-warnings", event.warnings.join(" "));
    find("take").hidden = !event.may.includes("take");
    find("enough").hidden = !event.may.includes("enough");
    return undefined;
  }

  #refused(text) {
    find("wizard-refused").textContent = text;
    if (find("wizard").hidden) this.#end();
  }

  #finished({ text, kept, lines }) {
    find("over-title").textContent = DONE[kept];
    find("over-says").textContent = text;
    find("over-lines").replaceChildren(...lines.map((line) => element("li", {}, line)));
    find("lay-set").hidden = !(kept && this.#kind === "set");
    find("lay-set").dataset.set = find("set-name").value.trim();
    find("lay-refused").textContent = "";
    find("over-seen").hidden = !kept;
    this.#asking.hide();
    this.#show("wizard-over");
  }

  async #picture(blob) {
    const image = await createImageBitmap(blob);
    const canvas = find("wizard-picture");
    if (canvas.width !== image.width || canvas.height !== image.height) Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
    setTimeout(() => this.#ask({ ask: "picture" }), PAUSE_MS);
  }

  #stop() {
    say("wizard-says", "Stopping.");
    this.#ask({ ask: "stop" });
  }

  #cancelled(event) {
    if (find("wizard").hidden) return;
    event.preventDefault();
    this.#stop();
  }

  #cut(socket) {
    if (this.#socket !== socket || !find("wizard-over").hidden) return;
    this.#finished({ text: "The line is cut, and the wizard has ended: what it had not kept by then is as it was before.", kept: false, lines: [] });
  }

  #end() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}

/** Change what is said only where it is something else, or a screen reader would say it again and again. */
function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}
