"""The immutable move value; documented in `damka._core.pyi`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, Self, TypeAlias, final

from .kernel import Object, call_bytes

__all__ = ["Move", "encode_move", "read_moves"]

Origin: TypeAlias = tuple[Object, bytes]
"""Rules and record of a position."""

_MAX_SQUARE = 72
_MAX_CAPTURED = 70
_KING, _CROWNS, _HAS_ROUTE = 1, 2, 4


@final
class Move:
    __slots__ = ("_captures", "_crowns", "_end", "_is_king", "_origin", "_route", "_start")

    _start: int
    _end: int
    _captures: tuple[int, ...]
    _crowns: bool
    _is_king: bool
    _route: tuple[int, ...] | None
    _origin: Origin | None  # source of the route

    def __init__(
        self,
        start: int,
        end: int,
        captures: Iterable[int] = (),
        *,
        route: Iterable[int] | None = None,
        crowns: bool = False,
        is_king: bool = False,
    ) -> None:
        if hasattr(self, "_start"):
            raise TypeError("Move is immutable")
        taken = sorted(map(_check_square, captures))
        if len(taken) > _MAX_CAPTURED:
            raise ValueError("at most 70 captures")
        if len(set(taken)) != len(taken):
            raise ValueError("captures: a square occurs twice")
        if crowns and is_king:
            raise ValueError("crowns: the piece is already a king")
        route_squares = (start, end) if route is None else tuple(map(_check_square, route))
        self._start, self._end = _check_square(start), _check_square(end)
        fits = 2 <= len(route_squares) <= max(len(taken), 1) + 1
        if not fits or (route_squares[0], route_squares[-1]) != (start, end):
            raise ValueError("route: expected start, a landing for every capture, and end")
        self._captures = tuple(taken)
        self._crowns, self._is_king = bool(crowns), bool(is_king)
        self._route = route_squares
        self._origin = None

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Move cannot be subclassed")

    @property
    def start(self) -> int:
        return self._start

    @property
    def end(self) -> int:
        return self._end

    @property
    def captures(self) -> tuple[int, ...]:
        return self._captures

    @property
    def route(self) -> tuple[int, ...]:
        if self._route is None:
            if self._origin is None:
                from damka.errors import PositionTooComplexError  # noqa: PLC0415  loaded later

                raise PositionTooComplexError
            rules, record = self._origin
            data = record + encode_move(self)
            output = call_bytes("damka_routes", data, rules.handle, len(data), 1)
            self._route = read_routes(output)[0]
            self._origin = None
        return self._route

    @property
    def is_capture(self) -> bool:
        return bool(self._captures)

    @property
    def crowns(self) -> bool:
        return self._crowns

    @property
    def is_king(self) -> bool:
        return self._is_king

    def hub(self) -> str:
        return str(self) + "".join(f"x{square}" for square in self._captures)

    def __str__(self) -> str:
        return f"{self._start}{'x' if self._captures else '-'}{self._end}"

    def __repr__(self) -> str:
        text = f"Move({self._start}, {self._end}"
        if self._captures:
            text += f", captures={self._captures}"
        if len(self.route) > 2:
            text += f", route={self.route}"
        if self._crowns:
            text += ", crowns=True"
        if self._is_king:
            text += ", is_king=True"
        return text + ")"

    def __hash__(self) -> int:
        return hash((self._start, self._end, self._captures, self._crowns))

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not Move:
            return NotImplemented
        return (
            self._start == other._start
            and self._end == other._end
            and self._captures == other._captures
            and self._crowns == other._crowns
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        from damka.move import _rebuild  # noqa: PLC0415  circular import

        captures, crowns, is_king = self._captures, self._crowns, self._is_king
        return _rebuild, (self._start, self._end, captures, self.route, crowns, is_king)


Move.__module__ = "damka.move"


def _check_square(square: int) -> int:
    if not isinstance(square, int):
        raise TypeError("square: expected an int")
    if not 1 <= square <= _MAX_SQUARE:
        raise ValueError("square: 1 to 72")
    return int(square)


def encode_move(move: Move) -> bytes:
    """Encode a move for the kernel, without its route."""
    captures = move._captures
    flags = move._is_king * _KING + move._crowns * _CROWNS
    return bytes((move._start, move._end, flags, len(captures), *captures))


def read_routes(data: bytes) -> list[tuple[int, ...]]:
    routes = []
    at = 0
    while at < len(data):
        end = at + 1 + data[at]
        routes.append(tuple(data[at + 1 : end]))
        at = end
    return routes


_shared: dict[bytes, Move] = {}
"""Cache of quiet moves and captures of one piece, of which there are a few thousand."""


def read_move(data: bytes, at: int, origin: Origin | None) -> tuple[Move, int]:
    """Decode the move at an offset; return it and the offset after it."""
    taken = data[at + 3]
    end = at + 4 + taken
    if taken < 2:
        key = data[at:end]
        move = _shared.get(key)
        if move is None:
            move = _shared[key] = _new_move(key, (key[0], key[1]), None)
        return move, end
    key = data[at:end]
    if not data[at + 2] & _HAS_ROUTE:
        return _new_move(key, None, origin), end
    length = data[end]
    route = tuple(data[end + 1 : end + 1 + length])
    return _new_move(key, route or None, None), end + 1 + length


def _new_move(key: bytes, route: tuple[int, ...] | None, origin: Origin | None) -> Move:
    move = Move.__new__(Move)
    move._start, move._end = key[0], key[1]
    move._is_king, move._crowns = bool(key[2] & _KING), bool(key[2] & _CROWNS)
    move._captures = tuple(key[4:])
    move._route, move._origin = route, origin
    return move


def read_moves(data: bytes, origin: Origin) -> list[Move]:
    """Decode the moves of a position, which `origin` identifies."""
    moves = []
    at, size = 0, len(data)
    while at < size:
        move, at = read_move(data, at, origin)
        moves.append(move)
    return moves
