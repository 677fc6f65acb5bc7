"""The expected score of a position: one number from an engine's score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.engine import BEYOND

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Chances", "chances", "expected_score"]

_DRAW: Final = 90
_SCALE: Final = 45


class Chances(NamedTuple):
    """The probabilities of the results for the side to move; they add up to 1."""

    win: float
    draw: float
    loss: float

    @property
    def expected(self) -> float:
        """The expected score: 1 for a win, 0.5 for a draw."""
        return self.win + self.draw / 2


def chances(rules: Rules, score: int, pieces: int | None = None) -> Chances:
    """Return the chances of the side to move with this score, in hundredths of a man."""
    if abs(score) > BEYOND:
        return Chances(1.0, 0.0, 0.0) if score > 0 else Chances(0.0, 0.0, 1.0)
    # A draw is rarer on small boards, where a man decides more often.
    draw = _DRAW if rules.square_count > 32 else _DRAW * 0.6
    win = 1 / (1 + math.exp(-(score - draw) / _SCALE))
    loss = 1 / (1 + math.exp((score + draw) / _SCALE))
    return Chances(win, 1 - win - loss, loss)


def expected_score(rules: Rules, score: int, pieces: int | None = None) -> float:
    """Return the expected score of the side to move, 0 to 1.

    `score` is in hundredths of a man; `pieces` is the number of pieces on the board.

    >>> import damka
    >>> from damka.study.review import expected_score
    >>> expected_score(damka.rules.load("international"), 0)
    0.5
    """
    return chances(rules, score, pieces).expected
