"""Games whose moves are quick to generate, without a thread for rules.

A round trip through a thread takes longer than generating most moves, and much longer while the
event loop is busy. Slow cases must not block the loop: positions with many kings, the rules of
house boxes, long games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka import rules

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.rules import Rules

__all__ = ["is_light", "is_shipped"]

_KINGS: Final = 2
"""Up to this many kings, no position of a shipped rule set takes more than a few milliseconds."""
_PLIES: Final = 200


def is_shipped(of: Rules) -> bool:
    """Return whether these are the rules of a shipped rule set."""
    return of.name in rules.names() and rules.load(of.name) == of


def is_light(live: LiveGame) -> bool:
    """Return whether the moves of a game by shipped rules are quick to generate."""
    pieces = live.game.board.pieces
    return pieces.count("W") + pieces.count("B") <= _KINGS and live.ply <= _PLIES
