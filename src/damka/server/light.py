"""Which games are so simple that their moves are listed at once, without a thread for rules.

Handing a call to a thread and its answer back takes longer than most moves, and much longer while
the event loop is busy. What may take long must not hold the loop up: positions with many kings, the
rules of house boxes, long games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka import rules

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.rules import Rules

__all__ = ["is_light", "is_shipped"]

_KINGS: Final = 2
"""With so few kings no position of a rule set shipped takes more than a few milliseconds."""
_PLIES: Final = 200


def is_shipped(of: Rules) -> bool:
    """Tell whether these are the rules of a rule set that Damka brings along."""
    return of.name in rules.names() and rules.load(of.name) == of


def is_light(live: LiveGame) -> bool:
    """Tell whether a game by shipped rules is so simple."""
    pieces = live.game.board.pieces
    return pieces.count("W") + pieces.count("B") <= _KINGS and live.ply <= _PLIES
