"""Endgame tables, read only; documented in `damka._core.pyi`."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .board import RECORD, Board
from .kernel import DAMAGED, OTHER_RULES, KernelError, Object, call, call_bytes
from .missing import missing
from .rules import rules_of

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Tables", "table_fingerprint"]

Counts: TypeAlias = tuple[int, int, int, int, int, int]

_HALF = struct.Struct("<4Q2iI")


class Tables:
    def __init__(self, rules: Rules) -> None:
        self._object = Object("damka_tables", b"", rules_of(rules).handle)

    @property
    def handle(self) -> int:
        return self._object.handle

    def add(self, path: Path) -> tuple[tuple[str, Counts], ...]:
        data = Path(path).read_bytes()
        try:
            output = call_bytes("damka_tables_add", data, self.handle, len(data))
        except KernelError as error:
            if error.code == DAMAGED:
                raise ValueError(error.reason) from None
            raise
        halves = []
        at = 0
        while at < len(output):
            *counts, size = _HALF.unpack_from(output, at)
            at += _HALF.size
            halves.append((output[at : at + size].decode(), tuple(counts)))
            at += size
        return tuple(halves)

    @staticmethod
    def intact(rules: Rules, path: Path) -> bool:
        data = Path(path).read_bytes()
        try:
            return bool(call("damka_tables_intact", data, rules_of(rules).handle, len(data)))
        except KernelError as error:
            if error.code == DAMAGED:
                raise ValueError(error.reason) from None
            raise

    @property
    def pieces(self) -> int:
        return call("damka_tables_pieces", b"", self.handle)

    def probe(self, board: Board) -> tuple[int, int] | None:
        rules = board._kernel.handle
        try:
            output = call_bytes("damka_tables_probe", board._record, self.handle, rules, RECORD)
        except KernelError as error:
            if error.code == OTHER_RULES:
                raise ValueError("the board and the tables have different rules") from None
            raise
        if not output:
            return None
        outcome, plies = struct.unpack("<ii", output)
        return outcome, plies

    build: Any = missing("building endgame tables")
    verify: Any = missing("verifying endgame tables")
    longest: Any = missing("studying endgame tables")
    stretch: Any = missing("studying endgame tables")


def table_fingerprint(rules: Rules) -> int:
    return int.from_bytes(call_bytes("damka_fingerprint", b"", rules_of(rules).handle), "little")
