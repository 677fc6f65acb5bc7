"""Weights file: one line of magic, one of JSON, then the compressed numbers.

The numbers are 16-bit integers, all low bytes before all high ones, deflated: first the opening
values of all weights, then the ending values. `_core.weights_layout` has their layout. For a file
without margins, an older one, the default margins apply.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from damka import _core
from damka.errors import WeightsError
from damka.rules import parameters

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Margins", "WeightsFile", "play_of", "read", "write"]

_MAGIC: Final = b"damka weights 1\n"
_MAX_FILE: Final = 8 << 20
_MAX_HEADER: Final = 1 << 14
_MAX_NUMBERS: Final = 1 << 23


def play_of(rules: Rules) -> tuple[tuple[str, Any], ...]:
    """Return the parameters of `rules` that affect play; equal for rule sets that play alike.

    Draw rules, names, appearance and the side that begins are left out; huffing counts as forced
    captures, as in a search.
    """
    return tuple(parameters.play_of(rules.value_of).items())


def _plain(rules: Rules) -> dict[str, Any]:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in play_of(rules)}


_Int32 = Annotated[int, Meta(ge=0, lt=1 << 31)]
_Margin = Annotated[int, Meta(ge=0, le=500)]


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True, weakref=True):
    """Pruning margins of a search with these weights, each from 0 to 500.

    ProbCut accepts a shallow search that exceeds beta by `probcut` + `probcut_per_ply` * depth, in
    hundredths of a man. Late moves are reduced by `lmr_base` + `lmr_scale` * log(depth) *
    log(number), in hundredths of a ply.
    """

    probcut: _Margin = 30
    probcut_per_ply: _Margin = 8
    lmr_base: _Margin = 80
    lmr_scale: _Margin = 55


_DEFAULT: Final = Margins()


class _Header(msgspec.Struct):
    """The JSON line."""

    rules: str
    play: dict[str, Any]
    step: _Int32
    full_board: _Int32
    numbers: Annotated[int, Meta(gt=0, le=_MAX_NUMBERS)]
    crc32: int
    margins: Margins = _DEFAULT


@dataclass(frozen=True, slots=True, weakref_slot=True)
class WeightsFile:
    """The contents of a weights file.

    `rules` is the name of the rule set that the weights were trained for, `play` its parameters;
    `step` and `full_board` are as in `_core.Weights`, and `numbers` are 16-bit integers, opening
    and ending values in turn. `margins` are for searches with these weights.
    """

    rules: str
    play: dict[str, Any]
    step: int
    full_board: int
    numbers: bytes
    source: str = ""
    margins: Margins = _DEFAULT

    def native(self, rules: Rules) -> _core.Weights:
        """Return the weights for searches by `rules`.

        Raises WeightsError if they are for another board.
        """
        board = ("squares", "width", "height")
        if any(self.play.get(key) != getattr(rules, key) for key in board):
            size = f"{self.play.get('width')} × {self.play.get('height')}"
            raise WeightsError(
                self.source,
                f"weights of {self.rules}, for a board of {size} ({self.play.get('squares')}), "
                f"do not fit {rules.name}, on {rules.width} × {rules.height} ({rules.squares})",
            )
        try:
            return _core.Weights(rules, self.numbers, self.step, self.full_board, self.margins)
        except ValueError as error:
            raise WeightsError(self.source, str(error)) from error

    def encode(self) -> bytes:
        """Return the file's bytes."""
        header: dict[str, Any] = {
            "rules": self.rules,
            "play": self.play,
            "step": self.step,
            "full_board": self.full_board,
            "numbers": len(self.numbers) // 2,
            "crc32": zlib.crc32(self.numbers),
        }
        if self.margins != _DEFAULT:
            header["margins"] = msgspec.structs.asdict(self.margins)
        text = json.dumps(header, sort_keys=True).encode() + b"\n"
        return _MAGIC + text + zlib.compress(_planes(self.numbers), 9)

    @classmethod
    def of(
        cls,
        rules: Rules,
        numbers: bytes,
        *,
        step: int,
        full_board: int,
        margins: Margins = _DEFAULT,
    ) -> WeightsFile:
        """Create weights trained for `rules`."""
        return cls(rules.name, _plain(rules), step, full_board, numbers, margins=margins)

    @classmethod
    def decode(cls, data: bytes, source: str = "") -> WeightsFile:
        """Decode a file's bytes.

        Raises WeightsError for data that is invalid or damaged.
        """
        end = data.find(b"\n", len(_MAGIC), len(_MAGIC) + _MAX_HEADER)
        if not data.startswith(_MAGIC) or end < 0:
            raise WeightsError(source, "not a weights file")
        try:
            header = msgspec.json.decode(data[len(_MAGIC) : end], type=_Header)
            count = header.numbers
            stream = zlib.decompressobj()
            planes = stream.decompress(data[end + 1 :], 2 * count + 1)
            if len(planes) != 2 * count or not stream.eof or stream.unused_data:
                raise ValueError("the number of weights differs from the header's")
            numbers = _interleave(planes)
            if zlib.crc32(numbers) != header.crc32:
                raise ValueError("wrong checksum")
            return cls(
                header.rules,
                header.play,
                header.step,
                header.full_board,
                numbers,
                source,
                header.margins,
            )
        except (msgspec.MsgspecError, ValueError, RecursionError, zlib.error) as error:
            raise WeightsError(source, f"damaged: {error}") from error


def _planes(numbers: bytes) -> bytes:
    """Order the bytes: opening values before ending values, in each low bytes before high ones."""
    return b"".join(numbers[i::4] for i in range(4))


def _interleave(planes: bytes) -> bytes:
    quarter = len(planes) // 4
    numbers = bytearray(len(planes))
    for i in range(4):
        numbers[i::4] = planes[i * quarter : (i + 1) * quarter]
    return bytes(numbers)


def read(path: Path) -> WeightsFile:
    """Read a weights file.

    Raises WeightsError if it is missing, invalid or damaged.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise WeightsError(str(path), error.strerror or str(error)) from error
    if len(data) > _MAX_FILE:
        raise WeightsError(str(path), "too large for a weights file")
    return WeightsFile.decode(data, str(path))


def write(folder: Path, weights: WeightsFile) -> Path:
    """Write the weights to a file in `folder`, named by the rule set and the hash."""
    data = weights.encode()
    path = folder / f"{weights.rules}-{hashlib.sha256(data).hexdigest()[:12]}.weights"
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)
    return path
