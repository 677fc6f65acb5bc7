"""Searches with one transposition table; documented in `damka._core.pyi`."""

from __future__ import annotations

import math
import struct
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from .board import RECORD, Board
from .kernel import (
    DAMAGED,
    ILLEGAL,
    OTHER_RULES,
    REQUEST_DEPTH,
    KernelError,
    Object,
    call,
    call_bytes,
    output,
    with_host,
)
from .move import Move, encode_move, read_move
from .rules import rules_of

if TYPE_CHECKING:
    from damka.rules import Rules

    from .tables import Tables

__all__ = ["Engine", "Evaluation", "Stop", "Weights", "drawish", "evaluate", "search_task"]

Lines: TypeAlias = tuple[tuple[int, tuple[Move, ...]], ...]
SearchResult: TypeAlias = tuple[int, int, float, Lines]

_MIN_BYTES, _MAX_BYTES = 1 << 16, 1 << 36
_MAX_KIB = (1 << 31) - 1
_MAX_THREADS = 256
_MAX_CONTEMPT = 20
_MAX_LINES = 10_000
_MAX_DEPTH = 100
_MARGINS = (30, 8, 80, 55)


class Stop:
    def __init__(self) -> None:
        self._object = Object("damka_stop", b"")

    def _do(self, operation: int, data: bytes = b"") -> int:
        return call("damka_stop_do", data, self._object.handle, operation, len(data))

    def set(self) -> None:
        self._do(1)

    def clear(self) -> None:
        self._do(0)

    def give(self, target: float, seconds: float) -> None:
        if not target > 0:
            raise ValueError("target: more than 0")
        if not seconds > 0:
            raise ValueError("seconds: more than 0")
        self._do(2, struct.pack("<dd", target, seconds))

    @property
    def is_set(self) -> bool:
        return bool(self._do(3))


class Weights:
    def __init__(
        self, rules: Rules, numbers: bytes, step: int, full_board: int, margins: Any = None
    ) -> None:
        if len(numbers) % 2:
            raise ValueError("weights: 16-bit numbers")
        margin_values = _MARGINS
        if margins is not None:
            names = ("probcut", "probcut_per_ply", "lmr_base", "lmr_scale")
            margin_values = tuple(getattr(margins, name) for name in names)
        data = struct.pack("<4i", *margin_values) + numbers
        handle = rules_of(rules).handle
        try:
            self._object = Object("damka_weights", data, handle, len(data), step, full_board)
        except KernelError as error:
            if error.code == DAMAGED:
                raise ValueError(error.reason) from None
            raise ValueError("weights: a margin or a step out of range") from None

    @property
    def handle(self) -> int:
        return self._object.handle


def _handle(object_: Any) -> int:
    return 0 if object_ is None else object_.handle


def evaluate(board: Board, weights: Weights | None) -> int:
    _check(board)
    handle = board._kernel.handle
    try:
        output = call_bytes("damka_evaluate", board._record, handle, RECORD, _handle(weights))
    except KernelError as error:
        if error.code == OTHER_RULES:
            raise ValueError("weights: for another board") from None
        raise
    return int.from_bytes(output, "little", signed=True)


def _check(board: Board) -> None:
    if not isinstance(board, Board):
        raise TypeError("not a Board")


def drawish(board: Board) -> bool:
    _check(board)
    return bool(call("damka_drawish", board._record, board._kernel.handle, RECORD))


class Evaluation:
    def __init__(self, rules: Rules, weights: Weights | None) -> None:
        self._kernel = rules_of(rules)
        self._weights = weights

    def of_board(self, board: Board) -> int:
        _check(board)
        if board.rules.kernel != self._kernel.damka.kernel:
            raise ValueError("the board and the evaluation have different rules")
        return evaluate(board, self._weights)


class Engine:
    def __init__(self, bytes: int, threads: int = 1) -> None:
        if not _MIN_BYTES <= bytes <= _MAX_BYTES:
            raise ValueError("hash size: 64 KiB to 64 GiB")
        if not 1 <= threads <= _MAX_THREADS:
            raise ValueError("threads: 1 to 256")
        self._bytes = 1 << (bytes.bit_length() - 1)
        self._object = Object("damka_engine", b"", min(bytes >> 10, _MAX_KIB))
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        return self._bytes

    def clear(self) -> None:
        with self._lock:
            call("damka_engine_clear", b"", self._object.handle)

    def search(  # noqa: PLR0913  like the native one
        self,
        board: Board,
        *,
        choices: Iterable[Move] | None,
        depth: int,
        nodes: int,
        seconds: float,
        target: float,
        lines: int,
        handicap: Any,
        contempt: int = 0,
        tables: Tables | None,
        stop: Stop | None,
        on_depth: Callable[[SearchResult], object] | None,
        weights: Weights | None = None,
    ) -> SearchResult:
        data = _task(
            board,
            choices=choices,
            depth=depth,
            nodes=nodes,
            seconds=seconds,
            target=target,
            lines=lines,
            handicap=handicap,
            contempt=contempt,
        )
        host = _SearchHost(on_depth)
        handles = (_handle(weights), _handle(tables), _handle(stop and stop._object))
        engine, rules = self._object.handle, board._kernel.handle
        try:
            with self._lock:
                n = with_host(host, "damka_search", data, engine, rules, len(data), *handles)
                return _read_result(output(n))
        except KernelError as error:
            if error.code == ILLEGAL:
                raise ValueError("choices: not a move of this position") from None
            if error.code == OTHER_RULES:
                raise ValueError("the board and the tables have different rules") from None
            raise


def search_task(
    board: Board, **options: Any
) -> tuple[bytes, bytes, Callable[[bytes], SearchResult]]:
    """Return a search for another kernel: rules, input of `damka_search`, decoder of its output.

    `options` are those of `Engine.search`: choices, depth, nodes, seconds, handicap, contempt.
    """
    task = _task(board, target=math.inf, lines=1, **options)
    return board._kernel.data, task, _read_result


def _task(  # noqa: PLR0913  like `search`
    board: Board,
    *,
    choices: Iterable[Move] | None,
    depth: int,
    nodes: int,
    seconds: float,
    target: float,
    lines: int,
    handicap: Any,
    contempt: int,
) -> bytes:
    if not 0 <= contempt <= _MAX_CONTEMPT:
        raise ValueError("contempt: 0 to 20")
    _check(board)
    moves = None if choices is None else list(choices)
    if moves is not None and not moves:
        raise ValueError("choices: at least one move")
    if moves and not all(isinstance(move, Move) for move in moves):
        raise TypeError("choices: moves")
    settings = struct.pack(
        "<3iI6iQQdd",
        min(depth, _MAX_DEPTH),
        min(max(lines, 1), _MAX_LINES),
        contempt,
        len(moves or ()),
        *_handicap(handicap),
        0 if handicap is None else handicap.seed,
        nodes,
        seconds,
        target,
    )
    return settings + b"".join(map(encode_move, moves or ())) + board._game()


class _SearchHost:
    """Host of a search: calls `on_depth` after every depth."""

    def __init__(self, on_depth: Callable[[SearchResult], object] | None) -> None:
        self._on_depth = on_depth

    def __call__(self, request: int, data: bytes) -> int:
        if request == REQUEST_DEPTH and self._on_depth is not None:
            self._on_depth(_read_result(data))
        return 0


def _handicap(handicap: Any) -> tuple[int, ...]:
    if handicap is None:
        return 0, 1000, 0, 0, 0, 0
    h = handicap
    chances = (h.overlook, h.overlook_far, h.overlook_back, h.overlook_chain)
    return h.noise, h.follow, *chances


def _read_result(data: bytes) -> SearchResult:
    depth, count, nodes, seconds = struct.unpack_from("<iIQd", data)
    at = 24
    lines = []
    for _ in range(count):
        score, size = struct.unpack_from("<iI", data, at)
        at += 8
        moves = []
        for _ in range(size):
            move, at = read_move(data, at, None)
            moves.append(move)
        lines.append((score, tuple(moves)))
    return depth, nodes, seconds, tuple(lines)
