/**
 * The live connection to the server: JSON messages over a WebSocket that reconnects by itself.
 * The server is told which state the page has, and sends what is missing; others get whole states.
 *
 * @typedef {object} Handlers
 * @property {(message: Incoming) => void} message
 * @property {() => void} up connected, also again
 * @property {() => void} down
 * @property {() => void} gone there is no such game
 */

// Milliseconds; doubles with every failure
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const HEARTBEAT = 20000;
const NO_SUCH_GAME = 4404;

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #address;
  #handlers;
  /** What the page has of the game; null to be sent all of it. @type {State | null} */ #state;
  #wait = FIRST_WAIT;
  #retry = 0;
  #timer = 0;
  #lastReceived = 0;

  /** @param {string} path @param {Handlers} handlers @param {State | null} state */
  constructor(path, handlers, state) {
    this.#state = state;
    this.#address = location.origin.replace(/^http/, "ws") + path;
    this.#handlers = handlers;
    addEventListener("online", () => this.#reconnect());
    addEventListener("pageshow", (event) => event.persisted && this.#reconnect());
    document.addEventListener("visibilitychange", () => document.hidden || this.#reconnect());
    this.#open();
  }

  get up() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message; false while disconnected. @param {object} message */
  send(message) {
    if (!this.up) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Reconnect at once: the network or the player is back. */
  #reconnect() {
    if (this.#socket && this.#socket.readyState < WebSocket.CLOSING) return;
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    const { version, history } = this.#state ?? {};
    const socket = new WebSocket(`${this.#address}&have=${this.#state ? `${version}.${history?.length}` : ""}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.#lastReceived = Date.now();
      this.#timer = setInterval(() => this.#heartbeat(socket), HEARTBEAT);
      this.#handlers.up();
    });
    socket.addEventListener("message", ({ data }) => {
      this.#lastReceived = Date.now();
      const message = this.#whole(JSON.parse(data));
      if (message) this.#handlers.message(message);
      else socket.close();
    });
    socket.addEventListener("close", ({ code }) => {
      clearInterval(this.#timer);
      if (socket !== this.#socket) return;
      if (code === NO_SUCH_GAME) {
        this.#handlers.gone();
        return;
      }
      this.#handlers.down();
      // A random delay, so that not all pages reconnect to a restarted server at once.
      this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    });
  }

  /** The message, with a whole state in place of its changes; null where these fit nothing. @param {ServerMessage} message @returns {Incoming | null} */
  #whole(message) {
    if (message.t === "state") this.#state = message;
    if (message.t !== "delta") return message;
    const { keep, add, changes } = message;
    if (!this.#state || this.#state.history.length < keep) return (this.#state = null);
    const history = [...this.#state.history.slice(0, keep), ...add];
    return (this.#state = { ...this.#state, ...changes, history, t: "state" });
  }

  /** Close a connection that was silent for two heartbeats; browsers notice later or never. */
  #heartbeat(/** @type {WebSocket} */ socket) {
    if (Date.now() - this.#lastReceived > 2 * HEARTBEAT + 1000) socket.close();
    else socket.send('{"t":"ping"}');
  }
}
