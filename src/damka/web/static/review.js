/**
 * Panel "Review" of the page Analyse: the graph, the key moments, each side's numbers, and the
 * mistakes to try again. `review_run.js` does the searches.
 */

import { analysis, nodeFrom } from "./analysis_board.js";
import { button, make } from "./elements.js";
import { page, t } from "./i18n.js";
import { drawPosition } from "./line_board.js";
import { token } from "./pieces.js";
import { ReviewGraph } from "./review_graph.js";
import { Retry } from "./review_retry.js";
import { add, runReview } from "./review_run.js";
import { store, stored } from "./review_store.js";
import * as trees from "./tree_state.js";

/** Time between the moves of a line on the board, in milliseconds. */
const STEP = 900;
/** Most moves of a game that is reviewed, as in `damka.live.reviews`. */
const MAX_PLIES = 600;
const UNKNOWN = 0.5;

const rules = /** @type {RulesData} */ (page.rules);
/** @type {Side[]} */
const SIDES = rules.first === "B" ? ["B", "W"] : ["W", "B"];
const board = /** @type {HTMLElement & {flipped: boolean}} */ (document.getElementById("board"));

/** The main line of the tree, as far as it can be reviewed. @returns {ReviewedGame} */
function mainLine() {
  const { state } = analysis;
  const all = trees.lineAfter(state, trees.ROOT).slice(0, MAX_PLIES);
  // A huff without a move ends the game.
  const nodes = all.filter(({ key }) => !key.endsWith(")"));
  const keys = nodes.map(({ key }) => key);
  return { fen: state.fen, root: trees.nodeOf(state, trees.ROOT), keys, nodes, offset: trees.offset(state, rules.first), name: [page.edit?.path, state.fen, ...keys].join(" ") };
}

class ReviewPanel {
  /** @type {HTMLElement} */ #section;
  /** @type {ReviewedGame} */ #game;
  /** @type {Side | null} */ #reader;
  /** @type {ReviewMoment[]} */ #moments = [];
  /** @type {Map<string, ReviewEvaluation>} */ #known = new Map();
  /** @type {AbortController | null} */ #running = null;
  /** Number of the line that is being played on the board. */
  #playing = 0;
  /** @type {ReviewGraph} */ #graph;
  #status = make("p", "unseen");
  #note = make("p", "review-note");
  #bar = make("progress", "");
  #stop = button("", "button quiet small", () => (this.#running ? this.#pause() : void this.#run()));
  #body = make("div", "review-body");
  #numbers = make("table", "numbers");
  #list = make("ol", "moments");
  #none = make("p", "hint", t("review.page.none"));
  /** @type {Retry} */ #retry;
  /** Ends the calls of the board. @type {() => void} */ #leave;

  /** @param {HTMLElement} section @param {ReviewedGame} game @param {Side | null} reader @param {() => void} onClose */
  constructor(section, game, reader, onClose) {
    [this.#section, this.#game, this.#reader] = [section, game, reader];
    const label = t("review.page.graph", { side: rules.colour_names.W });
    this.#graph = new ReviewGraph(label, (ply, chance) => this.#describe(ply, chance), (ply) => void this.#show(ply));
    this.#retry = new Retry(game, { name: (ply) => this.#nameOf(ply), play: (moment) => void this.#playBest(moment), onEnd: (side) => this.#endRetry(side) });
    const title = make("h2", "", t("review.page.title"));
    title.tabIndex = -1;
    const close = button(t("review.page.moves"), "button quiet small", onClose);
    close.title = t("review.page.close");
    this.#status.setAttribute("role", "status");
    this.#note.setAttribute("role", "alert");
    this.#bar.setAttribute("aria-label", t("review.page.reviewing"));
    this.#body.append(this.#numbers, make("h3", "", t("review.page.moments")), this.#none, this.#list);
    const head = make("div", "review-head", title, this.#bar, this.#stop, close);
    section.replaceChildren(head, this.#note, this.#graph.element, this.#body, this.#retry.element, this.#status);
    section.hidden = false;
    document.body.classList.add("reviewing");
    this.#draw({ moments: [], accuracy: { W: 0, B: 0 }, graph: [...game.keys, ""].map(() => UNKNOWN) }, false);
    const leave = analysis.onPosition(({ moves }) => this.#follow(moves));
    const turn = () => {
      this.#list.replaceChildren();
      this.#showMoments();
    };
    board.addEventListener("flip", turn);
    this.#leave = () => {
      leave();
      board.removeEventListener("flip", turn);
    };
    title.focus({ preventScroll: true });
    head.scrollIntoView({ block: "nearest" });
    this.#open();
  }

  /** Show the stored review, or begin. */
  #open() {
    const before = stored(this.#game.name);
    if (before) {
      for (const each of before.evaluations) add(this.#known, each);
      if (before.language === page.lang && before.reader === this.#reader) return this.#update(before.review, 1, true);
    }
    void this.#run();
  }

  close() {
    this.#pause();
    this.#leave();
    this.#retry.close();
    this.#playing += 1;
    document.body.classList.remove("reviewing");
    this.#section.hidden = true;
    this.#section.replaceChildren();
  }

  /** Whether the tree still has the game. */
  get isThere() {
    const { keys, fen } = this.#game;
    let node = trees.nodeOf(analysis.state, trees.ROOT);
    return analysis.state.fen === fen && keys.every((key) => {
      const id = node.children.find((each) => trees.nodeOf(analysis.state, each).key === key);
      if (id) node = trees.nodeOf(analysis.state, id);
      return id !== undefined;
    });
  }

  // The searches

  async #run() {
    const controller = (this.#running = new AbortController());
    const { signal } = controller;
    this.#note.textContent = "";
    this.#showRunning(t("review.page.stop"));
    this.#status.textContent = t("review.page.reviewing");
    try {
      await runReview(this.#game, this.#known, {
        reader: this.#reader,
        signal,
        onReview: (review, share, final) => signal.aborted || this.#update(review, share, final),
      });
    } catch (error) {
      if (signal.aborted) return;
      controller.abort();
      this.#running = null;
      this.#note.textContent = /** @type {Error} */ (error).message || t("offline");
      this.#showRunning(t("review.page.again"));
    }
  }

  #pause() {
    if (!this.#running) return;
    this.#running.abort();
    this.#running = null;
    this.#showRunning(t("review.page.resume"));
  }

  /** @param {string} label of the button; "" for a finished review */
  #showRunning(label) {
    // A focused button disappears at the end: a keyboard continues at the graph.
    if (!label && document.activeElement === this.#stop) this.#graph.element.focus({ preventScroll: true });
    this.#stop.textContent = label;
    this.#stop.hidden = this.#bar.hidden = !label;
    this.#section.setAttribute("aria-busy", String(Boolean(this.#running)));
  }

  /** @param {ReviewData} review @param {number} share @param {boolean} final */
  #update(review, share, final) {
    this.#bar.value = Math.max(this.#bar.value, Math.min(share, 0.99));
    if (final) {
      this.#running = null;
      this.#showRunning("");
      this.#status.textContent = t("review.page.done", { n: review.moments.length });
      store({ game: this.#game.name, language: page.lang, reader: this.#reader, review, evaluations: [...this.#known.values()] });
    }
    this.#draw(review, final);
  }

  // Display

  /** @param {ReviewData} review @param {boolean} final */
  #draw({ moments, graph, accuracy }, final) {
    this.#moments = moments;
    this.#graph.show(graph, moments);
    this.#section.classList.toggle("final", final);
    this.#none.hidden = !final || moments.length > 0;
    this.#showNumbers(final ? accuracy : null);
    this.#showMoments();
    this.#follow(analysis.position.moves);
  }

  /** @param {ReviewData["accuracy"] | null} accuracy of a finished review */
  #showNumbers(accuracy) {
    const isShot = (/** @type {ReviewMoment} */ { kind }) => kind === "missed_shot";
    const heads = SIDES.map((side) => {
      const head = make("th", "", token(side), this.#sideOf(side));
      const name = trees.playerOf(analysis.state, side);
      if (name) head.append(make("small", "", name));
      head.scope = "col";
      return head;
    });
    const row = (/** @type {string} */ name, /** @type {(mistakes: ReviewMoment[], side: Side) => string | Element} */ value) => {
      const head = make("th", "", t(`review.page.${name}`));
      head.scope = "row";
      const cells = SIDES.map((side) => make("td", "", value(this.#moments.filter((each) => each.mistake && each.side === side), side)));
      return make("tr", "", head, ...cells);
    };
    const retry = row("better", (mistakes, side) => {
      const start = button(t("review.page.retry"), "button quiet small", () => this.#startRetry(mistakes));
      start.dataset.retry = side;
      start.setAttribute("aria-label", `${t("review.page.retry")}: ${this.#sideOf(side)}`);
      start.disabled = !accuracy || !mistakes.length;
      return start;
    });
    this.#numbers.replaceChildren(
      make("thead", "", make("tr", "", make("td", ""), ...heads)),
      make(
        "tbody",
        "",
        row("accuracy", (_, side) => (accuracy ? t("review.page.percent", { n: Math.round(accuracy[side]) }) : "…")),
        row("shots", (mistakes) => String(mistakes.filter(isShot).length)),
        row("mistakes", (mistakes) => String(mistakes.length)),
        retry,
      ),
    );
  }

  #showMoments() {
    const old = new Map([...this.#list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.moment, item]));
    // What has not changed stays, with its focus.
    const items = this.#moments.map((moment) => old.get(nameOf(moment)) ?? this.#item(moment));
    if (items.length === old.size && items.every((item, i) => item === this.#list.children[i])) return;
    const { activeElement } = document;
    this.#list.replaceChildren(...items);
    if (activeElement instanceof HTMLElement && this.#list.contains(activeElement)) activeElement.focus({ preventScroll: true });
  }

  /** @param {ReviewMoment} moment */
  #item(moment) {
    const { ply, side, mistake, sentence, positions, reply } = moment;
    const item = make("li", "");
    Object.assign(item.dataset, { moment: nameOf(moment), ply });
    const [start, first] = positions;
    const squares = first?.from && first.to ? { from: first.from, to: first.to } : {};
    const picture = make("span", "pic", drawPosition(rules, { pieces: start.pieces, ...squares }, board.flipped));
    const sign = make("i", mistake ? "sign mistake" : "sign good", mistake ? "?" : "!");
    sign.setAttribute("aria-hidden", "true");
    const head = make("b", "", token(side), make("span", "unseen", `${this.#sideOf(side)}: `), this.#nameOf(ply), sign);
    const open = make("button", "moment", picture, make("span", "said", head, make("span", "", sentence)));
    open.addEventListener("click", () => void this.#playBest(moment));
    item.append(open);
    if (mistake && reply.length > 1) item.append(button(t("review.page.reply"), "reply", () => void this.#play(ply, [this.#game.keys[ply - 1], ...reply.slice(1)])));
    return item;
  }

  /** Colour of a side, and whether it is the reader's. @param {Side} side */
  #sideOf(side) {
    const colour = rules.colour_names[side];
    return side === this.#reader ? t("review.page.you", { side: colour }) : colour;
  }

  /** Number and move of a ply. @param {number} ply */
  #nameOf(ply) {
    const half = ply - 1 + this.#game.offset;
    return `${Math.floor(half / 2) + 1}${half % 2 ? "…" : "."} ${this.#game.nodes[ply - 1].text}`;
  }

  /** @param {number} ply @param {number} chance White's */
  #describe(ply, chance) {
    const n = Math.round(100 * chance);
    const value = ply ? t("review.page.at", { move: this.#nameOf(ply), n }) : t("review.page.at_start", { n });
    const moment = this.#moments.find((each) => each.ply === ply);
    return moment ? `${value} ${moment.sentence}` : value;
  }

  /** Mark the displayed position. @param {string[]} moves */
  #follow(moves) {
    const { keys } = this.#game;
    const differs = moves.findIndex((key, i) => key !== keys[i]);
    const ply = differs < 0 ? moves.length : differs;
    this.#graph.ply = ply;
    // A line that leaves the game belongs to the move that it replaces.
    const due = differs < 0 ? ply : ply + 1;
    for (const item of this.#list.children) {
      const open = item.firstElementChild;
      const isNow = Number(/** @type {HTMLElement} */ (item).dataset.ply) === due;
      if (!open || open.hasAttribute("aria-current") === isNow) continue;
      if (!isNow) open.removeAttribute("aria-current");
      else open.setAttribute("aria-current", "true");
      // On a phone the whole page would scroll.
      if (isNow && this.#body.scrollHeight > this.#body.clientHeight) open.scrollIntoView({ block: "nearest" });
    }
  }

  // The board

  /** @param {number} ply */
  #show(ply) {
    this.#playing += 1;
    return analysis.goTo(this.#game.keys.slice(0, ply));
  }

  /** Play the line of a moment. @param {ReviewMoment} moment */
  #playBest({ ply, huff, line }) {
    return this.#play(ply, line.map((key, i) => (i || !huff ? key : `(${huff})${key}`)));
  }

  /** Play a line on the board, as a variation. @param {number} ply number of its first move @param {string[]} keys */
  async #play(ply, keys) {
    const number = ++this.#playing;
    const moves = this.#game.keys.slice(0, ply - 1);
    board.scrollIntoView({ block: "nearest" });
    if (!(await analysis.goTo(moves)) || number !== this.#playing) return;
    const start = analysis.state.current;
    const { ok, data } = await analysis.ask({ moves: [...moves, ...keys], after: ply });
    // Another position was chosen meanwhile.
    if (!ok || number !== this.#playing || analysis.state.current !== start) return;
    const added = trees.add(analysis.state, start, /** @type {LineAnswer} */ (data).positions.map(nodeFrom));
    const ids = trees.lineTo(added).slice(ply - 1).map(({ id }) => id);
    analysis.edit(trees.goTo(added, start));
    let last = start;
    for (const id of ids) {
      await new Promise((done) => setTimeout(done, STEP));
      if (number !== this.#playing || analysis.state.current !== last) return;
      analysis.show(id);
      last = id;
    }
  }

  // Trying again

  /** @param {ReviewMoment[]} mistakes */
  #startRetry(mistakes) {
    this.#playing += 1;
    this.#body.hidden = true;
    void this.#retry.start(mistakes);
  }

  /** @param {Side} side */
  #endRetry(side) {
    this.#body.hidden = false;
    /** @type {HTMLElement | null} */ (this.#numbers.querySelector(`[data-retry="${side}"]`))?.focus({ preventScroll: true });
  }
}

/** @param {ReviewMoment} moment */
const nameOf = ({ ply, kind, sentence, line }) => JSON.stringify([ply, kind, sentence, line]);

/** The open panel. @type {ReviewPanel | null} */
let panel = null;

/**
 * Review the main line of the tree.
 * @param {HTMLElement} section @param {Side | null} reader @param {() => void} onClose
 */
export function openReview(section, reader, onClose) {
  const close = () => {
    panel?.close();
    panel = null;
    onClose();
  };
  section.addEventListener("close", close, { once: true });
  panel = new ReviewPanel(section, mainLine(), reader, () => section.dispatchEvent(new Event("close")));
}

analysis.onTree(() => {
  if (panel && !panel.isThere) document.getElementById("review")?.dispatchEvent(new Event("close"));
});
