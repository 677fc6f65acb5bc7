"""The settings of a training run and of its fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from damka.engine import weights as learned

__all__ = ["LATER", "Options", "TrainingSettings"]

LATER: Final = ("generations", "window", "pairs", "trials")
"""Settings that may change when a run is resumed, since no earlier game depends on them."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Options:
    """Settings of a fit.

    The target is the game's result, with the weight `result_share`, mixed with the prediction of
    the search. A state of a region that occurs fewer than `least_met` times has no weight of its
    own. The priors are the expected standard deviations of weights in logits: of whole regions, of
    pairs of rows, and of all others. The fit has `epochs` passes over the positions, or more for at
    least `steps` steps.

    Positions whose search score and static evaluation differ by more than `quiet_margin` hundredths
    of a man are omitted; 0 uses all. In `net_epochs` epochs a network is fitted to the residual of
    the patterns, and used if it lowers the test loss; 0 for no network.
    """

    result_share: float = 0.5
    least_met: int = 8
    prior_whole: float = 0.15
    prior_pairs: float = 0.3
    prior_rest: float = 3.0
    epochs: int = 8
    steps: int = 500
    rate: float = 0.02
    quiet_margin: float = 100.0
    net_epochs: int = 5
    net_rate: float = 0.005
    seed: int = 0


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TrainingSettings:
    """Settings of a run.

    Each of the `generations` generations plays `games` games with `nodes` positions per move, fits
    weights to the last `window` generations, and accepts them if they win a match of at most
    `pairs` pairs of games. `start` plays the first generation: "shipped", "general" or a weights
    file. Finally the best weights play `trials` pairs against the general evaluation with equal
    nodes, and as many with `trial_seconds` per move; 0 for none. In all games both sides probe
    tablebases of up to `pieces` pieces, 0 for none.

    Fitted weights are mixed with a share of `keep`, 0 to 1, of the previous best weights, which
    were fitted to other games: the mean of two fits has a smaller error. `also` are folders of
    other runs with the same rules, whose games are used too. When a run is resumed, only the
    settings in `LATER` may have changed.
    """

    games: int = 20_000
    generations: int = 2
    nodes: int = 700
    window: int = 6
    pairs: int = 300
    start: str = learned.SHIPPED
    random_moves: int = 10
    trials: int = 100
    trial_seconds: float = 0.01
    seed: int = 0
    pieces: int = 0
    keep: float = 0.0
    also: tuple[str, ...] = ()
    fit: Options = field(default_factory=Options)
