"""A match: pairs of games in several processes, with a fixed number or a sequential test."""

from __future__ import annotations

import contextlib
import functools
from collections import deque
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Final

from damka.errors import MatchError
from damka.match import openings, play, statistics
from damka.match.play import MatchSettings, Task
from damka.match.processes import in_processes
from damka.match.store import MatchGame

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

__all__ = ["Score", "run"]

_MAX_FORFEITS: Final = 3
"""Consecutive forfeits of one player that abort the match."""


@dataclass(slots=True, weakref_slot=True)
class Score:
    """The score of a match from the first player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    """The number of games that ended by "normal", "adjudication" and "forfeit"."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Complete pairs with 0, ½, 1, 1½ and 2 points."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Average seconds per move: the first player's and the second's."""
    _half_pairs: dict[int, float] = field(default_factory=dict)

    def add(self, game: MatchGame) -> None:
        """Add a game to the score."""
        self.wins += game.points == 1
        self.draws += game.points == 0.5
        self.losses += game.points == 0
        self.plies += game.plies
        self.ends[game.termination] = self.ends.get(game.termination, 0) + 1
        first_mean, second_mean = self.seconds
        n = self.games
        self.seconds = (
            first_mean + (game.seconds[0] - first_mean) / n,
            second_mean + (game.seconds[1] - second_mean) / n,
        )
        pair = game.number // 2
        if pair in self._half_pairs:
            self.pairs[round(2 * (self._half_pairs.pop(pair) + game.points))] += 1
        else:
            self._half_pairs[pair] = game.points

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The share of the points, 0 to 1; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def elo(self) -> statistics.Estimate:
        """Elo of the first player over the second, from the complete pairs."""
        return statistics.estimate(self.pairs)


def run(
    settings: MatchSettings,
    *,
    games: int,
    concurrency: int = 1,
    sprt: statistics.Sprt | None = None,
    earlier: Iterable[MatchGame] = (),
    on_game: Callable[[MatchGame, Score], object] | None = None,
) -> Score:
    """Play a match of `games` games (an even number), or until `sprt` decides; return the score.

    `earlier` are games of an interrupted match; `concurrency` is the number of processes, 1 for the
    current one. `on_game` is called with each new game and the score after it.

    Raises MatchError for invalid players, openings or numbers, and for a player who forfeits
    repeatedly, after calling `on_game` with all games played so far.
    """
    if games < 2 or games % 2:
        raise MatchError(f"games: expected an even number, not {games}")
    if concurrency < 1:
        raise MatchError(f"concurrency: 1 or more, not {concurrency}")
    score = Score()
    openings_played: dict[int, str] = {}
    for game in earlier:
        if game.number < games and game.number not in openings_played:
            openings_played[game.number] = game.opening
            score.add(game)
    tasks = _tasks(settings, games, openings_played)
    forfeits: deque[str] = deque(maxlen=_MAX_FORFEITS)
    with contextlib.closing(_play_all(settings, tasks, concurrency)) as results:
        while sprt is None or sprt.verdict(score.pairs) is None:
            result = next(results, None)
            if result is None:
                break
            score.add(result)
            if on_game is not None:
                on_game(result, score)
            forfeits.append(result.reason if result.termination == "forfeit" else "")
            if len(forfeits) == _MAX_FORFEITS and all(forfeits):
                raise MatchError(
                    f"{_MAX_FORFEITS} consecutive games were forfeited: {forfeits[-1]}"
                )
    return score


def _tasks(
    settings: MatchSettings, games: int, openings_played: Mapping[int, str]
) -> Iterator[Task]:
    """Yield the remaining games; `openings_played` has the openings of the others."""
    texts = openings.read(settings.source, settings.rules, settings.seed)
    for first in range(0, games, 2):
        second, opening = first + 1, next(texts)
        # The search selects random openings, and it may have changed since the match began.
        opening = openings_played.get(first) or openings_played.get(second) or opening
        yield from (Task(n, opening) for n in (first, second) if n not in openings_played)


def _play_all(
    settings: MatchSettings, tasks: Iterator[Task], concurrency: int
) -> Generator[MatchGame]:
    """Yield the games as they finish."""
    if concurrency == 1:
        try:
            for task in tasks:
                yield play.play(settings, task)
        finally:
            play.close()
        return
    work = in_processes(
        functools.partial(play.play, settings), tasks, concurrency, prepare=_close_at_end
    )
    try:
        with contextlib.closing(work):
            for _, result in work:
                yield result
    except BrokenProcessPool as error:
        raise MatchError("a worker process died") from error


def _close_at_end() -> None:
    """Close a process's engines when it exits."""
    Finalize(None, play.close, exitpriority=10)
