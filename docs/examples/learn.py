"""Learn a game by self-play, then play against random moves.

    python learn.py --help

A small network estimates the value of the position after a move (the afterstate): the expected
result for the side that has just moved. Self-play chooses the move with the best afterstate, and
sometimes a random move. The network learns from these games by TD(lambda): the value of an
afterstate moves towards the negated value of the opponent's next one, and at the end of a game
towards the result. It starts without any knowledge except the rules.

Needs damka, NumPy and rich, and takes a few minutes on a processor.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

# The matrices are too small to be worth sharing among threads, which wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
from rich.progress import BarColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

import damka
from damka.errors import DamkaError
from damka.rules import load

Floats = npt.NDArray[np.float32]
Actions = npt.NDArray[np.int64]
Planes = npt.NDArray[np.uint8]


class View:
    """The network's input for an observation: the pieces as seen by the side that has just moved.

    Four numbers for every square: own men, own kings, the other side's men and kings. If Black has
    just moved, the board is rotated, so that own men always move up.
    """

    def __init__(self, rules: damka.Rules) -> None:
        cells = [rules.cell(square + 1) for square in range(damka.Board(rules).square_count)]
        at = np.array([row * rules.width + column for row, column in cells])
        size = rules.width * rules.height
        plane = {name: number * size for number, name in enumerate(rules.planes)}
        own, other = ("white_men", "white_kings"), ("black_men", "black_kings")
        self._white = np.concatenate([plane[name] + at for name in own + other])
        self._black = np.concatenate([plane[name] + at[::-1] for name in other + own])
        self._turn = plane["white_to_move"]
        self.inputs = len(self._white)

    def __call__(self, after: Planes) -> Floats:
        """Return the inputs for each of many observations."""
        flat = after.reshape(len(after), -1)
        black_moved = flat[:, self._turn] == 1
        seen = np.empty((len(flat), self.inputs), np.float32)
        seen[~black_moved] = flat[~black_moved][:, self._white]
        seen[black_moved] = flat[black_moved][:, self._black]
        return seen


class Network:
    """A value between -1 and 1 for inputs: one layer of hidden units, trained by Adam."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        def layer(rows: int, columns: int) -> Floats:
            drawn: Floats = rng.standard_normal((rows, columns), np.float32)
            return drawn / np.float32(np.sqrt(rows))

        self.weights = [
            layer(inputs, hidden),
            np.zeros(hidden, np.float32),
            layer(hidden, 1)[:, 0],
            np.zeros(1, np.float32),
        ]
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._updates = 0

    def __call__(self, inputs: Floats) -> Floats:
        _, values = self._forward(inputs)
        return values

    def _forward(self, inputs: Floats) -> tuple[Floats, Floats]:
        first, bias, second, offset = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        values: Floats = np.tanh(hidden @ second + offset[0])
        return hidden, values

    def learn(self, inputs: Floats, targets: Floats, rate: float) -> None:
        """Make a step towards the targets."""
        hidden, values = self._forward(inputs)
        slope = (values - targets) * (1 - values * values) / np.float32(len(inputs))
        through = slope[:, None] * self.weights[2] * (hidden > 0)
        gradients = [inputs.T @ through, through.sum(0), hidden.T @ slope, slope.sum(keepdims=True)]
        self._updates += 1
        for i, gradient in enumerate(gradients):
            self._means[i] += np.float32(0.1) * (gradient - self._means[i])
            self._squares[i] += np.float32(0.001) * (gradient * gradient - self._squares[i])
            mean = self._means[i] / (1 - 0.9**self._updates)
            square = self._squares[i] / (1 - 0.999**self._updates)
            self.weights[i] -= (rate * mean / (np.sqrt(square) + 1e-7)).astype(np.float32)


@dataclass
class Learner:
    """A network with the state to choose moves and to learn."""

    rules: damka.Rules
    hidden: int = 128
    seed: int = 1
    rng: np.random.Generator = field(init=False)
    view: View = field(init=False)
    network: Network = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.view = View(self.rules)
        self.network = Network(self.view.inputs, self.hidden, self.rng)

    def choose(self, games: damka.Boards, chance: float = 0) -> tuple[Actions, Floats, Floats]:
        """Return for every game an action, and the network's input and value after it.

        With a probability of `chance` the action is any legal one.
        """
        numbers, actions, after = games.afterstates()
        seen = self.view(after)
        values = self.network(seen)
        # A random move has a value above every other's.
        wish = values + (self.rng.random(len(games)) < chance)[numbers] * (
            4 + self.rng.random(len(values), dtype=np.float32)
        )
        first = np.flatnonzero(np.diff(numbers, prepend=-1))
        best = np.maximum.reduceat(wish, first)
        chosen = np.flatnonzero(wish == best[numbers])
        chosen = chosen[np.unique(numbers[chosen], return_index=True)[1]]
        return actions[chosen], seen[chosen], values[chosen]

    def train(
        self,
        steps: int,
        *,
        games: int = 256,
        plies: int = 32,
        trace: float = 0.8,
        discount: float = 0.99,
        chance: float = 0.2,
        rate: float = 1e-3,
        tell: Callable[[int], None] = lambda step: None,
    ) -> None:
        """Play `steps` plies of `games` games by self-play, and learn after every `plies` plies.

        `trace` is the lambda of TD(lambda); a result that is a ply later counts `discount` as much,
        so that a win is wanted soon. `chance` is the share of random moves and `rate` the size of
        Adam's steps, which falls to a tenth. `tell` is called with the plies played so far.
        """
        playing = damka.Boards(self.rules, games)
        for done in range(0, steps, plies):
            plies = min(plies, steps - done)
            seen = np.empty((plies, games, self.view.inputs), np.float32)
            values = np.empty((plies, games), np.float32)
            rewards = np.empty((plies, games), np.float32)
            ended = np.empty((plies, games), np.bool_)
            for ply in range(plies):
                actions, seen[ply], values[ply] = self.choose(playing, chance)
                rewards[ply], ended[ply] = playing.step(actions)
            # The last ply has nothing after it and teaches nothing unless its game has ended.
            targets = np.where(ended[-1], rewards[-1], values[-1])
            goals = np.empty_like(values)
            goals[-1] = targets
            for ply in range(plies - 2, -1, -1):
                mixed = trace * targets + (1 - trace) * values[ply + 1]
                targets = np.where(ended[ply], rewards[ply], -discount * mixed)
                goals[ply] = targets
            rows = self.rng.permutation(plies * games)
            flat, wanted = seen.reshape(len(rows), -1), goals.reshape(-1)
            now = rate * (1 - 0.9 * done / steps)
            for part in np.array_split(rows, max(1, len(rows) // 1024)):
                self.network.learn(flat[part], wanted[part], now)
            tell(min(done + plies, steps))

    def against_random(self, games: int) -> tuple[int, int, int]:
        """Play against random moves, White and Black in turn; return wins, draws and losses."""
        playing = damka.Boards(self.rules, games)
        white = np.arange(games) % 2 == 0
        counted = np.zeros(games, np.bool_)
        wins = draws = losses = 0
        while not counted.all():
            own = playing.white_to_move == white
            ours, _, _ = self.choose(playing)
            noise = self.rng.random(playing.legal_mask().shape, dtype=np.float32)
            anything = (noise * playing.legal_mask()).argmax(axis=1)
            rewards, ended = playing.step(np.where(own, ours, anything))
            results = np.where(own, rewards, -rewards)[ended & ~counted]
            wins += int((results > 0).sum())
            draws += int((results == 0).sum())
            losses += int((results < 0).sum())
            counted |= ended
        return wins, draws, losses


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn and play according to the arguments; return the share of points won."""
    parser = argparse.ArgumentParser(description="Learn a game by self-play; beat random moves.")
    parser.add_argument("--rules", default="american", help="a rule set or its file (american)")
    parser.add_argument("--steps", type=int, default=12_000, help="plies of self-play (12000)")
    parser.add_argument("--hidden", type=int, default=128, help="hidden units (128)")
    parser.add_argument("--games", type=int, default=400, help="games against random moves (400)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed learns the same (1)")
    chosen = parser.parse_args(arguments)
    for name in ("steps", "hidden", "games"):
        if getattr(chosen, name) < 1:
            parser.error(f"--{name}: 1 or more, not {getattr(chosen, name)}")
    try:
        rules = load(chosen.rules)
    except DamkaError as error:
        parser.error(str(error))
    learner = Learner(rules, chosen.hidden, chosen.seed)
    started = time.perf_counter()
    columns = ("{task.description}", BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns) as bar:
        task = bar.add_task(f"learning {rules.name}", total=chosen.steps)
        learner.train(chosen.steps, tell=lambda done: bar.update(task, completed=done))
    seconds = time.perf_counter() - started
    wins, draws, losses = learner.against_random(chosen.games)
    score: float = (wins + draws / 2) / (wins + draws + losses)
    print(f"{rules.name}: {chosen.steps} steps in {seconds:.0f} s")
    print(f"against random moves: +{wins} ={draws} -{losses}, {score:.1%} of the points")
    return score


if __name__ == "__main__":
    main()
