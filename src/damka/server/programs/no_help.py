"""Who may be helped by the engine and the tables: nobody in a running game between people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.live.live_game import LiveGame
from damka.live.problems import Problem

if TYPE_CHECKING:
    from damka.board import Board
    from damka.server.accounts import Account
    from damka.server.app_state import AppState

__all__ = ["require_no_running_game"]

_LOOKED_AT: Final = 100
"""Running games of an account that are looked at, the latest first."""


async def require_no_running_game(app_state: AppState, account: Account, board: Board) -> None:
    """Raise Problem where an analysis of `board` might help in a running game on two devices.

    Who plays such a game gets no help at all with its rules, because any position may come up in it
    soon. A bot may think about its own games as it likes. Nobody gets help with the position that
    stands in somebody else's game now.
    """
    sessions = app_state.sessions
    found = await sessions.database.read(lambda store: store.running(account.holder, _LOOKED_AT))
    for game_id, _ in found:
        async with sessions.enter(game_id) as session:
            if session is not None and await session.read(_is_on):
                _require_other(session.live, account, board)
    for live in sessions.open_games():
        if _is_on(live):
            _require_other(live, account, board)


def _require_other(live: LiveGame, account: Account, board: Board) -> None:
    """Raise Problem where help about `board` is help in a game that is on."""
    if live.sides_of(account.holder):
        helps = not account.bot and live.rules == board.rules
    else:
        helps = _stands(live, board)
    if helps:
        raise Problem(403, "no_help_now")


def _is_on(live: LiveGame) -> bool:
    return live.online and live.result is None and live.open_side is None


def _stands(live: LiveGame, board: Board) -> bool:
    there = live.game.board
    return there.pieces == board.pieces and there.turn == board.turn and live.rules == board.rules
