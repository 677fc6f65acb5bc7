"""Recorded positions: their format, which is the kernel's, and their files."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from damka.errors import TrainingError
from damka.training.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["UNKNOWN", "Games", "Records", "read", "record_type", "write"]

Records = NDArray[np.void]

UNKNOWN: Final = 2
"""The result in a record that precedes a random move of its game."""

_MAGIC: Final = b"damka games 1\n"


def record_type(rules: Rules) -> np.dtype[Any]:
    """Return the type of a record: bitboards, search score, White's result, side to move.

    `words` are White's men, Black's men, White's kings and Black's kings, each one 64-bit word, or
    two on a board of 12 × 12. `score` is in hundredths of a man from White's view, `result` is 1,
    0, -1 or UNKNOWN for White, `turn` is 0 for White and 1 for Black.
    """
    words = 8 if rules.width == 12 else 4
    return np.dtype(
        [("words", "<u8", (words,)), ("score", "<i2"), ("result", "i1"), ("turn", "i1")]
    )


@dataclass(frozen=True, slots=True)
class Games:
    """Results of games (1, 0, -1 as signed bytes), recorded positions, and the total plies."""

    results: bytes
    records: bytes
    plies: int


def write(path: Path, games: Games) -> None:
    """Write games to a file, atomically."""
    header = {
        "games": len(games.results),
        "plies": games.plies,
        "results": list(memoryview(games.results).cast("b")),
        "bytes": len(games.records),
        "crc32": zlib.crc32(games.records),
    }
    packed = zlib.compress(games.records, 1)
    write_atomically(path, _MAGIC + json.dumps(header).encode() + b"\n" + packed)


def read(path: Path) -> Games:
    """Return the games of a file.

    Raises TrainingError for an invalid or damaged file.
    """
    try:
        data = path.read_bytes()
        end = data.index(b"\n", len(_MAGIC))
        if not data.startswith(_MAGIC):
            raise ValueError("not a games file")
        header = json.loads(data[len(_MAGIC) : end])
        records = zlib.decompress(data[end + 1 :])
        if zlib.crc32(records) != header["crc32"]:
            raise ValueError("wrong checksum")
        results = b"".join(
            int(result).to_bytes(1, "little", signed=True) for result in header["results"]
        )
        return Games(results, records, int(header["plies"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, zlib.error) as error:
        raise TrainingError(f"{path}: damaged: {error}; delete it to create it again") from error
