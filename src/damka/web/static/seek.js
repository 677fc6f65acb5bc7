/**
 * The live connection to the lobby, and the dialog of one who waits until an opponent is found. Whatever
 * page of somebody's it is open on is led to the game.
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
 * @property {boolean} known whether the server knows who this is
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
  #known = false;
  #seek = "";

  /** @param {(state: LobbyState) => void} show is given what there is to see, now and after changes */
  constructor(show) {
    this.#show = show;
    const ignored = () => {};
    this.#live = new Live(`/lobby/live?lang=${page.lang}`, {
      message: (message) => this.#received(/** @type {any} */ (message)),
      up: ignored,
      down: ignored,
      gone: ignored,
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
      this.#known = message.known;
      this.#wait(message.seeking);
      this.#show(message);
    }
  }

  /** Show that one waits, or no more. @param {LobbyState["seeking"]} seeking */
  #wait(seeking) {
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
   * Send a request that changes the lobby.
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<string>} an error message; "" when it was done
   */
  async send(path, body = {}) {
    const { ok, told } = await request(path, { body: JSON.stringify(body), type: "application/json" });
    if (!ok) return told?.message ?? t("offline");
    if (told.url) visit(told.url + (told.lot?.drawn ? "#lot" : ""));
    // Somebody new has a seat cookie only now, with which the connection has to begin.
    else if (!this.#known) this.#live.again();
    return "";
  }
}
