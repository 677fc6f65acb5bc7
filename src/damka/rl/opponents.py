"""Opponents: random moves, a level, a player, or a policy."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from damka.engine import Engine, LevelPlayer, Player
from damka.engine.skill import COUNT

if TYPE_CHECKING:
    from damka.board import Board
    from damka.game import Game

__all__ = ["Opponent", "Policy", "Seat", "random_action", "seat"]

Policy: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], Any]
"""A function of an observation and an action mask that returns an action."""

Opponent: TypeAlias = "str | float | Player | Policy"
"""An opponent: "random", a level from 1 to 10, a `damka.engine.Player`, or a policy.

In a vector environment a policy receives arrays of observations and masks, and returns an array of
actions.
"""

_HASH_MB: Final = 8


class Seat:
    """A player as an opponent; its huffs and draw offers are ignored."""

    def __init__(self, player: Player, engine: Engine | None) -> None:
        self._player = player
        self._engine = engine

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a game, with random choices seeded only by `rng`."""
        self._player.begin(int(rng.integers(2**31)))

    def choose(self, game: Game) -> int | None:
        """Return the index of a move, or None to resign."""
        decision = self._player.choose(game)
        if decision.resign:
            return None
        legal = game.board.legal_moves
        move = decision.move if decision.move in legal else legal[0]
        return game.board.move_to_index(move)

    def close(self) -> None:
        """Close the engine that was created for the player, if any."""
        if self._engine is not None:
            self._engine.close()


def seat(opponent: Opponent) -> Seat | Policy | None:
    """Return a seat for a level or a player, the policy itself, or None for random moves.

    Raises ValueError for an invalid level or text, TypeError for any other type.
    """
    if opponent == "random":
        return None
    if isinstance(opponent, int | float) and not isinstance(opponent, bool):
        if not (float(opponent).is_integer() and 1 <= opponent <= COUNT):
            raise ValueError(f"opponent: a level is 1 to {COUNT}, not {opponent}")
        engine = Engine(_HASH_MB)
        return Seat(LevelPlayer(int(opponent), engine, random.Random()), engine)
    if hasattr(opponent, "choose"):
        return Seat(cast("Player", opponent), None)
    if callable(opponent):
        return opponent
    expected = f'"random", a level from 1 to {COUNT}, a Player or a policy'
    kind = ValueError if isinstance(opponent, str) else TypeError
    raise kind(f"opponent: {expected}, not {opponent!r}")


def random_action(board: Board, rng: np.random.Generator) -> int:
    """Return the index of a uniformly random legal move."""
    return int(rng.choice(np.flatnonzero(board.legal_mask())))
