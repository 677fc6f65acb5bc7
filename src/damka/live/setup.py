"""Setup of games: new ones, loaded ones, rematches, and the assignment of sides."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from damka.engine import levels
from damka.game import Game
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.live.stored_game import Seat
from damka.rules import other

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.live.clock import ClockSettings
    from damka.live.live_game import LiveGame
    from damka.rules import Rules, Side

__all__ = [
    "GameSetup",
    "assigned",
    "guided",
    "loaded",
    "new",
    "new_id",
    "paired",
    "printable",
    "rematch",
]


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A new game: the data to store, and the side of the first player."""

    id: str
    rules: dict[str, Any]
    seats: tuple[Seat, Seat]
    you: Side
    base: str | None = None
    lot: Side | None = None
    previous: str | None = None
    clock: ClockSettings | None = None
    rated: bool = False
    no_draw_before: int | None = None
    """Move from which a draw may be offered, in a game on two devices."""
    guide: dict[str, Any] | None = None
    """Guide that plays for the computer, in a guided game."""


def guided(rules: Rules, holder: str) -> GameSetup:
    """Set up a guided game of the course of `rules`."""
    from damka.live.guided import LEARNER, guide_of  # noqa: PLC0415  few games are guided

    of, guide = guide_of(rules)
    return _guided(of, guide, LEARNER, holder)


def _guided(of: Rules, guide: dict[str, Any], you: Side, holder: str) -> GameSetup:
    require_showable(Game(of))
    seats = (
        Seat(you, "person", player=1, holder=holder),
        Seat(other(you), "computer", player=2),
    )
    return GameSetup(new_id(), of.to_dict(), seats, you, guide=guide)


def new(  # noqa: PLR0913  a game has many settings
    rules: Rules,
    holder: str,
    *,
    level: int | None,
    colour: Literal["lot", "first", "second"],
    engine: str | None = None,
    names: tuple[str, str] | None = None,
    invites: bool = False,
    clock: ClockSettings | None = None,
    start: Game | None = None,
) -> GameSetup:
    """Set up a game against the computer at `level`, or between two people if that is None.

    `engine` is one of the operator's engines, which plays for the computer. `names` are the names
    of the first and the second player; unprintable characters are removed. With `invites` the
    second seat is open to another device, and the game may have a clock. `start` is a game without
    moves whose position the game starts from; its side to move is then the first.

    Raises RulesError for an unplayable opening, and PositionTooComplexError for a start position
    with too many moves to list.
    """
    by_lot = colour == "lot"
    plays_first = secrets.randbelow(2) == 0 if by_lot else colour == "first"
    first = rules.first if start is None else start.turn
    you = first if plays_first else other(first)
    players = {} if invites else _players(you, names or ("", ""))
    seats = _seats(you, holder, level, engine)
    if invites:
        own = Seat(you, "person", player=1, holder=holder, name=printable((names or ("",))[0]))
        seats = own, Seat(other(you), "person", player=2)
    return GameSetup(
        new_id(),
        rules.to_dict(),
        seats,
        you,
        base=_with_ballot(rules, players) if start is None else _starting(start, players),
        lot=you if by_lot else None,
        clock=clock,
    )


def paired(
    rules: Rules,
    holders: tuple[str, str],
    *,
    side: Side | None,
    colour: Literal["lot", "first", "second"],
    clock: ClockSettings | None,
    rated: bool,
) -> GameSetup:
    """Set up a game between two people on two devices, both present.

    The first of them plays `side` or, if that is None, the side given by `colour`. Raises as `new`
    does.
    """
    by_lot = side is None and colour == "lot"
    if side is None:
        plays_first = secrets.randbelow(2) == 0 if by_lot else colour == "first"
        side = rules.first if plays_first else other(rules.first)
    first, second = holders
    return GameSetup(
        new_id(),
        rules.to_dict(),
        (
            Seat(side, "person", player=1, holder=first),
            Seat(other(side), "person", player=2, holder=second),
        ),
        side,
        base=_with_ballot(rules, {}),
        lot=side if by_lot else None,
        clock=clock,
        rated=rated,
    )


def assigned(
    rules: Rules,
    white: tuple[str, str],
    black: tuple[str, str],
    *,
    clock: ClockSettings | None = None,
    game_id: str | None = None,
) -> GameSetup:
    """Set up a game between two people with assigned sides, by holder and name.

    Raises as `new` does.
    """
    sides: tuple[tuple[Side, tuple[str, str]], ...] = (("W", white), ("B", black))
    first, second = (
        Seat(side, "person", player=number, holder=holder, name=printable(name))
        for number, (side, (holder, name)) in enumerate(sides, 1)
    )
    base = _with_ballot(rules, {})
    return GameSetup(
        game_id or new_id(), rules.to_dict(), (first, second), "W", base=base, clock=clock
    )


def loaded(game: Game, holder: str, *, level: int | None, side: Side | None) -> GameSetup:
    """Set up a game that continues one from a file.

    Without `side`, a file that names one computer level continues against that level;
    otherwise the first player gets the side to move.
    """
    computer_levels = levels.computer_levels(game.players)
    if side is None and len(computer_levels) == 1:
        ((computer, level),) = computer_levels.items()
        side = other(computer)
    you = side or game.turn
    seats = _seats(you, holder, level)
    return GameSetup(new_id(), game.rules.to_dict(), seats, you, base=game.to_json())


def _players(you: Side, names: tuple[str, str]) -> dict[Side, str]:
    pairs = zip((you, other(you)), map(printable, names), strict=True)
    return {side: name for side, name in pairs if name}


def printable(name: str) -> str | None:
    """Return a name without unprintable characters; None when nothing is left."""
    return "".join(filter(str.isprintable, name)).strip() or None


def _with_ballot(rules: Rules, players: Mapping[Side, str]) -> str | None:
    """Return a game with players and an opening drawn by lot, as JSON; None if it has neither."""
    openings = len(rules.openings)
    ballot = secrets.randbelow(openings) if openings else None
    game = Game(rules, ballot=ballot, players=players)
    require_showable(game)
    return game.to_json() if players or openings else None


def _starting(start: Game, players: Mapping[Side, str]) -> str:
    """Return a game with players that starts from the position of `start`, as JSON."""
    return Game(start.rules, start.start_fen, players=players).to_json()


def rematch(live: LiveGame, holder: str, level: int | None = None) -> GameSetup:
    """Set up the rematch of a finished game, with the colours as the rules require.

    With a `level` it is another game like it, against the computer at that level. Raises Problem
    when the game is not over or `holder` does not play in it, and for a level without a computer
    that plays at levels.
    """
    if not live.sides_of(holder):
        raise Problem(403, "not_yours")
    if live.result is None or live.open_side is not None:
        raise Problem(409, "not_over")
    if live.in_event:
        raise Problem(409, "event_rematch")
    if level is not None and (live.computer is None or live.seats[live.computer].engine):
        raise Problem(422, "bad_field", where="level")
    if live.guided is not None:
        # After the lessons, a game on the board of the course.
        if level is not None:
            return new(live.guided.rules, holder, level=level, colour="first")
        game_setup = _guided(live.rules, live.guided.stored, live.sides_of(holder)[0], holder)
        return replace(game_setup, previous=live.id)
    next_game, swap = live.game.rematch(secrets.SystemRandom())
    seats = tuple(
        Seat(
            other(seat.side) if swap else seat.side,
            seat.kind,
            seat.player,
            seat.level if level is None or seat.kind == "person" else level,
            seat.holder,
            seat.engine,
            seat.name,
        )
        for seat in live.seats.values()
    )
    you = next(seat.side for seat in seats if seat.player == 1)
    base = None if next_game.ballot is None else next_game.to_json()
    players = next_game.players if live.computer is None else {}
    if base is None and (players or next_game.start_fen != live.rules.start_fen):
        base = Game(live.rules, next_game.start_fen, players=players).to_json()
    return GameSetup(
        new_id(),
        live.rules.to_dict(),
        (seats[0], seats[1]),
        you,
        base=base,
        lot=you if live.rules.rematch == "lots" else None,
        previous=live.id if level is None else None,
        clock=None if live.clock is None else live.clock.settings,
        rated=live.rated,
        no_draw_before=live.no_draw_before,
    )


def _seats(
    you: Side, holder: str, level: int | None, engine: str | None = None
) -> tuple[Seat, Seat]:
    first = Seat(you, "person", player=1, holder=holder)
    if level is None:
        return first, Seat(other(you), "person", player=2, holder=holder)
    return first, Seat(other(you), "computer", player=2, level=level, engine=engine)


def new_id() -> str:
    """Return a random game id of 128 bits, which cannot be guessed."""
    return secrets.token_urlsafe(16)
