"""The settings of a training run and of its fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from damka.engine import weights as learned

__all__ = ["LATER", "Options", "TrainingSettings"]

LATER: Final = ("generations", "window", "pairs", "trials")
"""Settings that may change when a run continues, since no earlier game depends on them."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Options:
    """Settings of a fit.

    The target mixes the game's result, with weight `result_share`, and the search's prediction; a
    region's state that occurs fewer than `least_met` times has no weight of its own. The priors are
    the expected standard deviations of weights in logits: of whole regions, of pairs of rows, and
    of all others. The fit takes `epochs` passes over the positions, or more to reach `steps` steps.

    Positions whose search score and static evaluation differ by more than `quiet_margin` hundredths
    of a man are omitted; 0 uses all. A network is fitted to the residual of the patterns in
    `net_epochs`, and used if it lowers the test loss; 0 for no network.
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

    `generations` times `games` games are played with `nodes` positions per move, then weights are
    fitted to the last `window` generations, and accepted if they win a match of at most `pairs`
    pairs of games. The first generation is played by `start`: "shipped", "general" or a weights
    file. Finally the best plays `trials` pairs against the general evaluation with equal nodes, and
    as many with `trial_seconds` per move; 0 for none. In all games both sides probe endgame tables
    of up to `pieces` pieces, 0 for none.

    Fitted weights are mixed with a share of `keep`, 0 to 1, of the previous best, which was fitted
    to other games: the mean of two fits has a smaller error. The folders `also` contribute games of
    other runs with the same rules. A run may continue with changed settings that are in `LATER`.
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
