/**
 * Live connection to the server: JSON messages over a WebSocket that reconnects automatically. The
 * page sends the version of its state and receives the changes since then, or full states.
 *
 * @typedef {object} Handlers
 * @property {(message: Incoming) => void} onMessage called for each message
 * @property {() => void} onConnect called after every connection and reconnection
 * @property {(retrying?: boolean) => void} onDisconnect
 * @property {() => void} [onSilence] a move has no answer yet, although the connection is open
 * @property {(saved: string, waiting: string) => void} [onStarting] the opponent's program is
 *     loading: the text for a saved move, and the text meanwhile; ends with `onConnect` or
 *     `onDisconnect`
 * @property {() => void} onUnknownGame the game does not exist
 */

/**
 * Milliseconds: interval of the pings, timeout of a reply, longest delay after a failure, and
 * timeout of an attempt to connect, after which the next one starts.
 * @typedef {{pingInterval: number, replyTimeout: number, maxDelay: number, connectTimeout: number}} Timing
 */
// A game with a clock detects a dead connection within six seconds and reconnects within two
// seconds of the network's return. Other pages may take longer, and send few pings.
/** @type {Timing} */
const CLOCK_TIMING = { pingInterval: 1500, replyTimeout: 4000, maxDelay: 1400, connectTimeout: 1500 };
/** @type {Timing} */
const IDLE_TIMING = { pingInterval: 20_000, replyTimeout: 8000, maxDelay: 8000, connectTimeout: 10_000 };
// Doubles with every failure
const FIRST_DELAY = 400;
// Milliseconds: timeout of a ping when the browser reports that the network is gone, and the time
// after which the page says that a move has no answer
const OFFLINE_TIMEOUT = 400;
const SILENCE = 900;
// Parallel attempts to connect: on a slow network the first one may still succeed
const MAX_ATTEMPTS = 3;
const UNKNOWN_GAME = 4404;
// Messages that may answer a move; a pong or a chat message does not
const ANSWERS = new Set(["state", "delta", "refusal", "error"]);
const PING = '{"t":"ping"}';

export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #url;
  #handlers;
  /** The page's state of the game; null if it is unusable, undefined if the page wants full states. @type {State | null | undefined} */
  #state;
  /** Sockets that are still connecting. @type {WebSocket[]} */ #attempts = [];
  /** Whether the newest state belongs to a game with a clock in seconds. */
  #hasClock = false;
  #delay = FIRST_DELAY;
  #retry = 0;
  #timer = 0;
  #timeout = 0;
  #silence = 0;
  /** Messages to send after the first connection; null from then on. @type {object[] | null} */
  #queued = [];

  /** @param {string} path @param {Handlers} handlers @param {State} [state] the page's state of the game, to receive only changes */
  constructor(path, handlers, state) {
    this.#state = state;
    this.#hasClock = clockRuns(state);
    this.#url = location.origin.replace(/^http/, "ws") + path;
    this.#handlers = handlers;
    addEventListener("online", () => this.#reconnect());
    addEventListener("offline", () => this.#verify());
    addEventListener("pageshow", (event) => event.persisted && this.#reconnect());
    document.addEventListener("visibilitychange", () => document.hidden || this.#reconnect());
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a message, queued before the first connection. Returns false while disconnected, and
   * before the first connection for moves, which the page sends again.
   * @param {{t?: string, id?: string}} message
   */
  send(message) {
    if (!this.isOpen) return Boolean(message.t !== "move" && this.#queued?.push(message));
    const socket = /** @type {WebSocket} */ (this.#socket);
    socket.send(JSON.stringify(message));
    this.#expectReply(socket);
    if (message.t === "move") {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => this.#handlers.onSilence?.(), SILENCE);
    }
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

  /** Check at once whether the connection has survived: a server on this machine needs no network. */
  #verify() {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    this.#clearTimeout();
    socket.send(PING);
    this.#timeout = setTimeout(() => this.#abandon(socket), OFFLINE_TIMEOUT);
  }

  /** @returns {Timing} */
  get #timing() {
    return this.#hasClock ? CLOCK_TIMING : IDLE_TIMING;
  }

  #open() {
    clearTimeout(this.#retry);
    const state = this.#state;
    const version = state ? `${state.version}.${state.history.length}` : "";
    const socket = new WebSocket(state === undefined ? this.#url : `${this.#url}&have=${version}`);
    this.#attempts.push(socket);
    if (this.#attempts.length > MAX_ATTEMPTS) this.#attempts.shift()?.close();
    // Without a network an attempt may take minutes, longer than the network is down
    this.#retry = setTimeout(() => this.#open(), this.#timing.connectTimeout);
    socket.onopen = () => {
      if (!this.#attempts.includes(socket)) return socket.close();
      clearTimeout(this.#retry);
      this.#socket = socket;
      const others = this.#attempts.filter((each) => each !== socket);
      this.#attempts = [];
      for (const each of others) each.close();
      this.#startPings(socket);
      this.#handlers.onConnect();
      this.#queued?.forEach((message) => this.send(message));
      this.#queued = null;
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#clearTimeout();
      // A full server closes a new connection at once; only a message counts as success
      this.#delay = FIRST_DELAY;
      const received = JSON.parse(data);
      if (ANSWERS.has(received.t)) clearTimeout(this.#silence);
      const message = this.#applyDelta(received);
      if (message?.t === "state") this.#setTiming(socket, clockRuns(message));
      if (message) this.#handlers.onMessage(message);
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
      if (!this.#attempts.includes(socket)) return;
      this.#attempts = this.#attempts.filter((each) => each !== socket);
      if (this.#attempts.length) return;
    }
    this.#socket = null;
    clearInterval(this.#timer);
    this.#clearTimeout();
    clearTimeout(this.#silence);
    if (code === UNKNOWN_GAME) {
      clearTimeout(this.#retry);
      this.#handlers.onUnknownGame();
      return;
    }
    this.#handlers.onDisconnect(true);
    this.#retryLater();
  }

  /** Retry with random jitter, so that pages do not all reconnect to a restarted server at once. */
  #retryLater() {
    clearTimeout(this.#retry);
    const wait = Math.min(this.#delay, this.#timing.maxDelay);
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
    this.#timer = setInterval(() => this.#ping(socket), this.#timing.pingInterval);
  }

  /** @param {WebSocket} socket @param {boolean} on */
  #setTiming(socket, on) {
    if (on === this.#hasClock) return;
    this.#hasClock = on;
    this.#clearTimeout();
    this.#startPings(socket);
  }

  /** @param {WebSocket} socket */
  #ping(socket) {
    socket.send(PING);
    this.#expectReply(socket);
  }

  /** Abandon the connection unless a message arrives in time; ping half-way through the timeout. @param {WebSocket} socket */
  #expectReply(socket) {
    if (this.#timeout) return;
    const half = this.#timing.replyTimeout / 2;
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
