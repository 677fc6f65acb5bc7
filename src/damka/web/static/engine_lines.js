/**
 * The engine's lines on the page Analyse: they deepen while a position is displayed. A first move
 * is a button that plays it; a line plays on a small board on hover, focus or a tap.
 */

import { addKeys } from "./analysis_keys.js";
import { analysis } from "./analysis_board.js";
import { defaultSource, openSource } from "./analysis_source.js";
import { iconButton, make } from "./elements.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { page, t } from "./i18n.js";
import { recall, remember } from "./prefs.js";
import { describeScore, isOnly, shortNumber } from "./scores.js";

const KEY = "damka.lines";
const MAX_LINES = 5;
/** Delay of the search of a position that may be passed quickly, in milliseconds. */
const SETTLE = 30;
/** Delays of the summary for screen readers: the first of a position, and between two. */
const FIRST_SUMMARY = 1500;
const NEXT_SUMMARY = 10_000;
/** Delay of requests for the texts of the server's lines. */
const TEXT_DELAY = 400;
/** Growth of the time limit by "Search deeper". */
const DEEPER = 5;
const MAX_MS = 60_000;

const rules = /** @type {RulesData} */ (page.rules);
const edit = /** @type {EditData} */ (page.edit);
const names = rules.colour_names;
const words = { curve: edit.chances, names, language: page.lang, t };
/** Settings of this browser. */
const settings = recall(KEY, { on: true, count: 2, scores: true });
const byDefault = defaultSource(page);

/** @typedef {EvaluationLine & Partial<DeviceLine>} Line */
/** @typedef {{row: HTMLElement, score: HTMLElement, first: HTMLButtonElement, rest: HTMLButtonElement, line: Line | null, playing: boolean}} Row */

class EngineLines {
  /** @type {HTMLElement} */ #section;
  /** @type {HTMLElement} */ #power;
  /** @type {HTMLElement} */ #note;
  /** @type {HTMLElement} */ #list;
  #bar;
  /** @type {HTMLElement & {flipped: boolean}} */ #board;
  /** Board that plays lines, loaded with the first one. @type {import("./line_board.js").LineBoard | null} */ #preview = null;
  #progress = make("span", "progress");
  #threatButton = iconButton("M12 3l9 16H3zM12 9v5M12 16.5v.5", t("analysis.lines.threat"));
  #settingsButton = iconButton("M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5", t("analysis.lines.settings"));
  #form = make("div", "lines-settings");
  #serverButton = make("button", "button quiet");
  #deeper = make("button", "button quiet deeper", t("analysis.lines.deeper"));
  #summary = make("p", "unseen");
  /** @type {Row[]} */ #rows = [];
  /** @type {AnalysisSource | null} */ #source = null;
  /** The server's endgame tables, beside searches on this device. @type {AnalysisSource | null} */ #tables = null;
  #where = byDefault;
  #threat = false;
  /** The position of the lines. @type {{fen: string, moves: string[], turn: Side, pieces: string}} */ #position;
  /** @type {LinesUpdate | null} */ #update = null;
  #ms = MAX_MS;
  #timer = 0;
  #frame = 0;
  #summaryTimer = 0;
  #summarized = 0;
  #lastBest = "";
  #textTimer = 0;
  /** Texts and positions of the server's lines, by their moves. @type {Map<string, {texts: string[], positions: DeviceLine["positions"]}>} */
  #texts = new Map();

  /** @param {HTMLElement} section @param {HTMLElement} bar @param {HTMLElement & {flipped: boolean}} board */
  constructor(section, bar, board) {
    [this.#section, this.#board] = [section, board];
    [this.#power, this.#note, this.#list] = [".power", ".note-line", ".engine-lines"].map((part) => /** @type {HTMLElement} */ (section.querySelector(part)));
    this.#bar = new EvaluationBar(bar);
    this.#position = { ...analysis.position };
    this.#build();
    analysis.onPosition((position) => this.#show(position));
    analysis.onAnswer(() => this.#draw());
    board.addEventListener("flip", () => (this.#bar.flipped = board.flipped));
    this.#bar.flipped = board.flipped;
    document.addEventListener("visibilitychange", () => this.#restart());
    let isPaused = this.#isPaused;
    new MutationObserver(() => {
      if (isPaused === this.#isPaused) return;
      isPaused = this.#isPaused;
      this.#restart();
    }).observe(document.body, { attributeFilter: ["class"] });
    addKeys(
      { key: "x", words: "threat", act: () => this.#toggleThreat() },
      { key: " ", words: "best_move", act: () => this.#playBest() },
    );
  }

  /** Whether a position is set up, or a review searches or hides the lines. */
  get #isPaused() {
    return document.body.matches(".setup, .reviewing");
  }

  // The parts

  #build() {
    this.#power.addEventListener("click", () => this.#toggle());
    this.#threatButton.addEventListener("click", () => this.#toggleThreat());
    this.#settingsButton.setAttribute("aria-expanded", "false");
    this.#settingsButton.addEventListener("click", () => {
      this.#form.hidden = !this.#form.hidden;
      this.#settingsButton.setAttribute("aria-expanded", String(!this.#form.hidden));
    });
    this.#deeper.addEventListener("click", () => {
      this.#ms *= DEEPER;
      this.#restart();
    });
    this.#deeper.hidden = true;
    this.#summary.setAttribute("role", "status");
    this.#buildSettings();
    this.#power.after(this.#progress, this.#deeper, this.#threatButton, this.#settingsButton);
    this.#note.before(this.#form);
    this.#section.append(this.#summary);
    this.#layOut();
  }

  #buildSettings() {
    const count = make("fieldset", "choice", make("legend", "", t("analysis.lines.count")));
    for (let n = 1; n <= MAX_LINES; n++) {
      const input = make("input", "");
      Object.assign(input, { type: "radio", name: "lines-count", value: String(n), checked: n === settings.count });
      input.addEventListener("change", () => this.#set({ count: n }));
      count.append(make("label", "", input, make("span", "", String(n))));
    }
    const scores = make("input", "");
    Object.assign(scores, { type: "checkbox", checked: !settings.scores });
    scores.addEventListener("change", () => this.#set({ scores: !scores.checked }));
    this.#serverButton.addEventListener("click", () => this.#change(this.#where === "server" ? "device" : "server"));
    this.#form.append(count, make("label", "check", scores, t("analysis.lines.hide")), this.#serverButton);
    this.#form.hidden = true;
  }

  /** Create the rows, and show the settings. */
  #layOut() {
    this.#preview?.hide();
    this.#rows = Array.from({ length: settings.count }, () => this.#row());
    this.#list.replaceChildren(...this.#rows.map(({ row }) => row));
    this.#power.setAttribute("aria-checked", String(settings.on));
    this.#threatButton.setAttribute("aria-pressed", String(this.#threat));
    document.body.classList.toggle("no-scores", !settings.scores);
    document.documentElement.classList.toggle("no-engine", !settings.on);
    this.#serverButton.hidden = !(page.kernel && page.analysis?.server);
    this.#serverButton.textContent = t(this.#where === "server" ? "analysis.lines.on_device" : "analysis.lines.on_server");
    this.#draw();
  }

  /** @returns {Row} */
  #row() {
    const score = make("span", "score");
    const first = make("button", "first");
    const rest = make("button", "rest");
    /** @type {Row} */
    const entry = { row: make("div", "line", score, first, rest), score, first, rest, line: null, playing: false };
    // A move that is pressed is the one that was read, even if the lines change meanwhile.
    let pressed = "";
    first.addEventListener("pointerdown", () => (pressed = first.dataset.key ?? ""));
    first.addEventListener("click", (event) => {
      const key = (event.detail && pressed) || first.dataset.key;
      if (key && !this.#threat) void analysis.playLine([key]);
    });
    /** @type {Line | null} */
    let pressedLine = null;
    let isTouch = false;
    rest.addEventListener("pointerdown", (event) => {
      pressedLine = entry.line;
      isTouch = event.pointerType !== "mouse";
    });
    rest.addEventListener("click", (event) => {
      const ply = Number(/** @type {Element} */ (event.target).getAttribute("data-ply"));
      const line = pressedLine;
      if (event.detail && !isTouch && ply && line && !this.#threat) return void analysis.playLine(line.moves.slice(0, ply + 1));
      if (entry.playing && isTouch && this.#touched === entry) return this.#stopPreview();
      this.#touched = entry;
      void this.#playLine(entry);
    });
    entry.row.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && void this.#playLine(entry));
    entry.row.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#stopPreview());
    entry.row.addEventListener("pointerover", (event) => {
      const ply = /** @type {Element} */ (event.target).getAttribute("data-ply");
      if (event.pointerType === "mouse" && ply) void this.#playLine(entry, Number(ply) + 1);
    });
    entry.row.addEventListener("focusin", ({ target }) => {
      if (/** @type {Element} */ (target).matches(":focus-visible")) void this.#playLine(entry);
    });
    entry.row.addEventListener("focusout", () => this.#stopPreview());
    entry.row.addEventListener("keydown", (event) => event.key === "Escape" && this.#stopPreview());
    return entry;
  }

  /** Line whose board was opened by a tap. @type {Row | null} */
  #touched = null;

  // Settings

  /** @param {Partial<typeof settings>} changes */
  #set(changes) {
    Object.assign(settings, changes);
    remember(KEY, settings);
    this.#layOut();
    if (!("scores" in changes)) this.#restart();
  }

  #toggle() {
    this.#set({ on: !settings.on });
    this.#summary.textContent = settings.on ? "" : t("analysis.lines.off");
  }

  #toggleThreat() {
    if (!settings.on) return;
    this.#threat = !this.#threat;
    this.#layOut();
    this.#restart();
  }

  /** Use another source. @param {AnalysisSource["where"]} where */
  #change(where) {
    this.#source?.close();
    this.#source = null;
    this.#where = where;
    this.#layOut();
    this.#restart();
  }

  // Searches

  /** @param {AnalysisPosition} position */
  #show({ fen, moves, turn, pieces }) {
    this.#position = { fen, moves, turn, pieces };
    this.#ms = MAX_MS;
    if (this.#threat) {
      this.#threat = false;
      this.#threatButton.setAttribute("aria-pressed", "false");
    }
    this.#restart();
  }

  /** The side to move in the lines. @returns {Side} */
  get #turn() {
    const { turn } = this.#position;
    return this.#threat ? (turn === "W" ? "B" : "W") : turn;
  }

  /** Search the displayed position anew, or stop. */
  #restart() {
    clearTimeout(this.#timer);
    clearTimeout(this.#summaryTimer);
    clearTimeout(this.#textTimer);
    this.#stopPreview();
    const isActive = settings.on && !this.#isPaused && document.visibilityState === "visible";
    this.#tables?.stop();
    if (!isActive) this.#source?.stop();
    if (document.visibilityState !== "visible") return;
    this.#update = null;
    this.#lastBest = "";
    this.#draw();
    if (isActive) this.#timer = setTimeout(() => this.#search(), SETTLE);
  }

  #search() {
    if (!this.#where) return;
    this.#source ??= openSource(page, this.#where);
    const position = this.#position;
    const { fen, moves } = position;
    const threat = this.#threat;
    const request = { fen, moves, lines: settings.count, threat, ms: this.#ms };
    this.#summarized = performance.now() + FIRST_SUMMARY - NEXT_SUMMARY;
    let isKnown = false;
    /** @param {LinesUpdate} update */
    const receive = (update) => {
      // The lines of an engine that fails remain.
      this.#update = update.error === undefined ? update : { ...update, ...this.#update, final: true, error: update.error };
      this.#frame ||= requestAnimationFrame(() => this.#draw());
      this.#summarize();
    };
    this.#source.start(request, (update) => {
      if (isKnown || position !== this.#position || threat !== this.#threat) return;
      // Without a kernel that runs, the server analyses.
      if (update.error && this.#where === "device" && page.analysis?.server) return this.#change("server");
      receive(update);
    });
    if (this.#where !== "device" || position.pieces.replace(/\./g, "").length > (page.analysis?.tables ?? 0)) return;
    this.#tables ??= openSource(page, "server");
    this.#tables.start({ ...request, tables: true }, (update) => {
      if (update.error !== undefined || position !== this.#position || threat !== this.#threat) return;
      isKnown = true;
      this.#source?.stop();
      receive(update);
    });
  }

  #playBest() {
    const key = this.#update?.lines[0]?.moves[0];
    if (key && !this.#threat) void analysis.playLine([key]);
  }

  // Display

  /** @param {Line} line */
  #describe(line) {
    return describeScore(line, { turn: this.#turn, pieces: this.#position.pieces }, words);
  }

  #draw() {
    this.#frame = 0;
    const update = this.#update;
    const { result } = analysis.answer ?? {};
    const [best] = update?.lines ?? [];
    const shown = best && this.#describe(best);
    this.#drawProgress(update);
    this.#threatButton.disabled = !settings.on || Boolean(result?.winner);
    this.#threatButton.hidden = !settings.on;
    this.#deeper.hidden = !(settings.on && update?.final && !update.error && this.#where === "device" && best && !shown?.sure);
    const over = result?.winner && !best;
    this.#note.textContent = !settings.on ? t("analysis.lines.off") : update?.error !== undefined ? update.error || t("analysis.lines.failed") : over ? t("analysis.lines.over") : this.#threat ? t("analysis.lines.threat_on", { side: names[this.#turn] }) : (settings.scores && shown?.sentence) || "";
    const only = update?.only || isOnly(update?.lines ?? []);
    this.#rows.forEach((row, i) => this.#drawRow(row, update?.lines[i] ?? null, i === 0 && only));
    this.#bar.show(!settings.on || (this.#threat && !shown) ? null : (shown ?? null));
    this.#requestTexts();
  }

  /** @param {LinesUpdate | null} update */
  #drawProgress(update) {
    const isWaiting = settings.on && !update;
    const depth = update?.depth ? t("analysis.lines.depth", { n: update.depth }) : "";
    const speed = update?.nps ? t("analysis.lines.speed", { n: shortNumber(update.nps, page.lang) }) : "";
    this.#progress.textContent = !settings.on ? "" : isWaiting ? "…" : [depth, speed].filter(Boolean).join(" · ");
  }

  /** Whether a row's text can change: not while its line plays. @param {Row} row @param {Line | null} line @param {boolean} only */
  #drawRow(row, line, only) {
    if (row.playing && line) return;
    const known = line && this.#withTexts(line);
    row.line = known;
    row.row.classList.toggle("empty", !known);
    row.first.disabled = row.rest.disabled = !known;
    if (!known) {
      row.score.textContent = row.first.textContent = row.rest.textContent = "";
      return;
    }
    const shown = this.#describe(known);
    const { texts = [] } = known;
    row.score.textContent = settings.scores ? shown.badge : "";
    row.score.classList.toggle("black", shown.white < 0.5);
    row.score.title = settings.scores ? shown.sentence : "";
    row.first.dataset.key = known.moves[0];
    row.first.textContent = texts[0] ?? known.moves[0];
    row.first.title = t("analysis.lines.play", { move: texts[0] ?? known.moves[0] });
    row.first.setAttribute("aria-label", row.first.title);
    if (only) row.first.append(make("small", "", t("analysis.lines.only")));
    if (only) row.first.setAttribute("aria-label", `${row.first.title}. ${t("analysis.lines.only")}`);
    row.rest.replaceChildren(
      ...texts.slice(1).flatMap((text, i) => {
        const move = make("span", "", text);
        move.dataset.ply = String(i + 1);
        return [move, " "];
      }),
    );
    const score = settings.scores ? `${shown.sentence} ` : "";
    row.rest.setAttribute("aria-label", `${score}${texts.join(" ")}`);
  }

  // Texts of the server's lines

  /** @param {Line} line @returns {Line} with the texts that are known */
  #withTexts(line) {
    if (line.texts) return line;
    const known = this.#texts.get(this.#textKey(line));
    if (known) return { ...line, ...known };
    const legal = this.#threat ? [] : (analysis.answer?.legal ?? []);
    const text = legal.find(({ hub }) => hub === line.moves[0])?.text;
    return { ...line, texts: text ? [text] : [] };
  }

  /** @param {Line} line */
  #textKey({ moves }) {
    const { fen, moves: before } = this.#position;
    return [fen, this.#threat, ...before, "|", ...moves].join(" ");
  }

  #requestTexts() {
    const missing = (this.#update?.lines ?? []).filter((line) => !line.texts && !this.#texts.has(this.#textKey(line)));
    clearTimeout(this.#textTimer);
    if (missing.length) this.#textTimer = setTimeout(() => void this.#fetchTexts(missing), TEXT_DELAY);
  }

  /** @param {Line[]} lines */
  async #fetchTexts(lines) {
    const position = this.#position;
    for (const line of lines) {
      const key = this.#textKey(line);
      const start = this.#threat ? { fen: this.#threatFen(), moves: line.moves, after: 1 } : { moves: [...position.moves, ...line.moves], after: position.moves.length + 1 };
      const { ok, data } = await analysis.ask(start);
      if (position !== this.#position) return;
      if (!ok) return;
      const positions = /** @type {LineAnswer} */ (data).positions;
      this.#texts.set(key, {
        texts: positions.map(({ text = "" }) => text),
        positions: positions.map(({ pieces, from = 0, to = 0 }) => ({ pieces, from, to })),
      });
    }
    this.#draw();
  }

  /** The displayed position with the other side to move. */
  #threatFen() {
    const { pieces } = this.#position;
    const squares = (/** @type {string} */ kinds) =>
      [...pieces].flatMap((piece, i) => (kinds.includes(piece) ? [`${piece === piece.toUpperCase() ? "K" : ""}${i + 1}`] : [])).join(",");
    return `${this.#turn}:W${squares("wW")}:B${squares("bB")}`;
  }

  // Small board

  /** @param {Row} row @param {number} [at] show the position after so many moves */
  async #playLine(row, at) {
    const { line } = row;
    if (!line?.positions?.length) return;
    if (!row.playing) this.#stopPreview();
    row.playing = true;
    const positions = [{ pieces: this.#position.pieces }, ...line.positions];
    const { LineBoard } = await import("./line_board.js");
    if (!row.playing) return;
    this.#preview ??= new LineBoard(rules);
    this.#preview.play(row.row, positions, {
      flipped: this.#board.flipped,
      at,
      onStep: (i) => {
        row.first.classList.toggle("now", i === 1);
        for (const move of row.rest.querySelectorAll("span")) move.classList.toggle("now", move.dataset.ply === String(i - 1));
      },
    });
  }

  #stopPreview() {
    this.#preview?.hide();
    this.#touched = null;
    for (const row of this.#rows) {
      if (!row.playing) continue;
      row.playing = false;
      for (const move of row.row.querySelectorAll(".now")) move.classList.remove("now");
    }
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  // Screen readers

  /** Say the best move once it is stable, and later changes of it. */
  #summarize() {
    clearTimeout(this.#summaryTimer);
    const wait = Math.max(FIRST_SUMMARY, this.#summarized + NEXT_SUMMARY - performance.now());
    this.#summaryTimer = setTimeout(() => {
      const update = this.#update;
      const best = update?.lines[0] && this.#withTexts(update.lines[0]);
      if (!update || !best) return;
      const shown = this.#describe(best);
      const now = `${best.moves[0]} ${shown.sure ? shown.badge : ""}`;
      if (now === this.#lastBest) return;
      this.#lastBest = now;
      this.#summarized = performance.now();
      const move = best.texts?.[0] ?? best.moves[0];
      this.#summary.textContent = t("analysis.lines.summary", { depth: update.depth, move, score: settings.scores ? shown.sentence : "" }).trim();
    }, wait);
  }
}

const section = document.getElementById("lines");
const bar = document.getElementById("evaluation");
const board = /** @type {(HTMLElement & {flipped: boolean}) | null} */ (document.getElementById("board"));
if (section && bar && board && byDefault) new EngineLines(section, bar, board);
