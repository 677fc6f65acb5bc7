"""Positions as text: "W:W21,22,K30:B1-12".

The side to move, then each side's squares; `K` before a square is a king. Written squares are
numbers, ascending, White's group first; a side without pieces has a group without squares. Read
are also the groups in either order, one of them left out, ranges of men or kings ("1-12", "K1-4"),
squares in algebraic notation ("c3"), spaces around the signs, leading zeros and a dot at the end.

Codes of FenError: "length" (over MAX_LENGTH characters), "turn" (no side to move, or "?"),
"group" (a group that is not W or B), "group_twice", "square" (not a square), "off_board" (not a
playing square of this board), "range" (a range that does not ascend), "duplicate" (two pieces on
a square), "crowning_row" (a man on the row where it would have become a king).

Source: Portable Draughts Notation 3.0, the FEN tag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from damka.errors import FenError
from damka.notation import squares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules, Side

__all__ = ["CODES", "MAX_LENGTH", "check", "format", "parse"]

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

_ITEM = re.compile(rf"(K?)({squares.SQUARE})(?: *- *({squares.SQUARE}))?")


def parse(rules: Rules, text: str) -> tuple[str, Side]:
    """Return (pieces, turn): one of "wbWB." for each square from 1, and the side to move.

    Raises FenError.

    >>> import damka
    >>> parse(damka.rules.load("dama64"), "B:Wc3,K31:B1-4")
    ('bbbb.................w........W.', 'B')
    """
    if len(text) > MAX_LENGTH:
        raise FenError("length", f"a position has at most {MAX_LENGTH} characters")
    turn, *groups = text.strip().removesuffix(".").split(":")
    at = len(text) - len(text.lstrip())
    if turn.strip() not in ("W", "B"):
        raise FenError("turn", f"the side to move must be W or B, not {turn.strip()[:20]!r}", at=at)
    if not groups:
        raise FenError("group", "the pieces are missing after the side to move", at=len(text))
    pieces = ["."] * rules.square_count
    seen: set[str] = set()
    at += len(turn) + 1
    for group in groups:
        _read_group(rules, group, at, pieces, seen)
        at += len(group) + 1
    board = "".join(pieces)
    check(rules, board)
    return board, cast("Side", turn.strip())


def format(rules: Rules, pieces: str, turn: Side) -> str:  # noqa: A001  the pair of parse
    """Return the FEN of a position; `parse` reads it back.

    >>> import damka
    >>> format(damka.rules.load("dama64"), "bbbb.................w........W.", "B")
    'B:W22,K31:B1,2,3,4'
    """
    groups = {"W": "", "B": ""}
    for square, piece in enumerate(pieces[: rules.square_count], start=1):
        if piece != ".":
            side = piece.upper() if piece in "wb" else piece
            comma = "," if groups[side] else ""
            groups[side] += f"{comma}{'K' if piece.isupper() else ''}{square}"
    return f"{turn}:W{groups['W']}:B{groups['B']}"


def check(rules: Rules, pieces: str) -> None:
    """Raise FenError with the code "crowning_row" when a man stands where it would be a king."""
    for man, side, colour in (("w", "W", 0), ("b", "B", 1)):
        row = rules.crowning_row(cast("Side", side))
        first = row * (rules.width // 2)
        offset = pieces.find(man, first, first + rules.width // 2)
        if offset >= 0:
            raise FenError(
                "crowning_row",
                f"the {rules.colours[colour]} man on {offset + 1} would be a king there: "
                f"write {side}K{offset + 1}",
            )


def _read_group(rules: Rules, group: str, at: int, pieces: list[str], seen: set[str]) -> None:
    side = group.strip()[:1]
    at += len(group) - len(group.lstrip())
    if side not in ("W", "B"):
        raise FenError("group", f"a group of squares starts with W or B, not {side!r}", at=at)
    if side in seen:
        raise FenError("group_twice", f"there are two groups {side}", at=at)
    seen.add(side)
    inside = group.strip()[1:]
    if not inside.strip():
        return
    at += 1
    for item in inside.split(","):
        for square in _read_item(rules, item, at):
            if pieces[square - 1] != ".":
                raise FenError("duplicate", f"two pieces stand on {square}", at=at)
            pieces[square - 1] = side if item.lstrip().startswith("K") else side.lower()
        at += len(item) + 1


def _read_item(rules: Rules, item: str, at: int) -> Iterator[int]:
    at += len(item) - len(item.lstrip())
    found = _ITEM.fullmatch(item.strip())
    if found is None:
        raise FenError("square", f"{item.strip()[:20]!r} is not a square", at=at)
    first = _read_square(rules, found[2], at)
    if found[3] is None:
        yield first
        return
    last = _read_square(rules, found[3], at)
    if last < first:
        raise FenError("range", f"the range {item.strip()} must ascend", at=at)
    yield from range(first, last + 1)


def _read_square(rules: Rules, name: str, at: int) -> int:
    square = squares.read(rules, name)
    if square is None:
        size = f"{rules.width}×{rules.height}"
        raise FenError(
            "off_board",
            f"{name} is not a playing square of the {size} board (1 to {rules.square_count})",
            at=at,
        )
    return square
