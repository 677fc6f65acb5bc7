/**
 * The live connection to the server: JSON messages over a WebSocket that reconnects by itself.
 * The server is told which state the page has, and sends what is missing; others get whole states.
 *
 * @typedef {object} Handlers
 * @property {(message: Incoming) => void} message
 * @property {() => void} up connected, also again
 * @property {() => void} down
 * @property {(saved: string, waiting: string) => void} [starting] what plays with the page is not ready yet: what
 *     is said where a move has been made already, and of the wait; until `up` or `down`
 * @property {() => void} gone there is no such game
 */

/**
 * In milliseconds: between two pings, until an answer must have come, the longest wait after a failure,
 * and until a connection that is not open yet is tried for once more.
 * @typedef {{beat: number, answer: number, wait: number, attempt: number}} Pace
 */
// In a game with a clock a dead connection is noticed within six seconds, and the page is back within
// two of the network. Other pages may take longer, and send next to nothing.
/** @type {Pace} */
const HURRIED = { beat: 1500, answer: 4000, wait: 1400, attempt: 1500 };
/** @type {Pace} */
const UNHURRIED = { beat: 20_000, answer: 8000, wait: 8000, attempt: 10_000 };
// Doubles with every failure
const FIRST_WAIT = 400;
// Connections that are tried for at once: on a slow network the first may still come about
const MOST_TRIES = 3;
const NO_SUCH_GAME = 4404;
const PING = '{"t":"ping"}';

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #address;
  #handlers;
  /** What the page has of the game; null for nothing of use, undefined where it wants whole states. @type {State | null | undefined} */
  #state;
  /** What is not open yet. @type {WebSocket[]} */ #tries = [];
  /** Whether the newest state is that of a game whose clock runs by the second. */
  #hurried = false;
  #wait = FIRST_WAIT;
  #retry = 0;
  #timer = 0;
  #doubt = 0;
  /** What is to be sent once the page is connected; null from then on. @type {object[] | null} */
  #early = [];

  /** @param {string} path @param {Handlers} handlers @param {State} [state] what the page has of the game, to be told only what changes */
  constructor(path, handlers, state) {
    this.#state = state;
    this.#hurried = hurried(state);
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

  /** Reconnect at once, or see whether the connection is still there: the network or the player is back. */
  #reconnect() {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) return this.#ping(socket);
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  /** @returns {Pace} */
  get #pace() {
    return this.#hurried ? HURRIED : UNHURRIED;
  }

  #open() {
    clearTimeout(this.#retry);
    const had = this.#state;
    const have = had ? `${had.version}.${had.history.length}` : "";
    const socket = new WebSocket(had === undefined ? this.#address : `${this.#address}&have=${have}`);
    this.#tries.push(socket);
    if (this.#tries.length > MOST_TRIES) this.#tries.shift()?.close();
    // Without a network an attempt may take minutes, and the network may be back before
    this.#retry = setTimeout(() => this.#open(), this.#pace.attempt);
    socket.onopen = () => {
      if (!this.#tries.includes(socket)) return socket.close();
      clearTimeout(this.#retry);
      this.#socket = socket;
      const others = this.#tries.filter((each) => each !== socket);
      this.#tries = [];
      for (const each of others) each.close();
      this.#beat(socket);
      this.#handlers.up();
      this.#early?.forEach((message) => this.send(message));
      this.#early = null;
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#settle();
      // One that is closed at once, because the server has no room, is no success
      this.#wait = FIRST_WAIT;
      const message = this.#whole(JSON.parse(data));
      if (message?.t === "state") this.#hurry(socket, hurried(message));
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
    if (socket !== this.#socket) {
      if (!this.#tries.includes(socket)) return;
      this.#tries = this.#tries.filter((each) => each !== socket);
      if (this.#tries.length) return;
    }
    this.#socket = null;
    clearInterval(this.#timer);
    this.#settle();
    if (code === NO_SUCH_GAME) {
      clearTimeout(this.#retry);
      this.#handlers.gone();
      return;
    }
    this.#handlers.down();
    this.#retryLater();
  }

  /** Try again, after a random delay, so that not all pages reconnect to a restarted server at once. */
  #retryLater() {
    clearTimeout(this.#retry);
    const wait = Math.min(this.#wait, this.#pace.wait);
    this.#retry = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    this.#wait = 2 * wait;
  }

  /** Give a connection up: without a network its end may not come for a minute. @param {WebSocket} socket */
  #giveUp(socket) {
    socket.close();
    this.#ended(socket, 0);
  }

  /** Send pings from now on. @param {WebSocket} socket */
  #beat(socket) {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#ping(socket), this.#pace.beat);
  }

  /** @param {WebSocket} socket @param {boolean} on */
  #hurry(socket, on) {
    if (on === this.#hurried) return;
    this.#hurried = on;
    this.#settle();
    this.#beat(socket);
  }

  /** @param {WebSocket} socket */
  #ping(socket) {
    socket.send(PING);
    this.#expect(socket);
  }

  /** Give the connection up unless something comes in time: to a ping, half-way, if to nothing else. @param {WebSocket} socket */
  #expect(socket) {
    if (this.#doubt) return;
    const half = this.#pace.answer / 2;
    this.#doubt = setTimeout(() => {
      socket.send(PING);
      this.#doubt = setTimeout(() => this.#giveUp(socket), half);
    }, half);
  }

  /** Something has come: the connection is there. */
  #settle() {
    clearTimeout(this.#doubt);
    this.#doubt = 0;
  }
}

/** Whether the clock of a game runs by the second, so that its players must know at once. @param {State | null | undefined} state */
const hurried = (state) => Boolean(state?.clock && state.clock.kind !== "days" && !state.result && !state.invitation);
