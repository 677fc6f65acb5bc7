"""Ratings of several players from their games."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Meeting", "ratings"]


def __dir__() -> list[str]:
    return __all__


_ROUNDS: Final = 20_000
_STILL: Final = 1e-9


class Meeting(NamedTuple):
    """The games between two players: their number, and the first player's points."""

    first: str
    second: str
    games: int
    points: float


def ratings(meetings: Iterable[Meeting], base: str) -> dict[str, float]:
    """Return the maximum-likelihood Elo of every player, relative to `base`.

    The Bradley–Terry model, fitted by Zermelo's iteration. Every pairing gets one additional
    drawn game, so that a clean score remains finite. The ratings of players without a chain of
    opponents to `base` have no meaning.

    >>> from damka.match.ratings import Meeting, ratings
    >>> found = ratings([Meeting("a", "b", 99, 75), Meeting("c", "b", 99, 49.5)], "b")
    >>> round(found["a"]), round(found["c"])
    (196, 0)
    """
    points: dict[str, float] = {base: 0.0}
    met: dict[str, list[tuple[str, float]]] = {base: []}
    for first, second, games, gained in meetings:
        for player, other, mine in ((first, second, gained), (second, first, games - gained)):
            points[player] = points.get(player, 0.0) + mine + 0.5
            met.setdefault(player, []).append((other, games + 1.0))
    worth = dict.fromkeys(points, 1.0)
    for _ in range(_ROUNDS):
        change = 0.0
        for player, others in met.items():
            shares = sum(n / (worth[player] + worth[other]) for other, n in others)
            if shares:
                now = points[player] / shares
                change = max(change, abs(now / worth[player] - 1))
                worth[player] = now
        if change < _STILL:
            break
    return {player: 400 * math.log10(value / worth[base]) for player, value in worth.items()}
