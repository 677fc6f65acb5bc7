"""The settings of a training run and of its fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from damka.engine import weights as learned

__all__ = ["LATER", "Options", "TrainingSettings"]

LATER: Final = ("generations", "window", "pairs", "trials")
"""The settings that may change when a run goes on: no game played so far depends on them."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Options:
    """How to fit.

    `result_share` of the target is the game's result and the rest what the search said; a region's
    state met less often than `least_met` times gets no weight of its own. The priors are the
    standard deviations that weights are expected to have, in logits: of whole regions, of pairs of
    rows, and of everything else. Every position is gone through `epochs` times, and more often
    where that makes less than `steps` steps.

    Positions of which the search says something else than the evaluation at a glance, by more than
    `quiet_margin` hundredths of a man, are left out; 0 for none. A network is fitted to what the
    patterns leave over, in `net_epochs`, and kept if it says more of positions held out; 0 for no
    network.
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
    """What a run does.

    `generations` times `games` games are played with `nodes` positions a move, then weights are
    fitted to the last `window` generations, and kept if they win a match of at most `pairs` pairs
    of games. The first generation is played by `start`: "shipped", "general" or a file of weights.
    At last the best plays `trials` pairs against the general evaluation with as many nodes, and as
    many with `trial_seconds` a move; 0 for none. In all games both sides ask the endgame tables of
    up to `pieces` pieces, 0 for none.

    What is fitted is mixed with a share of `keep`, 0 to 1, of the best before, which has learned
    from games that these positions are not of: the mean of two fits errs less than either. The fits
    are also to the games of other runs of the same rules, whose folders are `also`.

    A run may go on with other `LATER` ones than it began with.
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
