/**
 * The live connection to the server: JSON messages over a WebSocket that reconnects by itself.
 * Every state from the server is complete, so nothing has to be caught up after a break.
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
  #wait = FIRST_WAIT;
  #retry = 0;
  #timer = 0;
  #doubt = 0;
  #lastReceived = 0;

  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
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
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.#lastReceived = Date.now();
      this.#timer = setInterval(() => this.#heartbeat(socket), HEARTBEAT);
      this.#handlers.up();
    });
    socket.addEventListener("message", ({ data }) => {
      this.#lastReceived = Date.now();
      this.#handlers.message(JSON.parse(data));
    });
    socket.addEventListener("close", ({ code }) => this.#ended(socket, code));
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
