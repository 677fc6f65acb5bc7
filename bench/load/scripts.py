"""Random games as scripts, with the move texts of the page."""

from __future__ import annotations

import functools
import random
from typing import Final, NamedTuple

from damka import Game, rules
from damka.live.live_game import key_of

__all__ = ["RULES", "Script", "part", "script"]

RULES: Final = ("international", "american", "russian", "dama64")
KEPT: Final = 64
"""Number of distinct games per rule set."""
_LONGEST: Final = 400


class Script(NamedTuple):
    """A complete game, or the part before it is abandoned."""

    rules: str
    moves: tuple[str, ...]
    ends: bool
    """Whether the last move ends the game by the rules."""


def script(number: int) -> Script:
    """Return the game with this number; some are equal."""
    return _script(RULES[number % len(RULES)], number // len(RULES) % KEPT)


def part(number: int) -> Script:
    """Return the opening part of the game with this number, of random length.

    Games that start together then end at different moments, as on a real server.
    """
    whole = script(number)
    length = random.Random(f"part {number}").randint(2, max(2, len(whole.moves) - 1))
    return Script(whole.rules, whole.moves[:length], ends=False)


@functools.cache
def _script(name: str, seed: int) -> Script:
    rng = random.Random(f"{name} {seed}")
    game = Game(rules.load(name))
    moves: list[str] = []
    while game.result is None and len(moves) < _LONGEST:
        legal = tuple(game.legal_moves)
        move = rng.choice(legal)
        moves.append(key_of(move, legal))
        game.play(move)
    return Script(name, tuple(moves), game.result is not None)
