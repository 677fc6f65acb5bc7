"""Winning chances: probabilities of a win, a draw and a loss for a score of the engine.

A score in hundredths of a man orders positions, but how often an advantage wins depends on the
game: in international draughts a man ahead is often drawn, in giveaway almost never. The curves
from score to result are in `chances.toml`, fitted to games between equal players by `damka train
calibrate` for some rule sets, and for each family of games as the default of all others.

A curve is a logistic regression with three ordered outcomes. Its numbers a, b and c depend on the
number of pieces: they are linear between the numbers in `pieces`, and constant beyond. With
x = c·asinh(s/c), a score s wins with probability f((x − a)/b) and loses with f((−x − a)/b), where f
is the logistic function. Small scores count more than their share, the more so in endings, whose
scores are scaled down where an advantage rarely wins.
"""

from __future__ import annotations

import bisect
import functools
import math
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from damka import rules as rule_sets
from damka.engine.search import BEYOND
from damka.engine.weights import play_of

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["DATA", "Curve", "WinningChances", "curve", "family", "source", "winning_chances"]


def __dir__() -> list[str]:
    return __all__


DATA: Final = Path(__file__).with_name("chances.toml")
"""The file of the curves."""
_SMALL: Final = 32
"""The playing squares of an 8×8 board; flying kings on larger boards are a family of their own."""


class WinningChances(NamedTuple):
    """Probabilities of the three results for the side to move; their sum is 1."""

    win: float
    draw: float
    loss: float

    @property
    def expected(self) -> float:
        """The expected score, 0 to 1: a win counts 1 and a draw ½."""
        return self.win + self.draw / 2


class Curve(TypedDict):
    """A curve, ready for JSON: a, b and c at some numbers of pieces, the smallest first."""

    pieces: list[int]
    a: list[float]
    b: list[float]
    c: list[float]


def winning_chances(
    rules: Rules | str | Path, score: int, pieces: int | None = None
) -> WinningChances:
    """Return the probabilities of a win, a draw and a loss for the side to move.

    `score` is in hundredths of a man, as in `Analysis.score`; a proved win or a tablebase win is
    certain. `pieces` is the number of pieces on the board, of both sides, since the same advantage
    wins more often with fewer of them; None for half of those at the start. The chances are those
    of equal players: at 0 both sides have the same.

    `rules` is a rule set or an argument of `damka.rules.load`; raises what that raises, and
    ValueError for a number of pieces that the board cannot hold.

    >>> from damka.engine import winning_chances
    >>> winning_chances("american", 0).win == winning_chances("american", 0).loss
    True
    >>> winning_chances("international", 29_993)
    WinningChances(win=1.0, draw=0.0, loss=0.0)
    """
    if not isinstance(rules, rule_sets.Rules):
        rules = rule_sets.load(rules)
    if pieces is None:
        pieces = rules.rows * rules.row_length
    elif not 0 <= pieces <= rules.square_count:
        raise ValueError(f"pieces: 0 to {rules.square_count}, not {pieces}")
    if abs(score) > BEYOND:
        return WinningChances(1.0, 0.0, 0.0) if score > 0 else WinningChances(0.0, 0.0, 1.0)
    a, b, c = _numbers(_curve(rules), pieces)
    x = c * math.asinh(score / c)
    win, loss = _logistic((x - a) / b), _logistic((-x - a) / b)
    return WinningChances(win, max(0.0, 1 - win - loss), loss)


def curve(rules: Rules) -> Curve:
    """Return the curve for games by `rules`, for a page that computes the chances itself."""
    return deepcopy(_curve(rules))


def _numbers(line: Curve, pieces: int) -> tuple[float, float, float]:
    """Interpolate the numbers of a curve."""
    knots = line["pieces"]
    at = min(max(bisect.bisect_right(knots, pieces), 1), len(knots) - 1)
    low, high = knots[at - 1], knots[at]
    part = min(max((pieces - low) / (high - low), 0.0), 1.0)
    a, b, c = (
        values[at - 1] + part * (values[at] - values[at - 1])
        for values in (line["a"], line["b"], line["c"])
    )
    return a, b, c


def source(rules: Rules) -> str:
    """Return the rule set or the family whose games the curve for `rules` was fitted to.

    House rules that play like a fitted rule set have its curve, as they have its weights.

    >>> from damka import rules
    >>> from damka.engine import chances
    >>> chances.source(rules.load("canadian"))
    'flying-large'
    """
    play = play_of(rules)
    alike = [name for name, others in _fitted() if others == play]
    if rules.name in alike:
        return rules.name
    return alike[0] if alike else family(rules)


def family(rules: Rules) -> str:
    """Return the family of `rules`, whose curve is the default.

    It depends on the objective, the kings and the board: "losing", "breakthrough", "straight" (on
    all squares), "short" (kings), "flying" and "flying-large" (on more than 8×8 cells).
    """
    if rules.objective != "normal":
        return rules.objective
    if rules.squares == "all":
        return "straight"
    if rules.king_range == "short":
        return "short"
    return "flying" if rules.square_count <= _SMALL else "flying-large"


@functools.lru_cache(256)
def _curve(rules: Rules) -> Curve:
    name = source(rules)
    data = _data()
    table = data["rules"].get(name) or data["families"][name]
    return Curve(pieces=table["pieces"], a=table["a"], b=table["b"], c=table["c"])


@functools.cache
def _fitted() -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """Return the fitted rule sets, each with the parameters that affect play."""
    return tuple((name, play_of(rule_sets.load(name))) for name in _data()["rules"])


@functools.cache
def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))


def _logistic(x: float) -> float:
    """Return 1/(1 + exp(−x)), without an overflow for large arguments."""
    return (1 + math.tanh(x / 2)) / 2
