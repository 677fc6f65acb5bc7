"""Ratings of several players from their games."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Meeting", "ratings"]


def __dir__() -> list[str]:
    return __all__


_ITERATIONS: Final = 20_000
_TOLERANCE: Final = 1e-9


class Meeting(NamedTuple):
    """The games between two players: their number, and the first player's points."""

    first: str
    second: str
    games: int
    points: float


def ratings(meetings: Iterable[Meeting], base: str) -> dict[str, float]:
    """Return the maximum-likelihood Elo of every player, relative to `base`.

    The Bradley–Terry model, fitted by Zermelo's iteration. Every pairing gets one additional drawn
    game, so that a perfect score gives a finite rating. Ratings of players who are not connected to
    `base` by a chain of opponents are meaningless.

    >>> from damka.match.ratings import Meeting, ratings
    >>> elo = ratings([Meeting("a", "b", 99, 75), Meeting("c", "b", 99, 49.5)], "b")
    >>> round(elo["a"]), round(elo["c"])
    (196, 0)
    """
    points: dict[str, float] = {base: 0.0}
    opponents: dict[str, list[tuple[str, float]]] = {base: []}
    for first, second, games, first_points in meetings:
        for player, other, own_points in (
            (first, second, first_points),
            (second, first, games - first_points),
        ):
            points[player] = points.get(player, 0.0) + own_points + 0.5
            opponents.setdefault(player, []).append((other, games + 1.0))
    strength = dict.fromkeys(points, 1.0)
    for _ in range(_ITERATIONS):
        change = 0.0
        for player, games_against in opponents.items():
            shares = sum(n / (strength[player] + strength[other]) for other, n in games_against)
            if shares:
                updated = points[player] / shares
                change = max(change, abs(updated / strength[player] - 1))
                strength[player] = updated
        if change < _TOLERANCE:
            break
    return {player: 400 * math.log10(value / strength[base]) for player, value in strength.items()}
