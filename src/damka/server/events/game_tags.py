"""PDN tags of a game: its event, site and time control."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from damka.game.pdn import score
from damka.server.events import rows
from damka.server.events.conductor import outcome_of
from damka.server.events.tournament_ids import with_fmjd_ids
from damka.server.events.values import ARENA, EventState, StoredEvent
from damka.tournament import Outcome, headers

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.live.clock import ClockSettings
    from damka.live.replay import Replay
    from damka.rules import Side
    from damka.server.events.service import Events

__all__ = ["tags_for", "time_control"]

_NONE: Final = "-"
"""Value of a tag that does not apply, such as TimeControl without a clock."""


async def tags_for(events: Events, game_id: str, site: str) -> Callable[[Replay], dict[str, str]]:
    """Return a function that computes the PDN tags of a game.

    The tags are Event, Site, Round and TimeControl; a game on one device has none. `site` is the
    URL of the server. A game of an event also has the event's tags, with the official result.
    """
    place = await events.read(lambda c: rows.place_of(c, game_id))
    if place is None:
        return partial(_without_event, site=site)
    event_id, number, board = place
    stored = await events.get(event_id)
    return partial(_in_event, stored, number, board, site=site)


def _without_event(live: Replay, site: str) -> dict[str, str]:
    if not live.online:
        return {}
    return {
        "Event": "Rated game" if live.rated else "Casual game",
        "Site": f"{site}/game/{live.id}",
        "Round": _NONE,
        "TimeControl": time_control(None if live.clock is None else live.clock.settings),
    }


def time_control(clock: ClockSettings | None) -> str:
    """Format a clock as the PDN tag TimeControl, in seconds.

    Examples: "600" for the whole game, "300+3" with an increment, "300d3" with a delay, "1/86400"
    for one move per day, and "-" if there is no clock.
    """
    if clock is None:
        return _NONE
    if clock.kind == "days":
        return f"1/{clock.seconds}"
    seconds = clock.initial // 1000
    sign = {"fischer": "+", "delay": "d", "sudden": ""}[clock.kind]
    return f"{seconds}{sign}{clock.increment}" if sign else str(seconds)


def _in_event(
    stored: StoredEvent, number: int, board: int, live: Replay, *, site: str
) -> dict[str, str]:
    state = stored.state
    day = None if live.started_at is None else live.started_at.date()
    if state.tournament is not None:
        tournament = with_fmjd_ids(state, state.tournament)
        tags = headers(tournament, number, board, day=day)
    else:
        tags = {"Event": state.setup.name}
        if day is not None:
            tags["Date"] = day.strftime("%Y.%m.%d")
        tags |= _arena_tags(state, number, board)
    tags["Site"] = state.setup.place or f"{site}/events/{stored.id}"
    # Over the board, the clock is unknown here.
    if state.setup.play == "online":
        tags["TimeControl"] = time_control(state.setup.clock)
    return tags | _settled_tags(state, number, board, live)


def _arena_tags(state: EventState, number: int, board: int) -> dict[str, str]:
    pairing = state.pairing(number, board)
    if pairing is None or number != ARENA:
        return {}
    tags = {"Round": _NONE, "Board": str(board + 1)}
    for side, player in (("White", pairing.white), ("Black", pairing.black)):
        entrant = state.entrant(player)
        if entrant is not None:
            tags[side] = entrant.name
            if entrant.fmjd:
                tags[f"{side}FmjdId"] = entrant.fmjd
    return tags


def _settled_tags(state: EventState, number: int, board: int, live: Replay) -> dict[str, str]:
    """Return the official result where it differs from the result of the game."""
    pairing = state.pairing(number, board)
    outcome = None if pairing is None else pairing.outcomes[0]
    if outcome is None:
        return {}
    ended = live.game.result
    played = ended is not None and ended.reason != "aborted"
    if ended and played and outcome is outcome_of(ended.winner, ended.reason, None):
        return {}
    if outcome is Outcome.DOUBLE_FORFEIT:
        return {"Result": "*", "Termination": "forfeit"}
    winner: Side | None = None
    if not outcome.drawn:
        winner = "W" if outcome in (Outcome.WHITE, Outcome.WHITE_BY_FORFEIT) else "B"
    how = "arbiter" if outcome.played else "forfeit"
    return {"Result": score(live.rules, winner), "Termination": how}
