"""Scenes: example positions of a rulebook, defined for every board and verified for each rule set.

A scene uses the squares "a1" to "h8" of an 8 × 8 board whose corner at White's left is a playing
square; White is at the bottom and to move. `stage` sets it up on the board of a rule set, shifted
if necessary, and returns it only if all its claims are true under the rules. So a rulebook never
shows a wrong picture.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from damka import locales
from damka.board import Board
from damka.draw import Arrow, Marks, Style, svg, text
from damka.notation import labels

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["Diagram", "Scene", "stage"]

_BOOK_SQUARE: Final = re.compile(r"[a-h][1-8]")
_SQUARE: Final = re.compile(r"[a-h][1-8]|\d+")
_BOOK_SIZE: Final = 8

# Pictures are small and number only the relevant squares, in a larger font.
_NUMBER_SIZE: Final = 22
_NAME_SIZE: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position with annotations, which are claims about the rules.

    `pieces` is a position: "wc3 Bd4" is a white man on c3 and a black king on d4, "start" the start
    position, "" the empty board. `placed` is the place on a larger board: the "middle", "bottom" or
    "top", or stretched to the "edges".

    `caption` is a catalogue key, and `words` are its values: squares ("d4"), lists of squares ("d4
    f6" for *and*, "d4|f6" for *or*) or moves ("c3xe5"). All other fields are claims.
    """

    pieces: str
    caption: str
    words: Mapping[str, str] = field(default_factory=dict)
    placed: str = "middle"
    turn: Side = "W"

    plays: tuple[str, ...] = ()
    """Routes that are legal moves, drawn as arrows."""
    crowns: bool | None = None
    """Whether these moves crown the man; None to claim nothing."""
    wins: bool = False
    """The first of these moves captures the opponent's last piece."""
    loses: bool = False
    """The reply is the only legal one, and captures the last piece of the side to move."""
    reply: str = ""
    """The opponent's legal reply, also drawn as an arrow."""
    repeats: bool = False
    """Both sides can move back, and the position repeats."""
    forbids: tuple[str, ...] = ()
    """Illegal routes, drawn as forbidden arrows."""
    never: tuple[str, ...] = ()
    """More illegal routes, which are not drawn."""
    targets: str = ""
    """A piece whose targets are marked; the word `ends`, if any, must list all of them."""
    takes: str = ""
    """The piece captured by every legal move."""
    crosses: str = ""
    """Squares that no legal move reaches."""
    beyond: str = ""
    """Two squares: those after the second one on their line are also crossed out."""
    must: bool = False
    """Capturing is compulsory; the pieces that can capture have rings."""
    faded: str = ""
    """Pieces drawn as captured."""
    played: str = ""
    """The previous move, legal or an offence; the position after it is drawn."""
    huffable: str = ""
    """The piece that may be huffed for this move."""
    stuck: bool = False
    """The side to move has pieces but no legal move."""

    def squares_used(self) -> list[str]:
        """Return all squares of the book that the scene uses."""
        marks = (self.targets, self.crosses, self.beyond, self.faded, self.huffable)
        routes = (*self.plays, *self.forbids, *self.never, self.reply, self.played)
        return _BOOK_SQUARE.findall(" ".join((self.pieces, *self.words.values(), *routes, *marks)))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Diagram:
    """A position that explains a rule, drawn as SVG or text, with a caption in any language."""

    rules: Rules
    pieces: str
    turn: Side
    marks: Marks
    style: Style
    _key: str
    _words: Mapping[str, tuple[str, tuple[str, ...]]]

    def caption(self, language: str) -> str:
        """Return the caption."""
        words = {
            name: locales.listing(language, items, f"list.{kind}")
            for name, (kind, items) in self._words.items()
        }
        return locales.translate(language, f"rulebook.caption.{self._key}", **words)

    def svg(self, language: str = "en", **changes: Any) -> str:
        """Return the picture; `changes` are fields of its style."""
        style = replace(self.style, **changes)
        title = self.caption(language)
        return svg.board(self.rules, self.pieces, self.marks, style, title=title)

    def text(self, **options: Any) -> str:
        """Return the position for a terminal; `options` go to `damka.draw.text.board`."""
        return text.board(self.rules, self.pieces, self.marks, **options)


def stage(rules: Rules, scene: Scene) -> Diagram | None:
    """Set up a scene under these rules.

    Returns None if it does not fit on the board, or if one of its claims is false.
    """
    shift = _shift(rules, scene)
    return None if shift is None else _StagedScene(rules, scene, shift).diagram()


def _shift(rules: Rules, scene: Scene) -> tuple[int, int] | None:
    """Return the shift in columns and ranks that places the scene on the board, or None."""
    names = scene.squares_used()
    if scene.placed == "edges" or not names:
        return 0, 0
    columns, ranks = zip(*map(_book_cell, names), strict=True)
    extra_columns, extra_ranks = rules.width - _BOOK_SIZE, rules.height - _BOOK_SIZE
    preferred = {"top": (0, extra_ranks), "bottom": (0, 0)}.get(
        scene.placed, (extra_columns // 2, extra_ranks // 2)
    )
    ranks_up: Collection[int] = _possible_shifts(ranks, rules.height)
    if scene.placed != "middle":
        ranks_up = {preferred[1]}.intersection(ranks_up)
    shifts = [
        (right, up)
        for right in _possible_shifts(columns, rules.width)
        for up in ranks_up
        # If only dark squares are played on, the shift must preserve the colours.
        if rules.squares == "all" or (right + up) % 2 == 0
    ]
    if not shifts:
        return None
    return min(shifts, key=lambda at: abs(at[0] - preferred[0]) + abs(at[1] - preferred[1]))


def _possible_shifts(places: tuple[int, ...], size: int) -> range:
    """Return the shifts that place all coordinates on a board of this size."""
    return range(-min(places), size - max(places))


def _book_cell(name: str) -> tuple[int, int]:
    """Return the column and rank, from 0, of a square of the book."""
    return ord(name[0]) - ord("a"), int(name[1]) - 1


class _StagedScene:
    def __init__(self, rules: Rules, scene: Scene, shift: tuple[int, int]) -> None:
        self.rules = rules
        self.scene = scene
        self.shift = shift
        self.is_true = self._is_on_board()
        if not self.is_true:
            return
        self.board = Board(rules).with_pieces(self._pieces(), scene.turn)
        self.last: tuple[int, ...] = ()
        self.is_true = not scene.played or self._play_previous()
        self.moves = self.board.legal_moves

    def diagram(self) -> Diagram | None:
        """Return the picture, or None if a claim is false."""
        if not (self.is_true and self._check_claims()):
            return None
        scene = self.scene
        marks = self._marks()
        return Diagram(
            self.rules,
            self.board.pieces,
            self.board.turn,
            marks,
            self._style(marks),
            scene.caption,
            MappingProxyType({name: self._words(words) for name, words in scene.words.items()}),
        )

    def _marks(self) -> Marks:
        scene = self.scene
        played = (Arrow(self._route(route)) for route in (*scene.plays, scene.reply) if route)
        forbidden = (Arrow(self._route(route), forbidden=True) for route in scene.forbids)
        return Marks(
            last=self.last,
            arrows=(*played, *forbidden),
            targets=self._targets(),
            crosses=self._crossed_out(),
            must=sorted({move.start for move in self.moves}) if scene.must else (),
            huffable=self._squares(scene.huffable),
            faded=self._squares(scene.faded),
            chosen=self._squares(scene.targets)[0] if scene.targets else None,
        )

    def _style(self, marks: Marks) -> Style:
        """Return the style that numbers the relevant squares and shows their surroundings."""
        if self.scene.pieces in ("", "start"):
            all_squares = range(1, self.rules.square_count + 1)
            # An empty board shows its labels.
            return Style(
                around=all_squares, number_size=_NUMBER_SIZE if self.scene.pieces else _NAME_SIZE
            )
        on_arrows = chain.from_iterable(arrow.route for arrow in marks.arrows)
        marked = (*marks.targets, *marks.crosses, *marks.must, *marks.last)
        in_caption = chain.from_iterable(map(self._squares, self.scene.words.values()))
        occupied = (s for s, piece in enumerate(self.board.pieces, 1) if piece != ".")
        numbers = sorted({*on_arrows, *marked, *in_caption})
        around = sorted({*numbers, *occupied})
        return Style(numbers=numbers, around=around, number_size=_NUMBER_SIZE)

    # Claims

    def _check_claims(self) -> bool:
        scene = self.scene
        return all(
            (
                all(self._is_legal(route) for route in scene.plays),
                not any(self._legal_move(route) for route in (*scene.forbids, *scene.never)),
                not scene.targets or self._lists_all_targets(),
                not self._crossed_out() & {move.end for move in self.moves},
                not scene.takes or self._every_move_takes(),
                not scene.must or (bool(self.moves) and all(m.is_capture for m in self.moves)),
                not scene.wins or self._captures_last(),
                not scene.reply or self._reply_is_legal(),
                not scene.loses or self._reply_captures_last(),
                not scene.stuck or self._is_stuck(),
            )
        )

    def _is_legal(self, route: str) -> bool:
        move = self._legal_move(route)
        return move is not None and self.scene.crowns in (None, move.crowns)

    def _legal_move(self, route: str) -> Move | None:
        squares = self._route(route)
        for move in self.moves:
            if move.start == squares[0] and squares in self.board.routes(move):
                return move
        return None

    def _captures_last(self) -> bool:
        after = self._board_after(self.scene.plays[0])
        return not any(piece in "bB" for piece in after.pieces)

    def _lists_all_targets(self) -> bool:
        targets = self._targets()
        ends = self.scene.words.get("ends")
        return bool(targets) and (ends is None or set(self._squares(ends)) == set(targets))

    def _every_move_takes(self) -> bool:
        (taken,) = self._squares(self.scene.takes)
        return all(taken in move.captures for move in self.moves)

    def _reply_captures_last(self) -> bool:
        after = self._board_after(self.scene.plays[0])
        replies = after.legal_moves
        if [(move.start, move.end) for move in replies] != [self._route(self.scene.reply)]:
            return False
        after.push(replies[0])
        return not any(piece in "wW" for piece in after.pieces)

    def _reply_is_legal(self) -> bool:
        """Whether the reply is legal, and the position repeats if the scene claims it."""
        turns = [self.scene.plays[0], self.scene.reply]
        if self.scene.repeats:
            turns += ["-".join(reversed(turn.split("-"))) for turn in turns]
        board = self.board.copy()
        for turn in turns:
            route = self._route(turn)
            move = next((m for m in board.legal_moves if (m.start, m.end) == route), None)
            if move is None:
                return False
            board.push(move)
        return not self.scene.repeats or board.pieces == self.board.pieces

    def _is_stuck(self) -> bool:
        return not self.moves and any(piece in "wW" for piece in self.board.pieces)

    def _board_after(self, route: str) -> Board:
        board = self.board.copy()
        move = self._legal_move(route)
        if move is not None:
            board.push(move)
        return board

    def _play_previous(self) -> bool:
        """Play the previous move, legal or an offence; return whether that is possible."""
        scene, route = self.scene, self._route(self.scene.played)
        legal = self.board.legal_moves
        capturers = {move.start for move in legal if move.is_capture}
        if scene.huffable and not capturers.issuperset(self._squares(scene.huffable)):
            return False
        for move in self.board.quiet_moves if scene.huffable else legal:
            if (move.start, move.end) == route:
                self.board.push_unchecked(move)
                self.last = route
                return True
        return False

    # Marks

    def _targets(self) -> list[int]:
        chosen = self._squares(self.scene.targets)
        return sorted({move.end for move in self.moves if move.start in chosen})

    def _crossed_out(self) -> set[int]:
        squares = set(self._squares(self.scene.crosses))
        if self.scene.beyond:
            squares.update(self._line(*self._squares(self.scene.beyond)))
        return squares

    def _line(self, before: int, square: int) -> Iterator[int]:
        """Yield the squares after `square` on the line from `before`."""
        row, column = self.rules.cell(square)
        row_from, column_from = self.rules.cell(before)
        down, right = row - row_from, column - column_from
        steps = max(abs(down), abs(right))
        if self.rules.squares == "dark" and 0 in (down, right):
            steps //= 2  # in a row or column every second cell is a playing square
        for step in count(1):
            following = self.rules.square_at(
                row + down // steps * step, column + right // steps * step
            )
            if following is None:
                return
            yield following

    # Conversion of squares

    def _pieces(self) -> str:
        if self.scene.pieces == "start":
            return svg.start_pieces(self.rules)
        occupied = {self._square(piece[1:]): piece[0] for piece in self.scene.pieces.split()}
        return "".join(occupied.get(s, ".") for s in range(1, self.rules.square_count + 1))

    def _words(self, words: str) -> tuple[str, tuple[str, ...]]:
        square_labels = labels(self.rules)

        def relabel(word: str) -> str:
            numbers = _SQUARE.sub(lambda match: str(self._square(match[0])), word)
            return square_labels.shown(numbers)

        kind, items = ("or", words.split("|")) if "|" in words else ("and", words.split())
        words_on_board = list(map(relabel, items))
        square_of = {word: square_labels.square(word) or 0 for word in words_on_board}
        if all(square_of.values()):
            words_on_board.sort(key=lambda word: square_labels.order(square_of[word]))
        return kind, tuple(words_on_board)

    def _route(self, route: str) -> tuple[int, ...]:
        return tuple(self._squares(route))

    def _squares(self, names: str) -> list[int]:
        return [self._square(name) for name in _SQUARE.findall(names)]

    def _is_on_board(self) -> bool:
        """Whether all squares of the scene are playing squares of the board."""
        return all(self._parse_square(name) is not None for name in self.scene.squares_used())

    def _square(self, name: str) -> int:
        """Convert a square of the book to the board's number."""
        if name.isdecimal():
            return int(name)
        square = self._parse_square(name)
        if square is None:
            raise ValueError(f"{name} is not a playing square: {self.scene.pieces!r}")
        return square

    def _parse_square(self, name: str) -> int | None:
        column, rank = _book_cell(name)
        column, rank = column + self.shift[0], rank + self.shift[1]
        if self.scene.placed == "edges":
            column += self.rules.width - _BOOK_SIZE if column >= _BOOK_SIZE // 2 else 0
            rank += self.rules.height - _BOOK_SIZE if rank >= _BOOK_SIZE // 2 else 0
        if self.rules.dark_corner == "right" and self.rules.squares == "dark":
            column = self.rules.width - 1 - column
        return self.rules.square_at(self.rules.height - 1 - rank, column)
