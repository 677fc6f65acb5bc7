"""Positions as text: "W:W21,22,K30:B1-12".

The side to move, then each side's squares; `K` before a square means a king. The output has numbers
in ascending order, White's group first; a side without pieces has an empty group. The parser also
accepts the groups in either order, a missing group, ranges of men or kings ("1-12", "K1-4"),
algebraic squares ("c3"), spaces around the signs, leading zeros, a final dot, and a whole tag
(`[FEN "W:W21:B1"]`), also without its quotes or brackets, or among other tags.

Other programs add the plies without progress and the move number (":H0:F1"), and mark captured
pieces that are not removed yet with G or P ("WG22"); these are not part of the position. In Frisian
draughts, ":+0+3K5" has the consecutive moves of a king of Black, then of White, if the rules limit
them: White's king on 5 has made three. It is written if a king has such a streak.

Numbers are the library's, from White's top left. With `labels` they are the federation's, as in the
FEN tag of game records; under rules that print letters, squares then have letters, as in
"W:Wa1,c3,Kd4:Bb8". Ranges follow the order of the labels.

Codes of FenError: "length" (over MAX_LENGTH characters), "turn" (missing, unknown "?" or invalid
side to move), "group" (not W, B, H, F or + with their contents), "group_twice", "square" (not a
square), "off_board" (not a playing square of this board), "range" (not ascending), "duplicate" (two
pieces on a square), "crowning_row" (a man on its crowning row).

Source: Portable Draughts Notation 3.0, the FEN tag.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from damka.errors import FenError
from damka.notation import squares
from damka.notation.labels import labels as labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from damka.rules import Rules, Side

__all__ = ["CODES", "MAX_LENGTH", "Position", "check", "format", "is_placeholder", "parse", "read"]


def __dir__() -> list[str]:
    return __all__


MAX_LENGTH: Final = 1000

CODES: Final = (
    "length",
    "turn",
    "group",
    "group_twice",
    "square",
    "off_board",
    "range",
    "duplicate",
    "crowning_row",
)

_COUNT = re.compile(r"[0-9]{1,5}")
_ITEM = re.compile(rf"(K?)({squares.SQUARE})(?: *- *({squares.SQUARE}))?")
_CAPTURED = re.compile(rf"(?:P({squares.SQUARE})|G([0-9]{{1,3}}|[A-La-l][0-9]{{1,2}}))")
_NUMERIC = re.compile(r"[:,] *[WB]? *K?[0-9]")
_STREAKS = re.compile(rf"\+([0-9])(?:K({squares.SQUARE}))?\+([0-9])(?:K({squares.SQUARE}))?")
_OTHERS = r'(?:\s*\[\s*(?!FEN\b)\w+\s+"[^"]*"\s*\])*\s*'
_TAGGED = (
    re.compile(rf'{_OTHERS}\[\s*FEN\s*"([^"]*)"\s*\]{_OTHERS}', re.IGNORECASE),
    re.compile(r'\s*(?:\[?\s*FEN\s*)?"([^"]*)"\s*\]?\s*', re.IGNORECASE),
    re.compile(rf'{_OTHERS}\[\s*FEN\s+([^"\[\]]*)\]{_OTHERS}', re.IGNORECASE),
    re.compile(r'\s*FEN\s+([^"\[\]]*)', re.IGNORECASE),
)
_NONE = re.compile(r"[?*.\-]+|start|startpos|initial|none|null|n/a", re.IGNORECASE)


class Position(NamedTuple):
    """The contents of a FEN."""

    pieces: str
    """One of "wbWB." for each square from 1."""
    turn: Side
    streaks: tuple[tuple[int, int], ...] = ()
    """(square, moves) of kings with a streak that the rules limit."""
    half_moves: int | None = None
    """Plies without progress, if given; a board ignores them."""
    move_number: int | None = None


def parse(
    rules: Rules, text: str, *, labels: bool = False, repair: bool = False
) -> tuple[str, Side]:
    """Return (pieces, turn): one of "wbWB." for each square from 1, and the side to move.

    With `labels`, numbers are the federation's. With `repair` a man on its crowning row becomes a
    king. Raises FenError, and TypeError for anything but a string.

    >>> import damka
    >>> from damka.notation.fen import parse
    >>> parse(damka.rules.load("dama64"), "B:Wc3,K31:B1-4")
    ('bbbb.................w........W.', 'B')
    """
    position = read(rules, text, labels=labels, repair=repair)
    return position.pieces, position.turn


def read(rules: Rules, text: str, *, labels: bool = False, repair: bool = False) -> Position:
    """Return the whole contents of a FEN; `parse` returns only the pieces and the side to move.

    >>> import damka
    >>> from damka.notation import fen
    >>> fen.read(damka.rules.load("frisian"), "W:WK5,50:B1:H4:F30:+0+3K5")[2:]
    (((5, 3),), 4, 30)
    """
    if not isinstance(text, str):
        raise TypeError(f"a position must be a str, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise FenError("length", f"the position is longer than {MAX_LENGTH} characters")
    at, text = _untagged(text)
    turn, *groups = text.strip().removesuffix(".").split(":")
    at += len(text) - len(text.lstrip())
    if turn.strip() == "?":
        raise FenError("turn", "the side to move is unknown (?): write W or B", at=at)
    if turn.strip() not in ("W", "B"):
        raise FenError("turn", f"the side to move must be W or B, not {turn.strip()[:20]!r}", at=at)
    reader = _Reader(rules, labels=labels, numeric=_NUMERIC.search(text) is not None)
    at += len(turn) + 1
    for group in groups:
        reader.group(group, at)
        at += len(group) + 1
    if not reader.has_pieces:
        raise FenError("group", "the pieces are missing after the side to move", at=at - 1)
    board = "".join(reader.pieces)
    if repair:
        board = _crown_men(rules, board)
    else:
        check(rules, board, labels=labels)
    return Position(
        board,
        cast("Side", turn.strip()),
        _streaks(rules, board, reader.streaks),
        reader.counts.get("H"),
        reader.counts.get("F"),
    )


def is_placeholder(text: str) -> bool:
    """Whether `text` stands for a missing position, such as "?" or `[FEN "N/A"]`.

    >>> from damka.notation.fen import is_placeholder
    >>> is_placeholder("?"), is_placeholder('[FEN "--"]'), is_placeholder("?:W21:B1")
    (True, True, False)
    """
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        return False
    _, inside = _untagged(text)
    return _NONE.fullmatch(inside.strip()) is not None


def _untagged(text: str) -> tuple[int, str]:
    """Return the value of the FEN tag with its offset, or the whole text without one."""
    begin = len(text) - len(text.lstrip("\ufeff"))
    for pattern in _TAGGED:
        tag = pattern.fullmatch(text, begin)
        if tag is not None:
            return tag.start(1), tag[1]
    return begin, text[begin:]


def _streaks(
    rules: Rules, pieces: str, counts: tuple[tuple[int, int | None], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the valid streaks; `counts` are Black's and White's (moves, square)."""
    streaks = {}
    for king, (moves, square) in zip("BW", counts, strict=False):
        if not moves or not rules.king_streak:
            continue
        if square is None and pieces.count(king) == 1:
            square = pieces.index(king) + 1  # noqa: PLW2901  the only king
        # Some programs write White's count first, so the piece on the square determines the side.
        # A side without men has no streak.
        side = pieces[square - 1] if square is not None else "."
        if square is not None and side in "WB" and side.lower() in pieces:
            streaks[side] = square, min(moves, rules.king_streak)
    return tuple(sorted(streaks.values()))


def format(  # noqa: A001  the pair of parse
    rules: Rules,
    pieces: str,
    turn: Side,
    *,
    streaks: Iterable[tuple[int, int]] = (),
    labels: bool = False,
) -> str:
    """Return the FEN of a position; `parse` with the same `labels` is the inverse.

    `streaks` are (square, moves) of kings, as in `damka.Board.streaks`.

    >>> import damka
    >>> format(damka.rules.load("dama64"), "bbbb.................w........W.", "B")
    'B:W22,K31:B1,2,3,4'
    """
    order: list[int] = list(range(1, rules.square_count + 1))
    names: tuple[str, ...] | list[int] = order
    if labels:
        square_labels = labels_of(rules)
        order.sort(key=square_labels.order)
        names = square_labels.names
    groups: dict[str, list[str]] = {"W": [], "B": []}
    for square in order:
        piece = pieces[square - 1]
        if piece != ".":
            king = "K" if piece.isupper() else ""
            groups[piece.upper()].append(f"{king}{names[square - 1]}")
    streak_of = {pieces[square - 1]: f"{moves}K{names[square - 1]}" for square, moves in streaks}
    streak_text = f":+{streak_of.get('B', '0')}+{streak_of.get('W', '0')}" if streak_of else ""
    return f"{turn}:W{','.join(groups['W'])}:B{','.join(groups['B'])}{streak_text}"


def check(rules: Rules, pieces: str, *, labels: bool = False) -> None:
    """Raise FenError with the code "crowning_row" for men on their crowning rows."""
    squares: list[int] = []
    for man, side in (("w", "W"), ("b", "B")):
        first = rules.crowning_row(cast("Side", side)) * rules.row_length
        row = pieces[first : first + rules.row_length]
        if man in row:
            squares += (first + n for n, piece in enumerate(row, 1) if piece == man)
    if not squares:
        return
    side = pieces[squares[0] - 1].upper()
    name = labels_of(rules).name(squares[0]) if labels else str(squares[0])
    raise FenError(
        "crowning_row",
        f"the {rules.colours[0 if side == 'W' else 1]} man on {name} would be a king there: "
        f"write {side}K{name}",
        squares=tuple(squares),
    )


def _crown_men(rules: Rules, pieces: str) -> str:
    """Turn men on their crowning rows into kings."""
    for man, side in (("w", "W"), ("b", "B")):
        row = rules.crowning_row(cast("Side", side))
        first, last = row * rules.row_length, (row + 1) * rules.row_length
        pieces = pieces[:first] + pieces[first:last].replace(man, side) + pieces[last:]
    return pieces


class _Reader:
    """Parser for groups of squares."""

    def __init__(self, rules: Rules, *, labels: bool, numeric: bool) -> None:
        self.pieces = ["."] * rules.square_count
        self.counts: dict[str, int] = {}
        self.streaks: tuple[tuple[int, int | None], ...] = ()
        self._numeric = numeric
        self._rules = rules
        self._labels = labels_of(rules) if labels else None
        self._seen: set[str] = set()

    @property
    def has_pieces(self) -> bool:
        """Whether a group was read, even an empty one."""
        return not self._seen.isdisjoint("WB")

    def group(self, group: str, at: int) -> None:
        """Parse a group, which starts at character `at`."""
        side = group.strip()[:1]
        at += len(group) - len(group.lstrip())
        if side in ("H", "F"):
            self._read_count(side, group.strip()[1:], at)
            return
        if side == "+":
            self._read_streaks(group.strip(), at)
            return
        if side not in ("W", "B"):
            raise FenError(
                "group", f"a group of squares must start with W or B, not {side!r}", at=at
            )
        if side in self._seen:
            raise FenError("group_twice", f"group {side} occurs twice", at=at)
        self._seen.add(side)
        inside = group.strip()[1:]
        if not inside.strip():
            return
        at += 1
        for item in inside.split(","):
            if self._is_captured(item.strip()):
                at += len(item) + 1
                continue
            for square in self._item(item, at):
                if self.pieces[square - 1] != ".":
                    raise FenError("duplicate", f"two pieces on {self._name(square)}", at=at)
                self.pieces[square - 1] = side if item.lstrip().startswith("K") else side.lower()
            at += len(item) + 1

    def _read_count(self, sign: str, number: str, at: int) -> None:
        """Parse the plies without progress (H) or the move number (F)."""
        if not _COUNT.fullmatch(number):
            raise FenError(
                "group", f"{sign} must be followed by a number, not {number[:20]!r}", at=at
            )
        if sign in self._seen:
            raise FenError("group_twice", f"group {sign} occurs twice", at=at)
        self._seen.add(sign)
        self.counts[sign] = int(number)

    def _read_streaks(self, group: str, at: int) -> None:
        """Parse the streaks of both sides' kings."""
        match = _STREAKS.fullmatch(group)
        if match is None:
            message = f"+ must be followed by the moves of kings, as in +0+3K5, not {group[:20]!r}"
            raise FenError("group", message, at=at)
        if "+" in self._seen:
            raise FenError("group_twice", "group + occurs twice", at=at)
        self._seen.add("+")
        self.streaks = tuple(
            (int(moves), self._square(square, at) if square else None)
            for moves, square in ((match[1], match[2]), (match[3], match[4]))
        )

    def _is_captured(self, item: str) -> bool:
        """Whether an item is a captured piece that is not removed yet; G may also be a file."""
        match = _CAPTURED.fullmatch(item)
        if match is None:
            return False
        if match[1] is None and not self._numeric and match[2].isdigit():
            return False
        self._square(match[1] or match[2], 0)
        return True

    def _item(self, item: str, at: int) -> Iterator[int]:
        at += len(item) - len(item.lstrip())
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise FenError("square", f"{item.strip()[:20]!r} is not a square", at=at)
        first = self._square(match[2], at)
        if match[3] is None:
            yield first
            return
        ranks = [self._order(square) for square in (first, self._square(match[3], at))]
        if ranks[1] < ranks[0]:
            raise FenError("range", f"the range {item.strip()} must ascend", at=at)
        board_squares = range(1, self._rules.square_count + 1)
        yield from (s for s in board_squares if ranks[0] <= self._order(s) <= ranks[1])

    def _square(self, name: str, at: int) -> int:
        read = self._labels.square if self._labels else functools.partial(squares.read, self._rules)
        square = read(name)
        if square is None:
            size = f"{self._rules.width}×{self._rules.height}"
            raise FenError(
                "off_board",
                f"{name} is not a playing square of the {size} board "
                f"(1 to {self._rules.square_count})",
                at=at,
            )
        return square

    def _name(self, square: int) -> str:
        return self._labels.name(square) if self._labels else str(square)

    def _order(self, square: int) -> int:
        return self._labels.order(square) if self._labels else square
