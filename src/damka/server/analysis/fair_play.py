"""Fair play: no engine or table analysis for running games between people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from damka import rules as rule_sets
from damka.live.live_game import LiveGame
from damka.live.problems import Problem
from damka.server.analysis import rows
from damka.server.identity import identity_of

if TYPE_CHECKING:
    from fastapi import Request

    from damka.board import Board
    from damka.rules import Rules
    from damka.server.app_state import AppState

__all__ = ["Position", "positions_of", "require_no_running_game"]

_MAX_RUNNING: Final = 100
"""Maximum number of an account's running games to check, latest first."""
_OPENING: Final = 12
"""Plies in which many games have the same positions: a page may analyse them."""

_EXCHANGED: Final = str.maketrans("wbWB", "bwBW")

Position: TypeAlias = tuple[str, str]
"""The pieces and the side to move."""


def positions_of(boards: Iterable[Board]) -> set[Position]:
    """Return the positions on some boards."""
    return {(board.pieces, board.turn) for board in boards}


async def require_no_running_game(
    request: Request, app_state: AppState, rules: Rules, positions: set[Position]
) -> None:
    """Raise Problem when an analysis of `positions` might help in a running game on two devices.

    A player of such a game gets no analysis at all with its rules, or with house rules on its
    board, because any position may arise in it soon; in a game without a clock that has rested for
    a day, only its current position is refused, whatever the side to move. A bot may analyse its
    own games. The current position of other people's game is refused to everyone; to a page, only
    after the opening.
    """
    identity = identity_of(request)
    account, holder = identity.account, identity.holder
    is_bot = account is not None and account.bot
    sessions = app_state.sessions
    if holder is not None and not is_bot:
        found = await app_state.accounts.read(
            lambda connection: rows.running_games(connection, holder, _MAX_RUNNING)
        )
        before = app_state.now() - rows.DAY
        for game in found:
            rests = not game.has_clock and game.updated < before
            async with sessions.enter(game.id) as session:
                if session is not None:
                    help_of = _current(rules, positions) if rests else _same_rules(rules)
                    _refuse(await session.read(help_of))
    opening = 0 if identity.bearer is not None else _OPENING
    is_current = _current(rules, positions)
    for live in sessions.open_games():
        is_own = bool(holder is not None and live.sides_of(holder))
        _refuse(not is_own and live.ply >= opening and is_current(live))


def _refuse(helps: bool) -> None:
    if helps:
        raise Problem(403, "no_help_now")


def _same_rules(rules: Rules) -> Callable[[LiveGame], bool]:
    return lambda live: _is_running(live) and _is_like(rules, live.rules)


def _is_like(rules: Rules, played: Rules) -> bool:
    """Return whether an analysis by `rules` helps in a game: house rules may resemble its own."""
    is_same_board = (rules.width, rules.height) == (played.width, played.height)
    return rules == played or (is_same_board and not (_is_shipped(rules) and _is_shipped(played)))


def _is_shipped(rules: Rules) -> bool:
    return rules.name in rule_sets.names() and rules == rule_sets.load(rules.name)


def _current(rules: Rules, positions: set[Position]) -> Callable[[LiveGame], bool]:
    placements = {_placement(pieces, rules.height) for pieces, _ in positions}

    def is_current(live: LiveGame) -> bool:
        if (
            not _is_running(live)
            or _placement(live.game.board.pieces, rules.height) not in placements
        ):
            return False
        # Different games begin alike; later it is no accident.
        return live.ply >= _OPENING or _is_like(rules, live.rules)

    return is_current


def _placement(pieces: str, height: int) -> str:
    """Return pieces in the same form for both sides to move, rotated, and mirrored."""
    width = max(1, len(pieces) // height)
    rows = [pieces[i : i + width] for i in range(0, len(pieces), width)]
    mirrored = "".join(row[::-1] for row in rows)
    rotated = [each[::-1].translate(_EXCHANGED) for each in (pieces, mirrored)]
    return min(pieces, mirrored, *rotated)


def _is_running(live: LiveGame) -> bool:
    return live.online and live.result is None and live.open_side is None
