"""Conversion of live games to the lines of streams for programs."""

from __future__ import annotations

from damka import rules
from damka.live import messages as live_messages
from damka.live.live_game import LiveGame, key_of
from damka.live.seating import Sides
from damka.live.sentences import Sentences
from damka.rules import Side
from damka.server.programs.messages import (
    ActionResult,
    GameLine,
    GameResult,
    PlayerLine,
    StateLine,
    Summary,
    TimeLeft,
)

__all__ = ["action_result", "first_line", "state", "summary"]


def summary(live: LiveGame, holder: str | None, language: str) -> Summary:
    """Return a summary of a game for its player `holder`."""
    you = live.sides_of(holder)
    name = live.rules.name
    return Summary(
        id=live.id,
        url=f"/game/{live.id}",
        rules=name,
        own_rules=name not in rules.names() or rules.load(name) != live.rules,
        you=you,
        white=_player(live, "W", you, language),
        black=_player(live, "B", you, language),
        clock=None if live.clock is None else live.clock.settings,
        ply=live.ply,
        turn=live.game.turn,
        result=_result(live, you, language),
        rated=live.rated,
    )


def first_line(
    live: LiveGame, holder: str | None, language: str, clock: live_messages.ClockInfo | None
) -> GameLine:
    """Return the first line of a game's stream."""
    game_summary = summary(live, holder, language)
    return GameLine(game_summary, live.game.start_fen, state(live, holder, language, clock))


def state(
    live: LiveGame, holder: str | None, language: str, clock: live_messages.ClockInfo | None
) -> StateLine:
    """Return the current state of a game; `clock` has the displayed times."""
    you = live.sides_of(holder)
    playable = () if live.result is not None else live.playable()
    left = None
    if clock is not None:
        left = TimeLeft(clock.left["W"], clock.left["B"], clock.running)
    return StateLine(
        version=live.seq,
        ply=live.ply,
        turn=live.game.turn,
        fen=live.game.board.fen,
        moves=tuple(ply.move.hub() for ply in live.game.history),
        legal=tuple(key_of(move, playable) for move in playable),
        huffable=() if live.result is not None else tuple(live.game.offences),
        draw_offer=live.game.draw_offer,
        undo_offer=live.undo_offer,
        rematch_offer=live.rematch_offer,
        clock=left,
        result=_result(live, you, language),
        next=live.next_id,
    )


def action_result(live: LiveGame, holder: str | None, language: str) -> ActionResult:
    """Return the response to the player who has changed a game."""
    result = _result(live, live.sides_of(holder), language)
    return ActionResult(live.id, live.seq, live.ply, live.game.turn, result)


def _player(live: LiveGame, side: Side, you: Sides, language: str) -> PlayerLine:
    seat = live.seats[side]
    engine = live.engine if side == live.computer else None
    name = engine or Sentences(live, you, language).name(side)
    level = None if engine else seat.level
    return PlayerLine(*(seat.kind, name, level), *(seat.rating, seat.provisional, seat.rating_diff))


def _result(live: LiveGame, you: Sides, language: str) -> GameResult | None:
    if live.result is None:
        return None
    winner, reason = live.result
    return GameResult(winner, reason, Sentences(live, you, language).result(winner, reason))
