"""The reviewer: which positions of a game to search, and what the searches show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from damka.engine import BEYOND, WIN, winning_chances
from damka.study.review import accuracy
from damka.study.review.classify import MAX_LINE, Evidence, moment_of
from damka.study.review.moment import Review
from damka.study.review.request import Request
from damka.study.review.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Container

    from damka.engine import Analysis, Engine, WinningChances
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Side
    from damka.study.review.moment import Moment

__all__ = ["NODES", "Reviewer"]

NODES: Final = 200_000
"""Nodes for a position where the game turns; other positions take a quarter of them."""
_BATCH: Final = 32
"""Maximum number of searches that are chosen at once, on a page and elsewhere: what a search shows
changes the choice of the next ones, so reviews in batches of other sizes would differ."""

MISTAKE: Final = 0.09
"""Expected score lost by a move that is a moment."""
_SUSPECT: Final = 0.05
"""Expected score lost by a move that is searched again with more nodes."""
_ALARMING: Final = 0.15
"""Expected score lost, by the first quick searches, by a move that is searched before the rest."""
_DOUBTFUL: Final = 0.06
"""Expected score lost by a move that is searched once more, to avoid false alarms."""
_FINE: Final = 0.05
"""Expected score that a good move may lose."""
ONLY: Final = 0.3
"""Expected score that the second-best move loses where only one is good."""
_ONLY_MOVES: Final = 3
"""Maximum number of moments of a side for finding the only move."""
_CLEAR: Final = 0.02
"""Expected score of a position that is decided, or 1 minus it."""
_SHARE: Final = 2
_MORE: Final = 3
_QUICK_SHARE: Final = 80
_LEAST: Final = 200


class _Value(NamedTuple):
    """The best score of a position for its side to move, with its line and its huff."""

    score: int
    pv: tuple[Move, ...]
    nodes: int
    huff: int | None


_Evidence: TypeAlias = "tuple[_Value, _Value, WinningChances | None, float]"


class _Search(NamedTuple):
    nodes: int
    lines: int
    score: int
    pv: tuple[Move, ...]
    second: int | None
    """The score of the second-best move, if known."""


class Reviewer:
    """Review of a game without an engine of its own.

    `next` returns the next search to do, or None at the end; `receive` takes its analysis. `review`
    can be called at any time and returns what is known so far. `nodes` is the number of nodes for a
    position where the game turns.

    The first searches are short, from the last position to the first. Longer ones follow where the
    expected score changes. They are chosen in batches; `next` returns one search of a batch after
    the other.
    """

    def __init__(self, game: Game, nodes: int = NODES) -> None:
        if nodes < 1:
            raise ValueError(f"nodes: 1 or more, not {nodes}")
        self.rules: Final = game.rules
        self.nodes: Final = nodes
        self.timeline: Final = Timeline(game)
        self._batch: dict[Request, None] = {}
        self._others: dict[int, _Search] = {}
        self._searches: dict[tuple[int, int | None], list[_Search]] = {}
        self._values: dict[int, _Value | None] = {}
        self._moments: dict[int, tuple[_Evidence, Moment | None]] = {}

    @property
    def _middle(self) -> int:
        return max(self.nodes // _SHARE, _LEAST)

    @property
    def _quick(self) -> int:
        return max(self.nodes // _QUICK_SHARE, _LEAST)

    # Searches

    def next(self) -> Request | None:
        """Return the next search, or None when the review is complete."""
        if not self._batch:
            self._batch = dict.fromkeys(self.requests())
        return next(iter(self._batch), None)

    def requests(self, limit: int = _BATCH) -> tuple[Request, ...]:
        """Return the next searches, at most `limit`: they can be done in this order, or at once."""
        for stage in (
            self._survey,
            self._alarms,
            self._scan,
            self._deepen,
            self._verify,
            self._exclude,
            self._compare,
        ):
            requests = stage()
            if requests:
                return tuple(dict.fromkeys(requests))[:limit]
        return ()

    def receive(self, request: Request, analysis: Analysis) -> None:
        """Take the analysis of a request. Raises ValueError for a ply that the game lacks."""
        if not 0 <= request.ply <= self.timeline.count:
            raise ValueError(f"ply: 0 to {self.timeline.count}, not {request.ply}")
        if not analysis.pv:
            raise ValueError(f"analysis: no move after {request.ply} plies")
        self._values.clear()
        self._batch.pop(request, None)
        second = analysis.others[0].score if analysis.others else None
        pv = analysis.pv[:MAX_LINE]
        search = _Search(request.nodes, request.lines, analysis.score, pv, second)
        if request.moves is not None:
            self._others[request.ply] = search
            return
        self._searches.setdefault((request.ply, request.huff), []).append(search)

    def search(self, engine: Engine, request: Request) -> Analysis:
        """Return the analysis of a request, by an engine of this process."""
        return engine.search(
            self.timeline.board(request.ply, request.huff),
            nodes=request.nodes,
            multi_pv=request.lines,
            moves=request.moves,
        )

    # Stages: each returns the searches that it lacks

    def _survey(self) -> list[Request]:
        return self._missing(self._backwards(), self._quick, lines=2)

    def _alarms(self) -> list[Request]:
        suspects = [n for n in self._decisions() if self._gap(n) >= _ALARMING]
        return self._missing(self._around(suspects), self._middle)

    def _scan(self) -> list[Request]:
        return self._missing([n for n in self._backwards() if not self._is_clear(n)], self._middle)

    def _deepen(self) -> list[Request]:
        suspects = [n for n in self._decisions() if self._gap(n) >= _SUSPECT]
        return self._missing(self._around(suspects), self.nodes)

    def _verify(self) -> list[Request]:
        suspects = [n for n in self._decisions() if self._gap(n) >= _DOUBTFUL]
        return self._missing(self._around(suspects), _MORE * self.nodes)

    def _exclude(self) -> list[Request]:
        """Search the other moves where the played one was preferred, but turned out badly."""
        requests = []
        for n in self._decisions():
            best, huff = self.value(n), self.timeline.played_huff(n)
            if best is None or n in self._others or self._gap(n) < _SUSPECT:
                continue
            if self._is_played(n, best):
                move = self.timeline.plies[n].move
                others = tuple(other for other in self.timeline.legal(n, huff) if other != move)
                requests.append(Request(n, _MORE * self.nodes, 1, others, huff))
        return requests

    def _compare(self) -> list[Request]:
        """Compare the moves that may be the only good ones with the second-best ones."""
        return self._missing(self._only_moves(), self._middle, lines=2)

    def _only_moves(self) -> list[int]:
        """Return the plies where one move seems to be much better, few of each side."""
        gaps: dict[Side, list[tuple[float, int]]] = {"W": [], "B": []}
        for n in self._decisions():
            ply, best = self.timeline.plies[n], self.value(n)
            second = self._second(n)
            if best is None or second is None or ply.move.captures or self.loss(n) > _FINE:
                continue
            gap = self.chances(n, best.score).expected - second.expected
            if gap >= ONLY and not self._is_clear(n):
                gaps[ply.side].append((-gap, n))
        return [n for found in gaps.values() for _, n in sorted(found)[:_ONLY_MOVES]]

    def _missing(self, plies: list[int], nodes: int, *, lines: int = 1) -> list[Request]:
        requests = []
        for n in plies:
            for huff in self._options(n):
                if len(self.timeline.legal(n, huff)) < 2 and not self._needs_search(n, huff):
                    continue
                if not self._has(n, huff, nodes, lines):
                    requests.append(Request(n, nodes, lines, None, huff))
        return requests

    def _needs_search(self, n: int, huff: int | None) -> bool:
        """Return whether a position with one legal move is not answered by the next position."""
        if not self.timeline.legal(n, huff):
            return False
        if n == self.timeline.count:
            return True
        return huff != self.timeline.played_huff(n) or self.timeline.is_offence(n)

    def _has(self, n: int, huff: int | None, nodes: int, lines: int) -> bool:
        return any(
            search.nodes >= nodes and search.lines >= lines
            for search in self._searches.get((n, huff), ())
        )

    def _options(self, n: int) -> tuple[int | None, ...]:
        return None, *self.timeline.offences(n)

    def _backwards(self) -> list[int]:
        return list(range(self.timeline.count, self.timeline.first - 1, -1))

    def _decisions(self) -> list[int]:
        return [n for n in self._backwards() if n < self.timeline.count]

    def _around(self, plies: list[int]) -> list[int]:
        """Return these positions and the next ones, from the last to the first.

        Where the next position has one legal move, the one after it decides.
        """
        around = set(plies)
        for n in plies:
            after = n + 1
            while len(self.timeline.legal(after)) < 2 and not self._needs_search(after, None):
                if after == self.timeline.count:
                    break
                after += 1
            around.add(after)
        return sorted(around, reverse=True)

    def _is_clear(self, n: int) -> bool:
        """Return whether a position and its neighbours are decided for the same side."""
        near = [m for m in (n - 1, n, n + 1) if self.timeline.first <= m <= self.timeline.count]
        values = [self._white(m) for m in near]
        return all(v < _CLEAR for v in values) or all(v > 1 - _CLEAR for v in values)

    # Values

    def value(self, n: int) -> _Value | None:
        """Return the best known score of the position after `n` plies for the side to move."""
        if n not in self._values:
            # Later positions come first, so that a long game needs no deep recursion.
            for m in range(self.timeline.count, n - 1, -1):
                if m not in self._values:
                    self._values[m] = self._value(m)
        return self._values[n]

    def _value(self, n: int) -> _Value | None:
        board = self.timeline.board(n)
        if n == self.timeline.count and board.is_over:
            result = board.result
            winner = None if result is None else result.winner
            score = 0 if winner is None else WIN if winner == board.turn else -WIN
            return _Value(score, (), self.nodes, None)
        values = [self._searched(n, huff) for huff in self._options(n)]
        searched = [value for value in values if value is not None]
        played = self.played(n)
        others = self._others.get(n)
        if others is not None and played is not None:
            # The searches that preferred the played move are refuted by those of what followed.
            huff = self.timeline.played_huff(n)
            found = _Value(others.score, others.pv, others.nodes, huff)
            searched = [found, *(value for value in searched if value.huff != huff)]
        if played is not None and self.timeline.is_offence(n):
            played = None
        # The shorter search of the next position cannot refute the longer one of this position.
        longest = max((value.nodes for value in searched), default=0)
        if played is not None and (not searched or 2 * played.nodes > longest):
            searched.append(played)
        return max(searched, key=lambda value: value.score, default=None)

    def _searched(self, n: int, huff: int | None) -> _Value | None:
        searches = self._searches.get((n, huff))
        if not searches:
            return None
        best = max(searches, key=lambda search: search.nodes)
        return _Value(best.score, best.pv, best.nodes, huff)

    def played(self, n: int) -> _Value | None:
        """Return the score of the played move for the side that played it, with its line."""
        if n >= self.timeline.count:
            return None
        after = self.value(n + 1)
        if after is None:
            return None
        line = () if after.huff is not None else after.pv
        return _Value(
            _one_ply_later(-after.score),
            (self.timeline.plies[n].move, *line),
            after.nodes,
            self.timeline.played_huff(n),
        )

    def chances(self, n: int, score: int) -> WinningChances:
        """Return the chances of the side to move after `n` plies with a score."""
        return winning_chances(self.rules, score, self.timeline.pieces(n))

    def loss(self, n: int) -> float:
        """Return the expected score that the move after `n` plies lost."""
        best = self.value(n)
        return 0.0 if best is None or self._is_played(n, best) else self._gap(n)

    def _gap(self, n: int) -> float:
        """Return by how much the position is better than the one that the move led to."""
        best, played = self.value(n), self.played(n)
        if best is None or played is None:
            return 0.0
        better = self.chances(n, best.score).expected - self.chances(n, played.score).expected
        return max(0.0, better)

    def _is_played(self, n: int, value: _Value) -> bool:
        """Return whether a line begins with the huff and the move of the game."""
        if n >= self.timeline.count or not value.pv:
            return False
        return value.pv[0] == self.timeline.plies[n].move and (
            value.huff == self.timeline.played_huff(n)
        )

    def _white(self, n: int) -> float:
        """Return White's expected score after `n` plies."""
        value = self.value(n)
        if value is None:
            return 0.5
        expected = self.chances(n, value.score).expected
        return expected if self.timeline.side(n) == "W" else 1 - expected

    # Review

    def review(self) -> Review:
        """Return the review by the searches so far."""
        first, count = self.timeline.first, self.timeline.count
        only = set(self._only_moves())
        moments = [self._moment(n, only) for n in range(first, count)]
        losses = {
            side: [
                self.loss(n)
                for n in range(first, count)
                if self.timeline.plies[n].side == side and len(self.timeline.legal(n)) > 1
            ]
            for side in ("W", "B")
        }
        return Review(
            moments=tuple(moment for moment in moments if moment is not None),
            accuracy={side: accuracy.accuracy(losses[side]) for side in losses},  # type: ignore[misc]
            graph=tuple(self._white(n) for n in range(count + 1)),
            is_complete=not self.requests(1),
        )

    def _moment(self, n: int, only: Container[int]) -> Moment | None:
        best, played = self.value(n), self.played(n)
        if best is None or played is None or not best.pv:
            return None
        loss = self.loss(n)
        if min(best.nodes, played.nodes) < self._middle and loss >= MISTAKE:
            return None
        second = self._second(n) if n in only and self._has(n, None, self._middle, 2) else None
        evidence = best, played, second, loss
        if n not in self._moments or self._moments[n][0] != evidence:
            moment = moment_of(
                Evidence(
                    timeline=self.timeline,
                    ply=n,
                    loss=loss,
                    threshold=MISTAKE,
                    best=best.score,
                    best_line=best.pv,
                    best_huff=best.huff,
                    played=played.score,
                    played_line=played.pv,
                    best_chances=self.chances(n, best.score),
                    played_chances=self.chances(n, played.score),
                    second=second,
                    only=ONLY,
                )
            )
            self._moments[n] = evidence, moment
        return self._moments[n][1]

    def _second(self, n: int) -> WinningChances | None:
        """Return the chances after the second-best move, if known."""
        searches = self._searches.get((n, self.timeline.played_huff(n)), ())
        known = [search for search in searches if search.second is not None]
        best = max(known, key=lambda search: search.nodes, default=None)
        return None if best is None or best.second is None else self.chances(n, best.second)


def _one_ply_later(score: int) -> int:
    """Move a proved end one ply further away."""
    if abs(score) <= BEYOND:
        return score
    return score - 1 if score > 0 else score + 1
