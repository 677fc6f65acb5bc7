"""Fair play: no engine or table analysis for running games between people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.live.live_game import LiveGame
from damka.live.problems import Problem

if TYPE_CHECKING:
    from damka.board import Board
    from damka.server.accounts import Account
    from damka.server.app_state import AppState

__all__ = ["require_no_running_game"]

_MAX_RUNNING: Final = 100
"""Maximum number of an account's running games to check, latest first."""


async def require_no_running_game(app_state: AppState, account: Account, board: Board) -> None:
    """Raise Problem when an analysis of `board` might help in a running game on two devices.

    A player of such a game gets no analysis at all with its rules, because any position may arise
    in it soon. A bot may analyse its own games. The current position of another player's game is
    refused to everyone.
    """
    sessions = app_state.sessions
    running = await sessions.database.read(
        lambda store: store.running(account.holder, _MAX_RUNNING)
    )
    for game_id, _ in running:
        async with sessions.enter(game_id) as session:
            if session is not None and await session.read(_is_running):
                _require_other(session.live, account, board)
    for live in sessions.open_games():
        if _is_running(live):
            _require_other(live, account, board)


def _require_other(live: LiveGame, account: Account, board: Board) -> None:
    """Raise Problem when analysing `board` is help in the running game."""
    if live.sides_of(account.holder):
        helps = not account.bot and live.rules == board.rules
    else:
        helps = _is_current_position(live, board)
    if helps:
        raise Problem(403, "no_help_now")


def _is_running(live: LiveGame) -> bool:
    return live.online and live.result is None and live.open_side is None


def _is_current_position(live: LiveGame, board: Board) -> bool:
    current = live.game.board
    return (
        current.pieces == board.pieces and current.turn == board.turn and live.rules == board.rules
    )
