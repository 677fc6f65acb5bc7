"""A position with its move history; documented in `damka._core.pyi`.

A board stores the kernel's record of its position and of every earlier position.
"""

from __future__ import annotations

from struct import unpack
from typing import TYPE_CHECKING, Any, Self, cast

from .kernel import ILLEGAL, STOPPED, KernelError, call, call_bytes, output, with_host
from .move import Move, encode_move, read_move, read_moves, read_routes
from .rules import RulesObject, rules_of

if TYPE_CHECKING:
    from damka.result import Reason
    from damka.rules import Rules, Side

__all__ = ["RECORD", "Board"]

RECORD = 152
_KEY, _OFFENCES, _REVERSIBLE, _TURN, _STREAKS, _HUFFED = 64, 72, 92, 96, 97, 101
_EQUAL = slice(_TURN, _STREAKS + 4)
_NONE = 255

_MAX_DEPTH = 60
_MAX_THREADS = 256
_MAX_HASH = 65_536
_MAX_HASH_HERE = 1024

_ENDINGS = (
    "",
    "no_pieces",
    "no_moves",
    "breakthrough",
    "repetition",
    "same_move",
    "no_progress",
    "material",
    "move_limit",
)


class Board:
    __slots__ = ("_kernel", "_legal", "_plies", "_record")

    _kernel: RulesObject
    _record: bytes
    _plies: list[tuple[bytes, Move | None]]  # record before each move; None for a huff
    _legal: list[Move] | None

    def __init__(self, rules: Rules, pieces: str | None, turn: Side | None) -> None:
        kernel = rules_of(rules)
        if pieces is None:
            record = call_bytes("damka_begin", b"", kernel.handle)
        else:
            record = _position_record(kernel, pieces, turn)
        self._set(kernel, record, [])

    def _set(
        self, kernel: RulesObject, record: bytes, plies: list[tuple[bytes, Move | None]]
    ) -> None:
        self._kernel, self._record, self._plies = kernel, record, plies
        self._legal = None

    def _copy_with(self, record: bytes, plies: list[tuple[bytes, Move | None]]) -> Self:
        board = object.__new__(type(self))
        board._set(self._kernel, record, plies)
        return board

    # --- position ---

    @property
    def rules(self) -> Rules:
        return self._kernel.damka

    @property
    def turn(self) -> Side:
        return "B" if self._record[_TURN] else "W"

    @property
    def key(self) -> int:
        return int.from_bytes(self._record[_KEY : _KEY + 8], "little")

    @property
    def pieces(self) -> str:
        return call_bytes("damka_pieces", self._record, self._kernel.handle, RECORD).decode()

    @property
    def streaks(self) -> tuple[tuple[int, int], ...]:
        squares = self._kernel.squares
        white, white_bit, black, black_bit = self._record[_STREAKS : _STREAKS + 4]
        streaks = [(squares[white_bit], white), (squares[black_bit], black)]
        return tuple(sorted((square, moves) for square, moves in streaks if moves))

    @property
    def square_count(self) -> int:
        return len(self._kernel.bits)

    def piece_at(self, square: int) -> str | None:
        if not 1 <= square <= self.square_count:
            raise ValueError("not a square of this board")
        piece = self.pieces[square - 1]
        return None if piece == "." else piece

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        one, two = self._record, other._record
        same = one[:_KEY] == two[:_KEY] and one[_EQUAL] == two[_EQUAL]
        return same and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.key, self._kernel.squares))

    # --- moves ---

    @property
    def legal_moves(self) -> list[Move]:
        if self._legal is None:
            self._legal = self._moves(legal=1)
        return self._legal.copy()

    @property
    def quiet_moves(self) -> list[Move]:
        return self._moves(legal=0)

    def _moves(self, legal: int) -> list[Move]:
        kernel, record = self._kernel, self._record
        data = call_bytes("damka_moves", record, kernel.handle, RECORD, legal)
        return read_moves(data, (kernel, record))

    @property
    def has_legal_moves(self) -> bool:
        return bool(call("damka_can_move", self._record, self._kernel.handle, RECORD))

    @property
    def move_count(self) -> int:
        return sum(move is not None for _, move in self._plies)

    @property
    def stack(self) -> tuple[Move, ...]:
        return tuple(move for _, move in self._plies if move is not None)

    @property
    def steps(self) -> tuple[Move | int, ...]:
        records = [*(record for record, _ in self._plies[1:]), self._record]
        squares = self._kernel.squares
        return tuple(
            squares[after[_HUFFED]] if move is None else move
            for (_, move), after in zip(self._plies, records, strict=False)
        )

    def push(self, move: Move | str) -> Move:
        return self._push(move, 0)

    def push_unchecked(self, move: Move | str) -> Move:
        return self._push(move, 1)

    def _push(self, move: Move | str, offences: int) -> Move:
        requested: Any = move
        if requested.__class__ is not Move:
            requested = cast(Any, self).parse(move)
            if requested.__class__ is not Move:
                raise TypeError("a move must be a Move or a str")
        data = self._record + encode_move(requested)
        try:
            output = call_bytes("damka_play", data, self._kernel.handle, len(data), offences)
        except KernelError as error:
            if error.code != ILLEGAL:
                raise
            cast(Any, self)._refuse(requested)  # raises
            raise ValueError("the move is not legal") from None
        played = requested
        # An equal move of another position may have another route.
        if len(requested.captures) > 1 or output[RECORD + 2] & 1 != requested.is_king:
            played, _ = read_move(output, RECORD, (self._kernel, self._record))
        self._plies.append((self._record, played))
        self._record = output[:RECORD]
        self._legal = None
        return played

    def _take_back(self) -> Move | None:
        self._record, move = self._plies.pop()
        self._legal = None
        return move

    def pop(self) -> Move:
        waiting = self._record[_HUFFED] != _NONE  # the move after the huff is not made yet
        if len(self._plies) <= waiting:
            raise IndexError("no move to take back")
        if waiting:
            self._take_back()
        move = cast(Move, self._take_back())
        if self._record[_HUFFED] != _NONE:
            self._take_back()
        return move

    def _routes(self, move: Move, limit: int) -> list[tuple[int, ...]]:
        if limit < 0:
            raise TypeError("limit: 0 or more")
        if limit == 0:
            return []
        data = self._record + encode_move(move)
        try:
            output = call_bytes(
                "damka_routes", data, self._kernel.handle, len(data), min(limit, (1 << 31) - 1)
            )
        except KernelError as error:
            if error.code != ILLEGAL:
                raise
            raise ValueError("not a move of this position") from None
        return read_routes(output)

    # --- huffing ---

    @property
    def offences(self) -> tuple[int, ...]:
        due = int.from_bytes(self._record[_OFFENCES : _OFFENCES + 16], "little")
        if not due:
            return ()
        return tuple(sorted(square for square, bit in self._kernel.bits.items() if due >> bit & 1))

    @property
    def pending_huff(self) -> int | None:
        huffed = self._record[_HUFFED]
        return None if huffed == _NONE else self._kernel.squares[huffed]

    def huff(self, square: int) -> None:
        try:
            record = self._with_square("damka_huff", square)
        except KernelError:
            raise ValueError("no piece on this square may be huffed: see `offences`") from None
        self._plies.append((self._record, None))
        self._record = record
        self._legal = None

    def unhuff(self) -> None:
        if self._record[_HUFFED] == _NONE:
            raise IndexError("no huff to take back")
        self._take_back()

    def _with_square(self, name: str, square: int) -> bytes:
        if not isinstance(square, int):
            raise TypeError("square: expected an int")
        on_board = square if 0 <= square <= self.square_count else 0
        return call_bytes(name, self._record, self._kernel.handle, RECORD, on_board)

    # --- results and draw counters ---

    def _game(self) -> bytes:
        """Return the records that decide draws, oldest first."""
        record = self._record
        if self.rules.same_move_in == "game":
            return b"".join([before for before, _ in self._plies]) + record
        (reversible,) = unpack("<i", record[_REVERSIBLE : _REVERSIBLE + 4])
        first = max(len(self._plies) - reversible - 1, 0)
        return b"".join([before for before, _ in self._plies[first:]]) + record

    @property
    def is_over(self) -> bool:
        return self._ending() != 0

    def _ending(self) -> int:
        game = self._game()
        return call("damka_result", game, self._kernel.handle, len(game))

    @property
    def _result(self) -> tuple[Side | None, Reason] | None:
        ending = self._ending()
        if not ending:
            return None
        winner: Side | None = "W" if ending & 256 else "B" if ending & 512 else None
        return winner, cast("Reason", _ENDINGS[ending & 255])

    def _counters(self) -> tuple[int, ...]:
        game = self._game()
        counts = call_bytes("damka_counts", game, self._kernel.handle, len(game))
        return unpack(f"<{len(counts) // 4}i", counts)

    @property
    def _counts(self) -> tuple[int, int, int, int]:
        progress, occurrences, same_move, plies, *_ = self._counters()
        return progress, occurrences, same_move, plies

    @property
    def material_counts(self) -> tuple[int | None, ...]:
        return tuple(None if plies < 0 else plies for plies in self._counters()[4:])

    # --- other boards ---

    def copy(self) -> Self:
        return self._copy_with(self._record, self._plies.copy())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def with_pieces(self, pieces: str, turn: Side) -> Self:
        return self._copy_with(_position_record(self._kernel, pieces, turn), [])

    def remove(self, square: int) -> Self:
        try:
            return self._copy_with(self._with_square("damka_remove", square), [])
        except KernelError:
            raise ValueError("the square is empty") from None

    def root(self) -> Self:
        return self._copy_with(self._plies[0][0] if self._plies else self._record, [])

    # --- counting ---

    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0) -> int:
        if not 0 <= depth <= _MAX_DEPTH:
            raise ValueError("depth: 0 to 60")
        if not 1 <= threads <= _MAX_THREADS:
            raise ValueError("threads: 1 to 256")
        if not 0 <= hash_mb <= _MAX_HASH:
            raise ValueError("hash_mb: 0 to 65536")
        table = min(hash_mb, _MAX_HASH_HERE)
        handle = self._kernel.handle
        try:
            n = with_host(_keep_running, "damka_perft", self._record, handle, RECORD, depth, table)
        except KernelError as error:
            if error.code == STOPPED:
                raise KeyboardInterrupt from None
            raise
        return int.from_bytes(output(n), "little")

    def divide(self, depth: int) -> dict[Move, int]:
        if not 1 <= depth <= _MAX_DEPTH:
            raise ValueError("depth: 1 to 60" if depth else "depth: at least 1")
        parts = {}
        for move in self.legal_moves:
            child = self._copy_with(self._record, [])
            child.push(move)
            parts[move] = child.perft(depth - 1)
        return parts

    # --- machine learning ---

    def _indices(self) -> tuple[int, ...]:
        output = call_bytes("damka_indices", self._record, self._kernel.handle, RECORD)
        return unpack(f"<{len(output) // 4}i", output)

    def tensor(self) -> Any:
        import numpy  # noqa: PLC0415  optional

        game = self._game()
        planes = call_bytes("damka_tensor", game, self._kernel.handle, len(game))
        rules = self.rules
        flat = numpy.frombuffer(planes, numpy.uint8)
        return flat.reshape(-1, rules.height, rules.width).copy()

    def legal_mask(self) -> Any:
        import numpy  # noqa: PLC0415  optional

        mask = numpy.zeros(self.square_count**2 + 128, bool)
        mask[list(self._indices())] = True
        return mask

    def move_to_index(self, move: Move) -> int:
        for index, legal in zip(self._indices(), self.legal_moves, strict=True):
            if legal == move:
                return index
        raise ValueError("not a legal move of this position")

    def index_to_move(self, index: int) -> Move:
        for number, legal in zip(self._indices(), self.legal_moves, strict=True):
            if number == index:
                return legal
        raise ValueError("not the index of a legal move of this position: see `legal_mask`")


def _position_record(kernel: RulesObject, pieces: str, turn: Side | None) -> bytes:
    if turn not in {"W", "B"}:
        raise ValueError('side: "W" or "B"')
    data = pieces.encode("utf-8", "replace")
    try:
        return call_bytes("damka_place", data, kernel.handle, len(data), int(turn == "B"))
    except KernelError:
        raise ValueError('pieces: one of "wbWB." for every square') from None


def _keep_running(request: int, data: bytes) -> int:
    """Let Python handle Ctrl-C."""
    return 0
