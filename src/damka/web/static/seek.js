/**
 * Live connection to the lobby, and the dialog of a running seek. Every connected page of a paired
 * player is redirected to the game.
 *
 * @typedef {object} Challenge
 * @property {string} id
 * @property {string} who
 * @property {string | null} rating
 * @property {string} game
 * @property {string} clock
 * @property {string} colour
 * @property {string} rated
 * @property {boolean} mine
 *
 * @typedef {object} LobbyState
 * @property {"lobby"} t
 * @property {boolean} known whether the server has identified the visitor
 * @property {Challenge[]} challenges
 * @property {{id: string, game: string, sentence: string} | null} seeking
 *
 * @typedef {{t: "game", id: string, url: string}} ToGame
 */

import { Live } from "./live.js";
import { page, t } from "./i18n.js";
import { request, visit } from "./transport.js";

const dialog = /** @type {HTMLDialogElement} */ (byId("seeking"));

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

export class Lobby {
  #live;
  #show;
  #isIdentified = false;
  #seek = "";

  /** @param {(state: LobbyState) => void} show receives the lobby's state, now and after changes */
  constructor(show) {
    this.#show = show;
    const ignored = () => {};
    this.#live = new Live(`/lobby/live?lang=${page.lang}`, {
      onMessage: (message) => this.#received(/** @type {any} */ (message)),
      onConnect: ignored,
      onDisconnect: ignored,
      onUnknownGame: ignored,
    });
    byId("seeking-cancel").addEventListener("click", () => this.#cancel());
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void this.#cancel();
    });
  }

  /** @param {LobbyState | ToGame | {t: "pong"}} message */
  #received(message) {
    if (message.t === "game") {
      this.#live.send({ t: "went", id: message.id });
      visit(message.url);
    } else if (message.t === "lobby") {
      this.#isIdentified = message.known;
      this.#showSeek(message.seeking);
      this.#show(message);
    }
  }

  /** Show or hide the dialog of the seek. @param {LobbyState["seeking"]} seeking */
  #showSeek(seeking) {
    this.#seek = seeking?.id ?? "";
    if (!seeking) return void (dialog.open && dialog.close());
    byId("seeking-game").textContent = seeking.game;
    byId("seeking-count").textContent = seeking.sentence;
    byId("seeking-problem").textContent = "";
    if (!dialog.open) dialog.showModal();
  }

  async #cancel() {
    byId("seeking-problem").textContent = await this.send(`/api/lobby/${this.#seek}/cancel`);
  }

  /**
   * Send a request to the lobby.
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<string>} error message; "" on success
   */
  async send(path, body = {}) {
    const { ok, data } = await request(path, { body: JSON.stringify(body), type: "application/json" });
    if (!ok) return data?.message ?? t("offline");
    if (data.url) visit(data.url + (data.lot?.drawn ? "#lot" : ""));
    // A new visitor's seat cookie has just been set; the connection must start with it.
    else if (!this.#isIdentified) this.#live.reopen();
    return "";
  }
}
