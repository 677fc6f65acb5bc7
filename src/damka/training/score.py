"""The score of a match in pairs of games."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from damka.match import statistics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from damka.match import Estimate, Sprt

__all__ = ["MatchScore"]


@dataclass
class MatchScore:
    """The numbers of pairs with 0, ½, 1, 1½ and 2 points, and of wins, draws and losses."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    games: list[int] = field(default_factory=lambda: [0] * 3)

    @classmethod
    def of(cls, files: Iterable[Path]) -> MatchScore:
        """Return the total score of some match files."""
        score = cls()
        for file in files:
            score.add(json.loads(file.read_bytes())["results"])
        return score

    def add(self, results: Sequence[int]) -> None:
        """Add the results of games, pair by pair: 1, 0 or -1 for the first player."""
        for first, second in zip(results[::2], results[1::2], strict=True):
            self.pairs[first + second + 2] += 1
        for result in results:
            self.games[1 - result] += 1

    @property
    def count(self) -> int:
        """The number of pairs."""
        return sum(self.pairs)

    @property
    def share(self) -> float:
        """The first player's share of the points."""
        wins, draws, _ = self.games
        return (wins + draws / 2) / max(1, sum(self.games))

    @property
    def elo(self) -> Estimate:
        """The Elo difference of the first player."""
        return statistics.estimate(self.pairs)

    def decided(self, test: Sprt) -> bool:
        """Whether the test is decided."""
        return test.verdict(self.pairs) is not None

    def accepted(self, test: Sprt) -> bool:
        """Whether the test accepts the first player, or favours it if it is undecided."""
        verdict = test.verdict(self.pairs)
        return test.ratio(self.pairs) > 0 if verdict is None else verdict

    def figures(self) -> dict[str, Any]:
        """Return the score as plain values, for JSON."""
        wins, draws, losses = self.games
        elo = self.elo
        return {
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "share": round(self.share, 4),
            "elo": _bounded(elo.elo),
            "low": _bounded(elo.low),
            "high": _bounded(elo.high),
        }

    def __str__(self) -> str:
        """Write "+120 =60 -20, 75.0%, Elo +190.8 (+150.1 to +240.2)"."""
        wins, draws, losses = self.games
        return f"+{wins} ={draws} -{losses}, {self.share:.1%}, Elo {self.elo}"


def _bounded(elo: float) -> int:
    return round(max(-9999.0, min(9999.0, elo)))
