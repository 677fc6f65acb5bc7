"""Openings of a match, each as text like the ballots of rule sets, "31-26 16-21".

An opening consists of moves, a position, or both, after an optional number and name (`ballots` on
the page docs/rules/parameters.md of the documentation).
"""

from __future__ import annotations

import random
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka import pdn
from damka.engine import Engine
from damka.errors import MatchError, PdnError, RulesError
from damka.game import Game
from damka.rules.openings import MAX_NAME, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules

__all__ = ["begin", "read"]


def __dir__() -> list[str]:
    return __all__


EVEN: Final = 40
"""The maximum score of a random opening, in hundredths of a man."""

_NODES: Final = 20_000
_MAX_TRIES: Final = 200
_MAX_BYTES: Final = 16 << 20
_MAX_GAMES: Final = 100_000


def read(source: str, rules: Rules, seed: int) -> Iterator[str]:
    """Return an endless iterator of the openings of `source`.

    "random" means 4 to 8 random plies to a position that the search considers even, without
    repetition while there are other positions; "ballots" means the shuffled openings of the rule
    set. Any other source is a file with one opening per line, or a PDN file (.pdn) whose start
    positions and main lines are the openings, in file order. `seed` seeds the random choices.

    Raises MatchError for a file that cannot be read or has an invalid line, and for a rule set
    without ballots.
    """
    if source == "random":
        return _random_openings(rules, seed)
    if source == "ballots":
        texts = list(rules.openings)
        if not texts:
            raise MatchError(f"openings: {rules.name} has no ballots; use `random`")
        random.Random(f"ballots {seed}").shuffle(texts)
        return cycle(texts)
    path = Path(source)
    return cycle(
        _read_games(path, rules) if path.suffix.lower() == ".pdn" else _read_file(path, rules)
    )


def begin(rules: Rules, text: str) -> Game:
    """Return a game after the moves of an opening.

    Raises MatchError if the opening cannot be played.
    """
    if not text.strip():
        return Game(rules)
    try:
        opening_game = Game(rules.replace(ballots=(text,)), ballot=0)
    except RulesError as error:
        raise MatchError(f"opening {text[:80]!r}: {error}") from error
    game = Game(rules, opening_game.start_fen)
    for move in opening_game.moves:
        game.play(move)
    return game


def _random_openings(rules: Rules, seed: int) -> Iterator[str]:
    engine = Engine(hash_mb=1)
    positions = set()
    tries = 0
    for number in count():
        rng = random.Random(f"{rules.name} {seed} {number}")
        game = Game(rules)
        for _ in range(rng.choice((4, 6, 8))):
            if game.result is None:
                game.play(rng.choice(game.legal_moves))
        position = game.board.fen
        tries += 1
        # A small board may have no other opening, or no even opening.
        may_retry = tries < _MAX_TRIES
        if game.result is not None or (may_retry and position in positions):
            continue
        if may_retry and abs(engine.search(game, nodes=_NODES).score) > EVEN:
            continue
        positions.add(position)
        tries = 0
        yield " ".join(map(str, game.history))


def _read_file(path: Path, rules: Rules) -> list[str]:
    try:
        lines = read_file(path, _MAX_BYTES)
    except RulesError as error:
        raise MatchError(f"openings: {error}") from error
    for number, line in lines.items():
        try:
            begin(rules, line)
        except MatchError as error:
            raise MatchError(f"{path}, line {number}: {error}") from error
    return [*lines.values()]


def _read_games(path: Path, rules: Rules) -> list[str]:
    """Return a file's games as openings: the position, the main line and the tag Opening."""
    texts: list[str] = []
    try:
        for number, game in enumerate(pdn.read(path, rules, strict=True), start=1):
            try:
                texts.append(_opening(game))
                begin(rules, texts[-1])
            except MatchError as error:
                place = f"{path}, game {number}, line {game.line_number}"
                raise MatchError(f"{place}: {error}") from error
            if number > _MAX_GAMES:
                raise MatchError(f"openings {str(path)!r}: at most {_MAX_GAMES} games")
    except PdnError as error:
        raise MatchError(f"openings: {error}") from error
    if not texts:
        raise MatchError(f"openings {str(path)!r}: the file contains no game")
    return texts


def _opening(game: pdn.PdnGame) -> str:
    """Return a game's main line as an opening. Raises MatchError if it is empty."""
    board = game.start()
    words = [board.fen] if game.fen else []
    for node in game.mainline():
        if node.setup is not None or node.move is None:
            raise MatchError("a position is set up in mid-game")
        words.append(board.text(node.move))
        board.push(node.move)
    if not words:
        raise MatchError("the game has no moves and no position")
    name = " ".join(game.headers.get("Opening", "").split())[:MAX_NAME].strip()
    return f"{name}: {' '.join(words)}" if name else " ".join(words)
