/** What stands beside the board: the players' strips, the counters, and how the game ended. */

import { token } from "./pieces.js";
import { orientation, thinking, turn } from "./selectors.js";
import { byId } from "./status.js";
import { page, t } from "./words.js";

const rules = /** @type {RulesData} */ (page.rules);

/** @param {ViewState} view */
export function strips(view) {
  const { players, result } = view.game;
  const bottom = orientation(view);
  for (const [id, side] of /** @type {[string, Side][]} */ ([
    ["top", bottom === "W" ? "B" : "W"],
    ["bottom", bottom],
  ])) {
    const strip = byId(id);
    const player = players[side];
    const moves = !result && turn(view) === side;
    const thinks = moves && thinking(view);
    const detail = thinks ? t("thinking") : player.detail || (moves ? t("to_move") : "");
    strip.classList.toggle("on", moves);
    strip.classList.toggle("thinks", thinks);
    const [icon, name, about, taken] = strip.children;
    if (icon.getAttribute("data-side") !== side) {
      icon.setAttribute("data-side", side);
      icon.replaceChildren(token(side));
    }
    name.textContent = player.name;
    const line = [rules.colour_names[side], detail].filter(Boolean).join(" · ");
    about.textContent = line[0].toUpperCase() + line.slice(1);
    const number = view.game.taken[side];
    taken.textContent = number ? t("taken", { n: number }) : "";
  }
}

/** How near a draw is. @param {State} state */
export function counters(state) {
  const rows = state.counters.map(({ sentence, n, limit }) => {
    const row = document.createElement("div");
    const meter = document.createElement("meter");
    Object.assign(meter, { max: limit, value: n, ariaLabel: sentence });
    row.append(sentence, meter);
    return row;
  });
  byId("counters").replaceChildren(...rows);
}

/** The sheet with the result. @param {ViewState} view */
export function ending({ game, away, past, stage }) {
  const { result, can, next } = game;
  byId("end").hidden = !result || away || past !== null || stage > 0;
  byId("typed").hidden = Boolean(result);
  if (!result) return;
  const [won, how] = [byId("end-result"), byId("end-reason")];
  won.textContent = result.outcome;
  how.textContent = result.cause;
  const link = /** @type {HTMLAnchorElement} */ (byId("end-rule"));
  link.hidden = !result.rule;
  if (result.rule) {
    link.href = result.rule.url;
    link.textContent = t("rule", { n: result.rule.number });
  }
  byId("rematch").hidden = !can.rematch && !next;
}
