"""Games to be played: random ones, as the texts by which a page names its moves."""

from __future__ import annotations

import functools
import random
from typing import Final, NamedTuple

from damka import Game, rules
from damka.live.live_game import key_of

__all__ = ["RULES", "Script", "part", "script"]

RULES: Final = ("international", "american", "russian", "dama64")
KEPT: Final = 64
"""Different games of each rule set."""
_LONGEST: Final = 400


class Script(NamedTuple):
    """A game to its end, or to where it is broken off."""

    rules: str
    moves: tuple[str, ...]
    ends: bool
    """Whether the last move ends the game by the rules."""


def script(number: int) -> Script:
    """Return the game with a number; some are the same."""
    return _script(RULES[number % len(RULES)], number // len(RULES) % KEPT)


def part(number: int) -> Script:
    """Return the beginning of the game with a number, as long as chance will have it.

    So games that begin at the same moment do not end together, as those of a server do not.
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
