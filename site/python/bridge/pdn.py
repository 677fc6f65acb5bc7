"""Games in Portable Draughts Notation; documented in `damka._core.pyi`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .board import Board
from .kernel import REQUEST_SETUP, call, output, with_host, write_input
from .move import read_move

if TYPE_CHECKING:
    from damka.rules import Side

__all__ = ["pdn_find", "pdn_play"]

_FAULTS = (
    "",
    "nested_comment",
    "open_comment",
    "too_many_tags",
    "unreadable",
    "no_square",
    "illegal",
    "setup",
    "too_deep",
    "too_many",
    "too_complex",
    "tag",
    "sign",
    "unknown_move",
    "number",
    "ambiguous",
    "open_variation",
    "extra_close",
    "result_inside",
    "moves_in_comment",
    "too_many_faults",
)
_MOVE, _COMMENT, _NAG, _OPEN, _CLOSE, _SETUP = 1, 2, 3, 4, 5, 6


def _decode(text: bytes) -> str | bytes:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text


def _unescape(value: bytes) -> str | bytes:
    if b"\\" not in value:
        return _decode(value)
    plain = bytearray()
    at = 0
    while at < len(value):
        if value[at : at + 1] == b"\\" and value[at + 1 : at + 2] in {b'"', b"\\"}:
            at += 1
        plain.append(value[at])
        at += 1
    return _decode(bytes(plain))


def pdn_find(data: bytes, at: int, final: bool) -> Any:
    if not 0 <= at <= len(data):
        raise IndexError("offset beyond the end of the text")
    n = call("damka_pdn_find", data, len(data), at, int(final))
    if n <= 1:
        return None if n else False
    result = output(n)
    begin, moves, end, after, fault_count, count = struct.unpack_from("<6I", result)
    tags = {}
    for i in range(count):
        name, name_size, value, size = struct.unpack_from("<4I", result, 24 + 16 * i)
        tags[data[name : name + name_size].decode()] = _unescape(data[value : value + size])
    faults = []
    for i in range(fault_count):
        fault, first, last = struct.unpack_from("<3I", result, 24 + 16 * count + 12 * i)
        faults.append((_FAULTS[fault], first, last))
    return tags, begin, moves, end, after, faults or None


def pdn_play(  # noqa: PLR0913  as the native one
    board: Board,
    data: bytes,
    begin: int,
    end: int,
    labels: bytes,
    result: bytes,
    setup: Callable[[bytes], tuple[str, Side] | None],
    offences: bool,
    tolerant: bool,
    tree: bool,
) -> Any:
    if not 0 <= begin <= end <= len(data):
        raise IndexError("offset beyond the end of the text")
    if len(labels) != 512:
        raise ValueError("labels: 512 bytes")
    squares = board.square_count

    def host(request: int, position: bytes) -> int:
        if request != REQUEST_SETUP:
            return 0
        start = setup(position)
        if start is None:
            return -1
        pieces, turn = start
        write_input(pieces.encode())
        return 2 * len(pieces) + int(turn == "B")

    # The byte before the movetext decides whether a line begins there.
    before = min(begin, 1)
    offset = begin - before
    text = data[offset:end]
    sent = board._record + labels + struct.pack("<I", len(result)) + result + text
    flags = int(tree) + 2 * int(offences) + 4 * int(tolerant)
    handle = board._kernel.handle
    n = with_host(host, "damka_pdn_play", sent, handle, len(sent), before, len(text), flags)
    reply = output(n)
    moves, at, size, problem_count, count = struct.unpack_from("<Iii2I", reply)
    end_result = result if at < 0 else text[at : at + size]
    reader = _Events(reply, 20, text, squares)
    problems = [reader.problem(offset) for _ in range(problem_count)]
    events = [reader.event() for _ in range(count)] if tree else None
    return moves, _decode(end_result), problems or None, events


class _Events:
    """Reader of the problems and events of a movetext."""

    def __init__(self, data: bytes, at: int, text: bytes, squares: int) -> None:
        self._data, self._at, self._text, self._squares = data, at, text, squares

    def position(self) -> tuple[str, Side]:
        at = self._at
        end = at + 1 + self._squares
        self._at = end + 4
        pieces = self._data[at + 1 : end].decode()
        for i in (end, end + 2):
            moves, square = self._data[i : i + 2]
            if moves:
                pieces += f"+{square}:{moves}"
        return pieces, "B" if self._data[at] else "W"

    def _numbers(self, count: int) -> tuple[int, ...]:
        numbers = struct.unpack_from(f"<{count}I", self._data, self._at)
        self._at += 4 * count
        return numbers

    def problem(self, offset: int) -> Any:
        fault, begin, end, depth, stops, rest, line_end = self._numbers(7)
        code = _FAULTS[fault]
        if not stops:
            return code, begin + offset, end + offset, depth != 0, None, None
        left = (rest + offset, line_end + offset)
        return code, begin + offset, end + offset, depth != 0, left, self.position()

    def event(self) -> Any:
        kind = self._data[self._at]
        self._at += 1
        if kind == _MOVE:
            move, self._at = read_move(self._data, self._at, None)
            return move
        if kind == _COMMENT:
            begin, size = self._numbers(2)
            return _decode(self._text[begin : begin + size])
        if kind == _NAG:
            return self._numbers(1)[0]
        if kind == _SETUP:
            return self.position()
        return kind == _OPEN
