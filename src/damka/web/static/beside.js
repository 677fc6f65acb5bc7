/** What stands beside the board: the players' strips, the counters, and how the game ended. */

import { token } from "./pieces.js";
import { byId } from "./status.js";
import { page, t } from "./words.js";

const rules = /** @type {RulesData} */ (page.rules);

/**
 * @param {State} state
 * @param {Side} bottom the side at the bottom of the board
 * @param {boolean} thinking whether whoever is to move is said to think
 */
export function strips(state, bottom, thinking) {
  for (const [id, side] of /** @type {[string, Side][]} */ ([
    ["top", bottom === "W" ? "B" : "W"],
    ["bottom", bottom],
  ])) {
    const strip = byId(id);
    const player = state.players[side];
    const turn = !state.result && state.turn === side;
    const thinks = turn && thinking;
    const detail = thinks ? t("thinking") : player.detail || (turn ? t("to_move") : "");
    strip.classList.toggle("on", turn);
    strip.classList.toggle("thinks", thinks);
    const [icon, name, about, taken] = strip.children;
    if (icon.getAttribute("data-side") !== side) {
      icon.setAttribute("data-side", side);
      icon.replaceChildren(token(side));
    }
    name.textContent = player.name;
    const line = [rules.colour_names[side], detail].filter(Boolean).join(" · ");
    about.textContent = line[0].toUpperCase() + line.slice(1);
    taken.textContent = state.taken[side] ? t("taken", { n: state.taken[side] }) : "";
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

/** @param {State} state @param {boolean} away the sheet was put away, or an earlier position is shown */
export function ending(state, away) {
  const sheet = byId("end");
  const { result } = state;
  sheet.hidden = !result || away;
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
  byId("rematch").hidden = !state.can.rematch && !state.next;
}
