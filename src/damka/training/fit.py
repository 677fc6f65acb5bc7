"""Fitting the weights of an evaluation to recorded positions: logistic regression.

What a position is worth is linear in the weights; the chance to win is the logistic function of
that. The weights are those that make the games' results, mixed with what the searches said, most
likely, under a prior that keeps weights small which few positions speak of.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import optimize, sparse

from damka import _core
from damka.training.records import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from damka.rules import Rules
    from damka.training.records import Records
    from damka.training.settings import Options

    Floats = NDArray[np.float32]

__all__ = ["Fitted", "Sheet", "fit", "numbers_of", "sheet_of", "steps_of"]

_BATCH: Final = 8192
_TOLD: Final = 5  # times an epoch that the losses are told, …
_MOST_TOLD: Final = 60  # … and in all
_MEAN: Final = 0.9
_SPREAD: Final = 0.999
_MOST: Final = 1500  # hundredths of a man; what lies beyond is as good as won
_STEP: Final = 4  # parts of a hundredth in which patterns are written
_HELD_OUT: Final = 20
"""One position in so many is kept from the fit, to see how it does on what it has not met."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Positions as the weights see them: a row each.

    `patterns` (sparse) holds +1 and -1 for the patterns, White's and Black's, by number of the
    parameter; `rest` the traits and kings; `opening` (0 to 1) how much the opening's weights count;
    `target` what White is to score, 0 to 1.
    """

    patterns: sparse.csr_array
    rest: NDArray[np.float32]
    opening: NDArray[np.float32]
    target: NDArray[np.float32]
    kept: NDArray[np.int64]
    """The states of whole regions that have parameters, table after table, ascending."""
    full_board: int

    @property
    def size(self) -> int:
        return len(self.target)

    def part(self, rows: NDArray[np.int64]) -> Sheet:
        """Return the positions with these numbers."""
        return self._cut(self.patterns[rows], rows)

    def slice(self, first: int, last: int) -> Sheet:
        """Return a stretch of positions."""
        return self._cut(self.patterns[first:last], slice(first, last))

    def _cut(self, patterns: sparse.csr_array, rows: Any) -> Sheet:
        return replace(
            self,
            patterns=patterns,
            rest=self.rest[rows],
            opening=self.opening[rows],
            target=self.target[rows],
        )

    def logits(self, w: Floats) -> Floats:
        """Return what the positions are worth to White."""
        n = self.patterns.shape[1]
        both = self.patterns @ w[:n] + self.rest @ w[n:]
        return np.asarray(self.opening * both[:, 0] + (1 - self.opening) * both[:, 1])

    def loss(self, w: Floats) -> float:
        """Return the mean cross-entropy of the targets."""
        return _loss(self.logits(w), self.target)

    def slope(self, w: Floats) -> tuple[float, Floats]:
        """Return the loss and how it changes with each weight."""
        logits = self.logits(w)
        error = (_logistic(logits) - self.target) / np.float32(self.size)
        both = np.stack([error * self.opening, error * (1 - self.opening)], axis=1)
        slope = np.concatenate([self.patterns.T @ both, self.rest.T @ both])
        return _loss(logits, self.target), slope


@dataclass(frozen=True, slots=True)
class Fitted:
    """Fitted weights in logits, each for the opening and the ending, and what one man is worth."""

    whole: Floats
    pairs: Floats
    rest: Floats
    man: float
    losses: tuple[tuple[float, float], ...]
    """In the course of the fit: on the positions fitted to, and on those held out."""


def _loss(logits: Floats, target: Floats) -> float:
    # The mean of log(1 + exp(x)) - target x.
    return float(np.mean(np.logaddexp(0, logits) - target * logits))


def _logistic(x: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def _score_scale(score: NDArray[Any], result: NDArray[Any]) -> float:
    """Return how many logits a hundredth of a man was worth in these games."""

    def loss(k: float) -> float:
        chance = _logistic(k * score)
        return -float(
            np.mean(result * np.log(chance + 1e-9) + (1 - result) * np.log(1 - chance + 1e-9))
        )

    return float(optimize.minimize_scalar(loss, bounds=(1e-4, 0.1), method="bounded").x)


def sheet_of(rules: Rules, generations: Sequence[Records], options: Options) -> Sheet:
    """Return what the weights see of the positions that count.

    Scores of different generations are those of different players, so what they promise is looked
    up in the results of each by itself.
    """
    layout = _core.weights_layout(rules)
    records = np.concatenate(generations)
    target = np.concatenate([_targets(each, options.result_share) for each in generations])
    packed = _core.position_features(rules, records.tobytes())
    usable = np.frombuffer(packed[3], np.uint8).astype(bool)

    def table(number: int, kind: type[np.generic]) -> NDArray[Any]:
        return np.asarray(np.frombuffer(packed[number], kind).reshape(len(records), -1)[usable])

    full_board = 2 * rules.rows * rules.row_length
    pieces = np.minimum(np.bitwise_count(records["words"][usable]).sum(axis=1), full_board)
    patterns, kept = _patterns(layout, table(0, np.uint32), options.least_met)
    rest = np.concatenate([table(1, np.int16), table(2, np.int8)], axis=1).astype(np.float32)
    opening = pieces.astype(np.float32) / np.float32(full_board)
    return Sheet(patterns, rest, opening, target[usable], kept, full_board)


def _targets(records: Records, result_share: float) -> Floats:
    """Return what White is to score, 0 to 1: the result mixed with what the search promised."""
    known = records["result"] != UNKNOWN
    score = np.clip(records["score"].astype(np.float64), -_MOST, _MOST)
    result = 0.5 + 0.5 * records["result"]
    promised = _logistic(_score_scale(score[known], result[known]) * score)
    share = np.where(known, result_share, 0.0)
    return np.asarray(share * result + (1 - share) * promised, np.float32)


def _patterns(
    layout: dict[str, Any], states: NDArray[np.uint32], least_met: int
) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Number the parameters, kept states of whole regions first, then pairs of rows."""
    n, views, tables = len(states), layout["views"], len(layout["regions"])
    base = 3 ** layout["columns"]
    size = base ** layout["rows"]
    between = layout["rows"] - 1
    met = np.zeros(tables * size, np.int64)
    for table in range(tables):
        for view in range(views):
            column = states[:, view * tables + table]
            met[table * size : (table + 1) * size] += np.bincount(column, minlength=size)
    kept = np.flatnonzero(met >= least_met)
    number = np.full(tables * size, -1, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    first_pair = len(kept)
    columns = views * tables * (1 + between)
    index = np.empty((n, columns), np.int32)
    sign = np.empty((n, columns), np.float32)
    at = 0
    for view in range(views):
        for table in range(tables):
            state = states[:, view * tables + table].astype(np.int64)
            whole = number[table * size + state]
            plus = np.float32(1 if view % 2 == 0 else -1)
            index[:, at] = np.maximum(whole, 0)
            sign[:, at] = np.where(whole >= 0, plus, 0)
            at += 1
            for pair in range(between):
                part = state // base ** (between - 1 - pair) % base**2
                index[:, at] = first_pair + (table * between + pair) * base**2 + part
                sign[:, at] = plus
                at += 1
    parameters = first_pair + tables * between * base**2
    rows = np.arange(0, n * columns + 1, columns, dtype=np.int64)
    matrix = sparse.csr_array(
        (
            sign.reshape(-1),
            index.reshape(-1),
            rows.astype(np.int32 if n * columns < 2**31 else np.int64),
        ),
        shape=(n, parameters),
    )
    return matrix, kept


def fit(sheet: Sheet, options: Options, on_step: Callable[[int, float, float], object]) -> Fitted:
    """Return the weights that fit the sheet best: Adam on small batches, slower and slower.

    `on_step` hears the share of an epoch's number, the loss on the positions just fitted to, and
    that on the positions held out, a few times an epoch.
    """
    held = _held_out(sheet.size)
    test = sheet.part(np.flatnonzero(held))
    rng = np.random.default_rng(options.seed)
    train = sheet.part(rng.permutation(np.flatnonzero(~held)))
    patterns = sheet.patterns.shape[1]
    whole = len(sheet.kept)
    prior = np.concatenate(
        [
            np.full(whole, options.prior_whole),
            np.full(patterns - whole, options.prior_pairs),
            np.full(sheet.rest.shape[1], options.prior_rest),
        ]
    )
    decay = (1 / prior**2 / train.size)[:, None].astype(np.float32)
    w = np.zeros((len(prior), 2), np.float32)
    # The few numbers that are not patterns go farther, and stand for much: so they move faster.
    pace = np.ones((len(prior), 1), np.float32)
    pace[patterns:] = 4
    mean, spread = np.zeros_like(w), np.zeros_like(w)
    batches = max(1, train.size // _BATCH)
    steps = steps_of(sheet.size, options)
    told = max(1, batches // _TOLD, steps // _MOST_TOLD)
    losses: list[tuple[float, float]] = []
    sums = [0.0, 0]
    for step in range(1, steps + 1):
        at = (step - 1) % batches
        loss, slope = train.slice(
            at * train.size // batches, (at + 1) * train.size // batches
        ).slope(w)
        slope += decay * w
        mean += (1 - _MEAN) * (slope - mean)
        spread += (1 - _SPREAD) * (slope * slope - spread)
        rate = options.rate * 0.5 * (1 + math.cos(math.pi * step / steps))
        rate *= math.sqrt(1 - _SPREAD**step) / (1 - _MEAN**step)
        w -= np.float32(rate) * pace * mean / (np.sqrt(spread) + np.float32(1e-8))
        sums = [sums[0] + loss, sums[1] + 1]
        if step % told == 0 or step == steps:
            losses.append((sums[0] / sums[1], test.loss(w)))
            sums = [0.0, 0]
            on_step(step, *losses[-1])
    return Fitted(w[:whole], w[whole:patterns], w[patterns:], _man(train, w), tuple(losses))


def steps_of(size: int, options: Options) -> int:
    """Return how many steps a fit to so many positions takes."""
    batches = max(1, (size - int(_held_out(size).sum())) // _BATCH)
    return max(options.steps, options.epochs * batches)


def _held_out(size: int) -> NDArray[np.bool_]:
    # Whole stretches, so that no game has positions on both sides but those at the seams.
    stretch = max(1, size // 400)
    return np.asarray(np.arange(size) // stretch % _HELD_OUT == 0)


def _man(sheet: Sheet, w: Floats) -> float:
    """Return how many logits one man more is worth where both sides have as many kings."""
    men, kings = sheet.rest[:, 0], sheet.rest[:, 1]
    calm = np.flatnonzero((kings == 0) & (np.abs(men) <= 2))[:200_000]
    x, y = men[calm], sheet.part(calm).logits(w)
    spread = float(np.dot(x, x))
    return float(np.dot(x, y)) / spread if spread else 0.0


def numbers_of(rules: Rules, sheet: Sheet, fitted: Fitted) -> tuple[bytes, int]:
    """Return the weights as `_core.Weights` takes them, in hundredths of a man, and their step."""
    layout = _core.weights_layout(rules)
    # A man more is worth a hundred, as it is to the searches' margins.
    scale = 100 * layout["parts"] / max(fitted.man, 0.05)
    rest = len(fitted.rest)
    numbers = np.zeros((layout["numbers"] // 2, 2), np.int16)
    numbers[sheet.kept] = _whole(fitted.whole * (scale / _STEP), 127)
    numbers[-rest - len(fitted.pairs) : -rest] = _whole(fitted.pairs * (scale / _STEP), 8000)
    numbers[-rest:] = _whole(fitted.rest * scale, 32767)
    return numbers.tobytes(), _STEP


def _whole(values: Floats, most: int) -> NDArray[np.int16]:
    return np.clip(np.round(values), -most, most).astype(np.int16)
