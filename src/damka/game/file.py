"""Game files: JSON of a whole game, whose moves are validated on loading.

```json
{"format": "damka-game", "version": 1,
 "rules": {…every parameter…},
 "start": "W:W31,32…:B1,2…",
 "moves": ["32-28", "19-23", "(23) 28-22"],
 "offers": [{"after": 2, "side": "W", "act": "offer"}],
 "result": {"winner": "W", "reason": "resignation"},
 "players": {"W": "Ana"}}
```

A huffed square is in parentheses before the move, or by itself if no move follows. `offers` are
draw offers and their answers; `after` counts the moves and huffs before each. `offers`, `result`
and `players` are optional. A game with a balloted opening has `"ballot": 3`, the opening's index in
the rules from 0, and `moves` begins with the opening's moves; `"returned": true` marks the second
game with this opening, with swapped sides.
"""

from __future__ import annotations

import collections
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from damka import rules as rule_sets
from damka._nesting import MAX_DEPTH, is_too_deep
from damka.errors import DamkaError, FenError, GameFileError, RulesError
from damka.game.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Huffed,
    Moved,
)
from damka.game.record import HUFF
from damka.notation import squares
from damka.result import Reason, Result
from damka.rules import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from damka.game.game import Game

__all__ = ["FORMAT", "MAX_BYTES", "MAX_MOVES", "VERSION", "dump", "is_pdn", "load", "parse", "save"]

FORMAT: Final = "damka-game"
VERSION: Final = 1
MAX_BYTES: Final = 1 << 20
MAX_MOVES: Final = 10_000

_DRAWN_REASONS: Final = {"time_draw", "abandonment_draw", "aborted"}
_OTHER_REASONS: Final = {"resignation", "time", "abandonment", *_DRAWN_REASONS}
"""Reasons of results that do not follow from the moves and offers of a file."""

_PATH = re.compile(r"(.*) - at (?:`key` in )?`\$\.(.*)`")
_T = TypeVar("_T")


class _Head(msgspec.Struct):
    format: str
    version: int


class _Offer(msgspec.Struct, forbid_unknown_fields=True):
    after: Annotated[int, Meta(ge=0)]
    side: Side
    act: Literal["offer", "accept", "decline"]


class _Result(msgspec.Struct, forbid_unknown_fields=True):
    winner: Side | None
    reason: Reason


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    rules: dict[str, Any]
    start: str
    moves: Annotated[list[str], Meta(max_length=MAX_MOVES)]
    offers: Annotated[list[_Offer], Meta(max_length=MAX_MOVES)] = []
    result: _Result | None = None
    players: dict[Side, str] = {}
    # Omitted without a balloted opening.
    ballot: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    returned: bool | UnsetType = UNSET


def dump(game: Game) -> str:
    """Return a game as file text; raises GameFileError for a game too long to load again."""
    moves = [str(ply) for ply in game.history]
    if game.pending_huff is not None:
        moves.append(f"({game.pending_huff})")
    if len(moves) > MAX_MOVES:
        raise GameFileError(f"the game has {len(moves)} moves; a file may have at most {MAX_MOVES}")
    data = _File(
        format=FORMAT,
        version=VERSION,
        rules=game.rules.to_dict(),
        start=game.start_fen,
        moves=moves,
        offers=_offers(game),
        result=None if game.result is None else _Result(*game.result),
        players=dict(game.players),
        ballot=UNSET if game.ballot is None else game.ballot,
        returned=game.returned or UNSET,
    )
    text = msgspec.json.format(msgspec.json.encode(data), indent=1).decode()
    if len(text.encode()) > MAX_BYTES:
        raise GameFileError(f"the game file is larger than {MAX_BYTES} bytes")
    return text + "\n"


def parse(kind: type[Game], text: str | bytes) -> Game:
    """Parse file text as a game of type `kind`; raises GameFileError."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(data) > MAX_BYTES + 1:
        raise GameFileError(f"the game file is larger than {MAX_BYTES} bytes")
    head = _decode(data, _Head)
    if head.format != FORMAT:
        raise GameFileError(f'format: expected "{FORMAT}", found "{head.format[:40]}"')
    if head.version != VERSION:
        raise GameFileError(
            f"version: this Damka reads version {VERSION}, the file has version {head.version}"
        )
    return _replay(kind, _decode(data, _File))


def save(game: Game, path: Path | str) -> None:
    """Write a game to a file; raises OSError."""
    Path(path).write_text(dump(game), "utf-8")


def is_pdn(path: Path | str) -> bool:
    """Return whether a file name has the suffix of Portable Draughts Notation."""
    return Path(path).suffix.lower() == ".pdn"


def load(kind: type[Game], path: Path | str) -> Game:
    """Load a game of type `kind` from a file; raises GameFileError."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 2)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise GameFileError(f"{path}: cannot be read ({reason})") from error
    try:
        return parse(kind, data)
    except GameFileError as error:
        raise GameFileError(f"{path}: {error}") from error


def _decode(data: bytes, kind: type[_T]) -> _T:
    if is_too_deep(data):
        raise GameFileError(f"not a game file: brackets nested more than {MAX_DEPTH} deep")
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise GameFileError(_path_first(str(error))) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise GameFileError(f"not JSON: {error}") from error


def _path_first(message: str) -> str:
    """Move the path in "Expected `str`, got `int` - at `$.moves[3]`" to the front."""
    match = _PATH.fullmatch(message)
    return f"{match[2]}: {match[1]}" if match else message


def _offers(game: Game) -> list[_Offer]:
    offers = []
    count = 0
    for event in game.events:
        match event:
            case Moved() | Huffed():
                count += 1
            case DrawOffered(side):
                offers.append(_Offer(count, side, "offer"))
            case DrawAccepted(side):
                offers.append(_Offer(count, side, "accept"))
            case DrawDeclined(side):
                offers.append(_Offer(count, side, "decline"))
            case DrawWithdrawn():
                # Older versions cannot load withdrawals.
                offers.pop()
    return offers


def _replay(kind: type[Game], file: _File) -> Game:
    game = _begin(kind, file)
    offers = collections.deque(enumerate(file.offers))
    # The moves of a balloted opening are already played.
    opening_plies = len(game.history)
    for number, ply in enumerate(game.history):
        if [str(ply)] != file.moves[number : number + 1]:
            raise GameFileError(f"moves[{number}]: expected {ply}, the move of the opening")
    count = opening_plies
    for number, text in enumerate(file.moves[opening_plies:], start=opening_plies):
        for step in _steps(text):
            _replay_offers(game, offers, count)
            try:
                step(game)
            except DamkaError as error:
                raise GameFileError(f"moves[{number}]: {text[:40]!r}: {error}") from error
            count += 1
    _replay_offers(game, offers, count)
    if offers:
        raise GameFileError(f"offers[{offers[0][0]}].after: out of order, or after the last move")
    _finish(game, file.result)
    return game


def _begin(kind: type[Game], file: _File) -> Game:
    try:
        rules = rule_sets.from_dict(file.rules)
    except DamkaError as error:
        raise GameFileError(f"rules: {error}") from error
    try:
        if file.ballot is UNSET:
            return kind(rules, file.start, players=file.players)
        game = kind(rules, players=file.players, ballot=file.ballot, returned=file.returned is True)
    except FenError as error:
        raise GameFileError(f"start: {error}") from error
    except (IndexError, RulesError) as error:
        raise GameFileError(f"ballot: {error}") from error
    except ValueError as error:
        raise GameFileError(f"players: {error}") from error
    if game.start_fen != file.start:
        raise GameFileError(f"start: expected {game.start_fen}, the start of the opening")
    return game


def _steps(text: str) -> Iterator[Callable[[Game], object]]:
    """Yield the huff, if any, and the move as separate steps: a draw offer may be between them."""
    match = HUFF.fullmatch(text)
    if match is None:
        yield lambda game: game.play(text)
        return
    yield lambda game: game.huff(squares.read(game.rules, match[1]) or 0)
    if match[2]:
        yield lambda game: game.play(match[2])


def _replay_offers(game: Game, offers: collections.deque[tuple[int, _Offer]], count: int) -> None:
    """Replay the offers and answers after `count` moves and huffs."""
    actions = {"offer": game.offer_draw, "accept": game.accept_draw, "decline": game.decline_draw}
    while offers and offers[0][1].after == count:
        number, offer = offers.popleft()
        try:
            actions[offer.act](offer.side)
        except DamkaError as error:
            raise GameFileError(f"offers[{number}]: {error}") from error


def _finish(game: Game, result: _Result | None) -> None:
    if result is not None and result.reason in _OTHER_REASONS and game.result is None:
        if (result.winner is None) != (result.reason in _DRAWN_REASONS):
            expected = "null" if result.winner else "the winner"
            raise GameFileError(f"result.winner: expected {expected} with {result.reason}")
        game.end(Result(result.winner, result.reason))
    stated = None if result is None else Result(result.winner, result.reason)
    if stated != game.result:
        raise GameFileError(
            f"result: {_describe(stated)}, but the moves end in {_describe(game.result)}"
        )


def _describe(result: Result | None) -> str:
    if result is None:
        return "an unfinished game"
    return f"{result.reason} ({'a draw' if result.winner is None else f'{result.winner} wins'})"
