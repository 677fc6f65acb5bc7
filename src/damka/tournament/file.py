"""Serialisation of tournaments and arenas as JSON."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec

from damka._nesting import is_too_deep
from damka.errors import TournamentError
from damka.tournament.arena import Arena
from damka.tournament.tournament import Tournament

__all__ = ["MAX_BYTES", "dump", "parse", "parse_arena"]

MAX_BYTES: Final = 64 << 20

_FORMAT: Final = {Tournament: "damka-tournament", Arena: "damka-arena"}
_VERSION: Final = 1
_Value = TypeVar("_Value", Tournament, Arena)


class _Head(msgspec.Struct):
    format: str
    version: int
    value: msgspec.Raw


def dump(value: Tournament | Arena) -> bytes:
    """Serialise a tournament or an arena to JSON, in UTF-8."""
    head = _Head(_FORMAT[type(value)], _VERSION, msgspec.Raw(msgspec.json.encode(value)))
    return msgspec.json.encode(head)


def parse(data: bytes) -> Tournament:
    """Parse a tournament written by `dump`. Raises TournamentError for other input."""
    return _parse(data, Tournament)


def parse_arena(data: bytes) -> Arena:
    """Parse an arena written by `dump`. Raises TournamentError for other input."""
    return _parse(data, Arena)


def _parse(data: bytes, kind: type[_Value]) -> _Value:
    if len(data) > MAX_BYTES:
        raise TournamentError("file", len(data), f"at most {MAX_BYTES} bytes")
    if is_too_deep(data):
        raise TournamentError(
            "file", "too many nested brackets", "a file written by damka.tournament"
        )
    try:
        head = msgspec.json.decode(data, type=_Head)
        if (head.format, head.version) != (_FORMAT[kind], _VERSION):
            expected = f"{_FORMAT[kind]}, version {_VERSION}"
            raise TournamentError("file", f"{head.format}, version {head.version}", expected)
        return msgspec.json.decode(head.value, type=kind)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, TournamentError):
            raise error.__cause__ from None
        raise TournamentError("file", str(error), "a file written by damka.tournament") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TournamentError("file", str(error), "JSON") from error
