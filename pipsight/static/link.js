// The line to a table: events and views come, asks go; it is taken up again when it was cut.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 6000;
const STALE_MS = 3000;
const UNPAIRED = 4401;
const UNKNOWN = 4404;

export function addressOf(table, end) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/tables/${table}/${end}`;
}

export class Link extends EventTarget {
  #socket = null;
  #wait = FIRST_WAIT_MS;
  #waiting = [];

  constructor(table) {
    super();
    this.table = table;
  }

  connect() {
    const socket = new WebSocket(addressOf(this.table, "live"));
    this.#socket = socket;
    socket.binaryType = "blob";
    socket.onopen = () => {
      this.#wait = FIRST_WAIT_MS;
      this.#tell("open");
      const since = performance.now() - STALE_MS;
      this.#waiting.splice(0).filter(({ at }) => at > since).forEach(({ message }) => this.ask(message));
    };
    socket.onmessage = ({ data }) => this.#heard(data);
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  /** Ask the table for something; where the line is cut, once it is back, if that is soon: nobody waits for it later. */
  ask(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (message.ask !== "picture") this.#waiting.push({ message, at: performance.now() });
  }

  #heard(data) {
    if (data instanceof Blob) return this.#tell("picture", data);
    const message = JSON.parse(data);
    return this.#tell(message.event ? "event" : "view", message);
  }

  #closed(code, reason) {
    const forever = code === UNPAIRED || code === UNKNOWN;
    this.#tell("cut", { forever, reason });
    if (forever) return;
    setTimeout(() => this.connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
