"""Openings of a match: each is a text as rule sets write their ballots, "31-26 16-21".

The moves are in the library's numbers; before them may stand a position in FEN, or in parentheses
the squares whose men are taken off at the start (`ballots` on the page
docs/rules/parameters.md of the documentation).
"""

from __future__ import annotations

import random
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka.engine import Engine
from damka.errors import MatchError, RulesError
from damka.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules

__all__ = ["begin", "read"]

EVEN: Final = 40
"""The largest score of a random opening by the search, in hundredths of a man."""

_NODES: Final = 20_000
_TRIES: Final = 200
_MAX_BYTES: Final = 16 << 20
_MAX_LINE: Final = 2_000


def read(source: str, rules: Rules, seed: int) -> Iterator[str]:
    """Return the openings that `source` names, without end.

    "random" are 4 to 8 random plies after which the search calls the game even, no position twice
    while there are others; "ballots" are those of the rule set, in an order of lot; anything else
    is a file with an opening a line, in its order. `seed` settles the lot.

    Raises MatchError for a file that cannot be read or has a wrong line, and where there are no
    ballots.
    """
    if source == "random":
        return _random(rules, seed)
    if source == "ballots":
        texts = list(rules.openings)
        if not texts:
            raise MatchError(f"openings: {rules.name} has no ballots; `random` serves any rules")
        random.Random(f"ballots {seed}").shuffle(texts)
        return cycle(texts)
    return cycle(_file(Path(source), rules))


def begin(rules: Rules, text: str) -> Game:
    """Return a game in which the moves of an opening have been made.

    Raises MatchError when the opening cannot be played.
    """
    if not text.strip():
        return Game(rules)
    try:
        lot = Game(rules.replace(ballots=(text,)), ballot=0)
    except RulesError as error:
        raise MatchError(f"opening {text[:80]!r}: {error}") from error
    game = Game(rules, lot.start_fen)
    for move in lot.moves:
        game.play(move)
    return game


def _random(rules: Rules, seed: int) -> Iterator[str]:
    engine = Engine(hash_mb=1)
    seen = set()
    tries = 0
    for number in count():
        rng = random.Random(f"{rules.name} {seed} {number}")
        game = Game(rules)
        for _ in range(rng.choice((4, 6, 8))):
            if game.result is None:
                game.play(rng.choice(game.legal_moves))
        position = game.board.fen
        tries += 1
        # On a small board there may be no other opening, or none that is even.
        patient = tries < _TRIES
        if game.result is not None or (patient and position in seen):
            continue
        if patient and abs(engine.search(game, nodes=_NODES).score) > EVEN:
            continue
        seen.add(position)
        tries = 0
        yield " ".join(map(str, game.history))


def _file(path: Path, rules: Rules) -> list[str]:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        lines = data.decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise MatchError(f"openings {str(path)!r}: cannot be read ({error})") from error
    if len(data) > _MAX_BYTES:
        raise MatchError(f"openings {str(path)!r}: at most {_MAX_BYTES} bytes")
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            begin(rules, text[:_MAX_LINE])
        except MatchError as error:
            raise MatchError(f"{path}, line {number}: {error}") from error
        found.append(text)
    if not found:
        raise MatchError(f"openings {str(path)!r}: expected an opening a line")
    return found
