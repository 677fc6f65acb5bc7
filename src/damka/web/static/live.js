/**
 * Live connection to the server: JSON messages over a WebSocket that reconnects automatically. The
 * page sends the version of its state and receives the changes since, or whole states.
 *
 * @typedef {object} Handlers
 * @property {(message: Incoming) => void} message
 * @property {() => void} up on every connection and reconnection
 * @property {() => void} down
 * @property {(saved: string, waiting: string) => void} [starting] the opponent's program is
 *     loading: the sentence for a saved move, and that for the wait; ends with `up` or `down`
 * @property {() => void} gone the game does not exist
 */

/**
 * Milliseconds: interval of the pings, timeout of an answer, longest wait after a failure, and
 * timeout of an attempt to connect, after which the next one starts.
 * @typedef {{beat: number, answer: number, wait: number, attempt: number}} Pace
 */
// A game with a clock detects a dead connection within six seconds and reconnects within two
// seconds of the network's return. Other pages may take longer, and send few pings.
/** @type {Pace} */
const CLOCK_PACE = { beat: 1500, answer: 4000, wait: 1400, attempt: 1500 };
/** @type {Pace} */
const IDLE_PACE = { beat: 20_000, answer: 8000, wait: 8000, attempt: 10_000 };
// Doubles with every failure
const FIRST_DELAY = 400;
// Parallel attempts to connect: on a slow network the first one may still succeed
const MAX_TRIES = 3;
const NO_SUCH_GAME = 4404;
const PING = '{"t":"ping"}';

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #address;
  #handlers;
  /** The page's state of the game; null if it is unusable, undefined if the page wants whole states. @type {State | null | undefined} */
  #state;
  /** Sockets that are still connecting. @type {WebSocket[]} */ #tries = [];
  /** Whether the newest state belongs to a game with a clock in seconds. */
  #hasClock = false;
  #delay = FIRST_DELAY;
  #retry = 0;
  #timer = 0;
  #timeout = 0;
  /** Messages to send after the first connection; null from then on. @type {object[] | null} */
  #queued = [];

  /** @param {string} path @param {Handlers} handlers @param {State} [state] the page's state of the game, to receive only changes */
  constructor(path, handlers, state) {
    this.#state = state;
    this.#hasClock = clockRuns(state);
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
   * Send a message, queued before the first connection. Returns false while disconnected, and
   * before the first connection for moves, which the page sends again.
   * @param {{t?: string, id?: string}} message
   */
  send(message) {
    if (!this.up) return Boolean(message.t !== "move" && this.#queued?.push(message));
    const socket = /** @type {WebSocket} */ (this.#socket);
    socket.send(JSON.stringify(message));
    this.#expectAnswer(socket);
    return true;
  }

  /** Reconnect as another player. */
  reopen() {
    this.#socket?.close();
  }

  /** Reconnect at once, or ping an open connection, after the network or the player has returned. */
  #reconnect() {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) return this.#ping(socket);
    this.#delay = FIRST_DELAY;
    this.#open();
  }

  /** @returns {Pace} */
  get #pace() {
    return this.#hasClock ? CLOCK_PACE : IDLE_PACE;
  }

  #open() {
    clearTimeout(this.#retry);
    const state = this.#state;
    const version = state ? `${state.version}.${state.history.length}` : "";
    const socket = new WebSocket(state === undefined ? this.#address : `${this.#address}&have=${version}`);
    this.#tries.push(socket);
    if (this.#tries.length > MAX_TRIES) this.#tries.shift()?.close();
    // Without a network an attempt may take minutes, longer than the network is down
    this.#retry = setTimeout(() => this.#open(), this.#pace.attempt);
    socket.onopen = () => {
      if (!this.#tries.includes(socket)) return socket.close();
      clearTimeout(this.#retry);
      this.#socket = socket;
      const others = this.#tries.filter((each) => each !== socket);
      this.#tries = [];
      for (const each of others) each.close();
      this.#startPings(socket);
      this.#handlers.up();
      this.#queued?.forEach((message) => this.send(message));
      this.#queued = null;
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#clearTimeout();
      // A full server closes a new connection at once; only a message counts as success
      this.#delay = FIRST_DELAY;
      const message = this.#applyDelta(JSON.parse(data));
      if (message?.t === "state") this.#setPace(socket, clockRuns(message));
      if (message) this.#handlers.message(message);
      else socket.close();
    };
    socket.onclose = ({ code }) => this.#onClose(socket, code);
  }

  /** Apply a delta to the last state; null if it does not fit. @param {ServerMessage} message @returns {Incoming | null} */
  #applyDelta(message) {
    if (message.t === "state" && this.#state !== undefined) this.#state = message;
    if (message.t !== "delta") return message;
    const { keep, add, changes } = message;
    if (!this.#state || this.#state.history.length < keep) return (this.#state = null);
    const history = [...this.#state.history.slice(0, keep), ...add];
    return (this.#state = { ...this.#state, ...changes, history, t: "state" });
  }

  /** @param {WebSocket} socket @param {number} code */
  #onClose(socket, code) {
    if (socket !== this.#socket) {
      if (!this.#tries.includes(socket)) return;
      this.#tries = this.#tries.filter((each) => each !== socket);
      if (this.#tries.length) return;
    }
    this.#socket = null;
    clearInterval(this.#timer);
    this.#clearTimeout();
    if (code === NO_SUCH_GAME) {
      clearTimeout(this.#retry);
      this.#handlers.gone();
      return;
    }
    this.#handlers.down();
    this.#retryLater();
  }

  /** Retry with random jitter, so that pages do not all reconnect to a restarted server at once. */
  #retryLater() {
    clearTimeout(this.#retry);
    const wait = Math.min(this.#delay, this.#pace.wait);
    this.#retry = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    this.#delay = 2 * wait;
  }

  /** Abandon a connection: without a network its close event may take a minute. @param {WebSocket} socket */
  #abandon(socket) {
    socket.close();
    this.#onClose(socket, 0);
  }

  /** Start sending pings. @param {WebSocket} socket */
  #startPings(socket) {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#ping(socket), this.#pace.beat);
  }

  /** @param {WebSocket} socket @param {boolean} on */
  #setPace(socket, on) {
    if (on === this.#hasClock) return;
    this.#hasClock = on;
    this.#clearTimeout();
    this.#startPings(socket);
  }

  /** @param {WebSocket} socket */
  #ping(socket) {
    socket.send(PING);
    this.#expectAnswer(socket);
  }

  /** Abandon the connection unless a message arrives in time; ping half-way through the timeout. @param {WebSocket} socket */
  #expectAnswer(socket) {
    if (this.#timeout) return;
    const half = this.#pace.answer / 2;
    this.#timeout = setTimeout(() => {
      socket.send(PING);
      this.#timeout = setTimeout(() => this.#abandon(socket), half);
    }, half);
  }

  /** Clear the timeout: a message has arrived. */
  #clearTimeout() {
    clearTimeout(this.#timeout);
    this.#timeout = 0;
  }
}

/** Whether a game has a clock in seconds, so that its players must notice a dead connection at once. @param {State | null | undefined} state */
const clockRuns = (state) => Boolean(state?.clock && state.clock.kind !== "days" && !state.result && !state.invitation);
