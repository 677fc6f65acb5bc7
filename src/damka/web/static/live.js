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
// A message that was sent, and a ping after it, must have an answer within
const ANSWER = 4000;
const NO_SUCH_GAME = 4404;

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #address;
  #handlers;
  /** What the page has of the game; null for nothing of use, undefined where it wants whole states. @type {State | null | undefined} */
  #state;
  #wait = FIRST_WAIT;
  #retry = 0;
  #timer = 0;
  #doubt = 0;
  #lastReceived = 0;
  /** What is to be sent once the page is connected; null from then on. @type {object[] | null} */
  #early = [];

  /** @param {string} path @param {Handlers} handlers @param {State} [state] what the page has of the game, to be told only what changes */
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

  /**
   * Send a message, before the first connection as soon as it is open; false while disconnected, and
   * until then for moves, which the page sends again.
   * @param {{t?: string, id?: string}} message
   */
  send(message) {
    if (!this.up) return Boolean(message.t !== "move" && this.#early?.push(message));
    const socket = /** @type {WebSocket} */ (this.#socket);
    socket.send(JSON.stringify(message));
    this.#expect(socket);
    return true;
  }

  /** Begin the connection anew: somebody else is at the page now. */
  again() {
    this.#socket?.close();
  }

  /** Reconnect at once: the network or the player is back. */
  #reconnect() {
    if (this.#socket && this.#socket.readyState < WebSocket.CLOSING) return;
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    const had = this.#state;
    const have = had ? `${had.version}.${had.history.length}` : "";
    const socket = new WebSocket(had === undefined ? this.#address : `${this.#address}&have=${have}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      this.#lastReceived = Date.now();
      this.#timer = setInterval(() => this.#heartbeat(socket), HEARTBEAT);
      this.#handlers.up();
      this.#early?.forEach((message) => this.send(message));
      this.#early = null;
    };
    socket.onmessage = ({ data }) => {
      this.#lastReceived = Date.now();
      const message = this.#whole(JSON.parse(data));
      if (message) this.#handlers.message(message);
      else socket.close();
    };
    socket.onclose = ({ code }) => this.#ended(socket, code);
  }

  /** The message, with a whole state in place of its changes; null where these fit nothing. @param {ServerMessage} message @returns {Incoming | null} */
  #whole(message) {
    if (message.t === "state" && this.#state !== undefined) this.#state = message;
    if (message.t !== "delta") return message;
    const { keep, add, changes } = message;
    if (!this.#state || this.#state.history.length < keep) return (this.#state = null);
    const history = [...this.#state.history.slice(0, keep), ...add];
    return (this.#state = { ...this.#state, ...changes, history, t: "state" });
  }

  /** @param {WebSocket} socket @param {number} code */
  #ended(socket, code) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    clearInterval(this.#timer);
    clearTimeout(this.#doubt);
    if (code === NO_SUCH_GAME) {
      this.#handlers.gone();
      return;
    }
    this.#handlers.down();
    // A random delay, so that not all pages reconnect to a restarted server at once.
    this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** Give a connection up: without a network its end may not come for a minute. @param {WebSocket} socket */
  #giveUp(socket) {
    socket.close();
    this.#ended(socket, 0);
  }

  /** Ask again where no answer comes, then give up. @param {WebSocket} socket */
  #expect(socket) {
    clearTimeout(this.#doubt);
    const sent = Date.now();
    const silent = () => socket === this.#socket && this.#lastReceived < sent;
    this.#doubt = setTimeout(() => {
      if (!silent()) return;
      socket.send('{"t":"ping"}');
      this.#doubt = setTimeout(() => silent() && this.#giveUp(socket), ANSWER);
    }, ANSWER);
  }

  /** Give up a connection that was silent for two heartbeats; browsers notice later or never. */
  #heartbeat(/** @type {WebSocket} */ socket) {
    if (Date.now() - this.#lastReceived > 2 * HEARTBEAT + 1000) this.#giveUp(socket);
    else socket.send('{"t":"ping"}');
  }
}
