"""Games whose moves can be generated in the event loop, without a rule thread.

Switching to a thread takes longer than generating most moves, and much longer while the event loop
is busy. Slow cases must not block the loop: positions with many kings, house rules, long games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka import rules as rule_sets

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.rules import Rules

__all__ = ["is_light", "is_shipped"]

_MAX_KINGS: Final = 2
"""With so few kings, no position of a shipped rule set takes more than a few milliseconds."""
_MAX_PLIES: Final = 200


def is_shipped(rules: Rules) -> bool:
    """Return whether these are the rules of a shipped rule set."""
    return rules.name in rule_sets.names() and rule_sets.load(rules.name) == rules


def is_light(live: LiveGame) -> bool:
    """Return whether the moves of a game by shipped rules are fast to generate."""
    pieces = live.game.board.pieces
    return pieces.count("W") + pieces.count("B") <= _MAX_KINGS and live.ply <= _MAX_PLIES
