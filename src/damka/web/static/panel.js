/** Panel beside the board: player strips, draw counters and buttons. */

import { isOpen } from "./end.js";
import { svg, token } from "./pieces.js";
import { other } from "./reduce.js";
import { orientation, thinking, turn } from "./selectors.js";
import { byId } from "./status.js";
import { page, t } from "./i18n.js";

const rules = /** @type {RulesData} */ (page.rules);

/** @param {ViewState} view */
export function showPlayers(view) {
  const { players, result } = view.game;
  const bottom = orientation(view);
  for (const [id, side] of /** @type {[string, Side][]} */ ([
    ["top", bottom === "W" ? "B" : "W"],
    ["bottom", bottom],
  ])) {
    const strip = byId(id);
    const player = players[side];
    const moves = !result && !view.drawing && turn(view) === side;
    const thinks = moves && thinking(view);
    const detail = thinks ? t("thinking") : player.detail || (moves ? t("to_move") : "");
    strip.classList.toggle("on", moves);
    strip.classList.toggle("thinks", thinks);
    const [icon, name, about, taken] = strip.children;
    if (icon.getAttribute("data-side") !== side) {
      icon.setAttribute("data-side", side);
      icon.replaceChildren(token(side));
    }
    // Lots exchange the names of two players at one screen.
    if (!view.drawing) name.textContent = player.name;
    const line = [rules.colour_names[side], detail].filter(Boolean).join(" · ");
    about.textContent = line[0].toUpperCase() + line.slice(1);
    showCaptured(/** @type {HTMLElement} */ (taken), view, side);
  }
}

/** Show the drawn opening and the draw counters. @param {State} state */
export function showCounters(state) {
  const opening = document.createElement("div");
  opening.id = "opening";
  opening.textContent = state.opening?.sentence ?? "";
  const rows = state.counters.map(({ sentence, n, limit }) => {
    const row = document.createElement("div");
    const meter = document.createElement("meter");
    Object.assign(meter, { max: limit, value: n, ariaLabel: sentence });
    row.append(sentence, meter);
    return row;
  });
  byId("counters").replaceChildren(...(state.opening ? [opening] : []), ...rows);
}

/**
 * Show a side's captured pieces beside its name, at the position on the board.
 * @param {HTMLElement} place
 * @param {ViewState} view
 * @param {Side} side
 */
function showCaptured(place, { game, pieces }, side) {
  const captured = other(side);
  const count = (/** @type {string} */ board) => board.toUpperCase().split(captured).length - 1;
  const n = Math.max(0, count(game.start) - count(pieces));
  // From game.css, in pixels: diameter of a disc, greatest distance of two, room for all distances
  const style = getComputedStyle(place);
  const [size, distance, room] = ["disc", "step", "room"].map((name) => Number(style.getPropertyValue(`--${name}`)));
  const key = n ? `${captured}${n} ${room}` : "";
  if (place.dataset.captured === key) return;
  place.dataset.captured = key;
  place.role = n ? "img" : null;
  place.title = place.ariaLabel = n ? t("taken", { n }) : "";
  const step = Math.min(distance, room / n);
  const [middle, height] = [size / 2 + 1.5, size + 3];
  const men = Array.from({ length: n }, (_, i) => svg("circle", { class: "face", cx: middle + i * step, cy: middle, r: size / 2 }));
  const drawing = svg("svg", { class: captured.toLowerCase(), width: height + (n - 1) * step, height }, ...men);
  place.replaceChildren(...(n ? [drawing, String(n)] : []));
}

/** Show the buttons of a running or finished game. @param {ViewState} view */
export function showButtons(view) {
  const { game, stage } = view;
  const { result, can, next, you, online } = game;
  const over = Boolean(result) && !stage;
  byId("typed").hidden = Boolean(result) || !you.length;
  for (const id of ["undo", "hint", "draw", "resign"]) byId(id).hidden = over || !you.length;
  if (online) {
    byId("hint").hidden = true;
    if (game.rated) byId("undo").hidden = true;
    if (can.abort) byId("resign").hidden = true;
    byId("abort").hidden = !can.abort || over;
    byId("give_time").hidden = !game.clock || game.clock.kind === "days" || over || !you.length;
  }
  for (const id of ["open-end", "another"]) byId(id).hidden = !over;
  for (const each of document.querySelectorAll("[data-rematch]")) {
    each.toggleAttribute("hidden", !over || !(can.rematch || next) || (each.id === "again" && isOpen(view)));
  }
}
