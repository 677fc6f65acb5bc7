/**
 * The live wire to the server: JSON messages over a WebSocket that comes back by itself. Every
 * message from the server is a whole state, so nothing has to be caught up after a break.
 *
 * @typedef {{message: (message: Incoming) => void, up: () => void, down: () => void, gone: () => void}} Ears
 */

const FIRST_WAIT = 400; // milliseconds; doubles with every failure
const LONGEST_WAIT = 8000;
const HEARTBEAT = 20000;
const NO_SUCH_GAME = 4404;

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #address;
  #ears;
  #wait = FIRST_WAIT;
  #retry = 0;
  #beat = 0;
  #heard = 0;

  /** @param {string} path @param {Ears} ears */
  constructor(path, ears) {
    this.#address = location.origin.replace(/^http/, "ws") + path;
    this.#ears = ears;
    addEventListener("online", () => this.#now());
    addEventListener("pageshow", (event) => event.persisted && this.#now());
    document.addEventListener("visibilitychange", () => document.hidden || this.#now());
    this.#open();
  }

  get up() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message; false when the wire is down. @param {object} message */
  send(message) {
    if (!this.up) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Try again at once: the network or the player has come back. */
  #now() {
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
      this.#heard = Date.now();
      this.#beat = setInterval(() => this.#pulse(socket), HEARTBEAT);
      this.#ears.up();
    });
    socket.addEventListener("message", ({ data }) => {
      this.#heard = Date.now();
      this.#ears.message(JSON.parse(data));
    });
    socket.addEventListener("close", ({ code }) => {
      clearInterval(this.#beat);
      if (socket !== this.#socket) return;
      if (code === NO_SUCH_GAME) {
        this.#ears.gone();
        return;
      }
      this.#ears.down();
      // A little chance, so that a restarted server is not met by everybody at once.
      this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    });
  }

  /** A wire that answers nothing for two beats is dead, whatever the browser believes. */
  #pulse(/** @type {WebSocket} */ socket) {
    if (Date.now() - this.#heard > 2 * HEARTBEAT + 1000) socket.close();
    else socket.send('{"t":"ping"}');
  }
}
