// What the table is seen through; the camera of this very device sends its pictures, the newest one first.

import { find, submitted } from "./drawing.js";
import { addressOf } from "./link.js";
import { exchange, send } from "./sending.js";

const LARGEST_PX = 1280;
const QUALITY = 0.85;
const UNDERWAY = 2; // pictures that were sent and not taken yet; more would only be older
const RETRY_MS = 1000;
const WANTED = { video: { facingMode: "environment", width: { ideal: LARGEST_PX }, height: { ideal: 720 } } };

export class Camera {
  #table;
  #video = document.createElement("video");
  #canvas = document.createElement("canvas");
  #socket = null;
  #underway = 0;
  #stream = null;
  #beginning = false;
  #source = ""; // what the table knows this camera by

  constructor(table) {
    this.#table = table;
    find("choose-camera").addEventListener("click", () => this.#open());
    find("own-camera").addEventListener("click", () => (find("own-table").checked ? this.#beside("page") : this.#begin()));
    if (location.hash === "#camera") this.#begin();
    submitted("cameras", () => this.#through(find("source").value.trim()));
    find("again").addEventListener("click", () => send(`/api/tables/${table}/again`, {}));
    document.addEventListener("visibilitychange", () => this.#stayAwake());
    document.querySelectorAll("[data-source]").forEach((one) =>
      one.addEventListener("click", () => this.#through(one.dataset.source)));
  }

  #open() {
    find("cameras").showModal();
    exchange("/api/invitation", (invitation) => this.#invite(invitation));
  }

  #invite({ address, qr_svg: code }) {
    find("invitation").hidden = !address;
    if (!address) return;
    find("code").replaceChildren(document.importNode(new DOMParser().parseFromString(code, "text/html").querySelector("svg"), true));
    find("address").textContent = find("address").href = address;
  }

  /** Look at another table through a camera; its page opens in the place of this one. */
  async #beside(source) {
    const away = ({ table }) => location.assign(`?table=${table}${source === "page" ? "#camera" : ""}`);
    find("camera-refused").textContent = await send("/api/tables", { source }, away);
  }

  async #through(source) {
    if (!source) return;
    if (find("own-table").checked) return this.#beside(source);
    const refused = await send(`/api/tables/${this.#table}/camera`, { source });
    if (!refused) this.#end();
    return this.#said(refused);
  }

  /** Say why something was refused, or be done. */
  #said(refused) {
    if (refused && !find("cameras").open) this.#open();
    if (!refused) find("cameras").close();
    find("camera-refused").textContent = refused;
  }

  /** Pressed twice it begins once: a camera that was opened and forgotten would stay on. */
  async #begin() {
    if (this.#beginning) return;
    this.#beginning = true;
    this.#said(await this.#film());
    this.#beginning = false;
  }

  /** Send this device's pictures from now on; what keeps it from that, in a sentence, or "". */
  async #film() {
    if (!navigator.mediaDevices) return "This browser gives its camera only to pages opened by https or on its own machine.";
    try {
      if (!this.#stream?.active) this.#stream = await navigator.mediaDevices.getUserMedia(WANTED); // it may have been unplugged
      Object.assign(this.#video, { srcObject: this.#stream, muted: true, playsInline: true });
      await this.#video.play();
    } catch (error) {
      return `The camera of this device cannot be used: ${error.message.replace(/\.$/, "")}.`;
    }
    this.#stayAwake();
    this.#source = `page${mark(this.#stream)}`;
    const refused = await send(`/api/tables/${this.#table}/camera`, { source: this.#source });
    if (!refused) this.#connect();
    return refused;
  }

  /** A screen that sleeps takes no pictures; browsers let it sleep again once another page was looked at. */
  #stayAwake() {
    if (this.#stream && !document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  }

  #connect() {
    const socket = new WebSocket(addressOf(this.#table, `camera?source=${this.#source}`));
    this.#socket?.close();
    this.#socket = socket;
    this.#underway = 0;
    socket.onopen = () => this.#watch(socket);
    socket.onmessage = ({ data }) => this.#answered(socket, JSON.parse(data));
    socket.onclose = () => {
      if (this.#socket === socket) setTimeout(() => this.#stream && this.#connect(), RETRY_MS);
    };
  }

  #watch(socket) {
    if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN) return;
    const again = () => this.#watch(socket);
    if (this.#underway < UNDERWAY && this.#video.videoWidth) this.#send(socket);
    if (this.#video.requestVideoFrameCallback) this.#video.requestVideoFrameCallback(again);
    else setTimeout(again, 33);
  }

  /** A picture was taken, or is not wanted: the table is seen through another camera by now. */
  #answered(socket, { event, text }) {
    if (this.#socket !== socket) return;
    this.#underway -= 1;
    if (event !== "refused") return;
    this.#end();
    this.#said(text);
  }

  #send(socket) {
    const scale = Math.min(1, LARGEST_PX / this.#video.videoWidth);
    const [width, height] = [this.#video.videoWidth, this.#video.videoHeight].map((side) => Math.round(side * scale));
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    this.#canvas.getContext("2d").drawImage(this.#video, 0, 0, width, height);
    this.#underway += 1;
    this.#canvas.toBlob((blob) => {
      if (blob && socket.readyState === WebSocket.OPEN) socket.send(blob);
      else this.#underway -= 1;
    }, "image/jpeg", QUALITY);
  }

  #end() {
    this.#socket?.close();
    this.#socket = null;
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = null;
  }
}

/** What tells this device's camera from another one's, whose calibration is not its own: a hash of what the browser calls it. */
function mark(stream) {
  const { deviceId = "" } = stream.getVideoTracks()[0]?.getSettings() ?? {};
  if (!deviceId) return "";
  const hash = [...deviceId].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 0x01000193), 0x811c9dc5);
  return `-${(hash >>> 0).toString(16).padStart(8, "0")}`;
}
