"""A game as a page of diagrams with the moves between them, as in a book."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.draw import drawable, shapes
from damka.draw.colours import INK, PAPER
from damka.draw.marks import Marks, Style
from damka.draw.position import board, document
from damka.draw.shapes import Point, element, group

if TYPE_CHECKING:
    from damka.draw.drawable import DrawableGame, HasPlayback, Turn

__all__ = ["MAX_COLUMNS", "MAX_DIAGRAMS", "PRINTED", "game"]

MAX_DIAGRAMS: Final = 500
MAX_COLUMNS: Final = 12

PRINTED: Final = Style(print_style=True, number_size=24)
"""Pieces on light squares, legible in black and white, with numbers large enough to read."""

_WIDTH: Final = 300
_GAP: Final = 28
_TEXT: Final = 13
_LINE: Final = 18
_LETTER: Final = 0.56  # average width relative to the text size
_MUTED: Final = "#55595e"


class _Diagram(NamedTuple):
    pieces: str
    marks: Marks
    heading: str
    moves: list[str]
    """The moves since the previous diagram, as lines of text; the heading has the last one."""


def game(
    game: DrawableGame | HasPlayback,
    style: Style = PRINTED,
    *,
    every: int = 10,
    columns: int = 3,
    title: str | None = None,
) -> str:
    """Return a game as an SVG page of diagrams: the start, then every `every` plies.

    `game` is a `damka.Game` or a `damka.pdn.PdnGame`, whose main line is drawn. The last position
    is always included. Above each diagram are the moves that led to it; the last one is bold, and
    its squares are tinted. There are `columns` (1 to 12) diagrams per row. The default style is
    `PRINTED`: pieces on light squares, legible in black and white; a style's `size` is the width of
    the page. `title` is the heading; "" for none, by default the rule set and the number of plies.

    Raises ValueError for `every` under 1 or so small that there are more than 500 diagrams, for
    `columns` out of range, PdnError for a position set up during the game, and as `board` does.

    >>> import damka
    >>> from damka.draw import svg
    >>> match = damka.Game("american")
    >>> for move in ("11-15", "22-18", "15x22", "25x18"):
    ...     _ = match.play(move)
    >>> svg.game(match, every=2).count("<svg ")
    4
    """
    game = drawable.to_drawable(game)
    turns = list(drawable.turns(game))
    if every < 1 or len(turns) / every > MAX_DIAGRAMS - 2:
        minimum = max(1, -(-len(turns) // (MAX_DIAGRAMS - 2)))
        raise ValueError(f"every: {minimum} or more plies for this game, not {every}")
    if not 1 <= columns <= MAX_COLUMNS:
        raise ValueError(f"columns: 1 to {MAX_COLUMNS}, not {columns}")
    diagrams = _diagrams(game, turns, every)
    result = drawable.result_text(game)
    if title is None:
        title = f"{game.rules.title_in('en')}, {len(turns)} plies" + f": {result}" * bool(result)
    board_style = replace(style, size=_WIDTH)
    board_height = _WIDTH * game.rules.height / game.rules.width
    top = float(_GAP + 30 if title else _GAP)
    parts = [element("text", escape(title), x=_GAP, y=_GAP + 10, font_size=20)] if title else []
    for row in (diagrams[n : n + columns] for n in range(0, len(diagrams), columns)):
        lines = 1 + max(len(diagram.moves) for diagram in row)
        for column, diagram in enumerate(row):
            at = Point(_GAP + column * (_WIDTH + _GAP), top + lines * _LINE)
            parts.append(_texts(diagram, at))
            picture = board(game.rules, diagram.pieces, diagram.marks, board_style, title="", at=at)
            parts.append(picture)
        top += lines * _LINE + board_height + _GAP
    width = _GAP + min(columns, len(diagrams)) * (_WIDTH + _GAP)
    paper = element("rect", width=width, height=round(top), fill=PAPER)
    body = group(parts, fill=INK, font_family=shapes.FONT, font_size=_TEXT)
    title_text = title or "A game in diagrams"
    return document((0, 0, width, round(top)), (paper, body), style.size, title_text)


def _diagrams(game: DrawableGame, turns: Sequence[Turn], every: int) -> list[_Diagram]:
    diagrams = [_Diagram(drawable.start_of(game), Marks(), "Start", [])]
    for begin in range(0, len(turns), every):
        *earlier, last = turns[begin : begin + every]
        route = last.ply.move.route
        marks = Marks(last=(route[0], route[-1]))
        diagrams.append(_Diagram(last.ply.pieces, marks, last.numbered, _wrap(earlier)))
    if drawable.end_of(game) != (turns[-1].ply.pieces if turns else drawable.start_of(game)):
        # A huff without a following move.
        diagrams.append(_Diagram(drawable.end_of(game), Marks(), "After the huff", []))
    return diagrams


def _wrap(turns: Sequence[Turn]) -> list[str]:
    """Return moves as lines of text no wider than a diagram."""
    if not turns:
        return []
    first, *others = turns
    words = [first.numbered, *(turn.text if turn.second else turn.numbered for turn in others)]
    # No line break between a number and its move, or between a huff and its move.
    text = " ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)
    lines = textwrap.wrap(text, int(_WIDTH / (_LETTER * _TEXT)), break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _texts(diagram: _Diagram, at: Point) -> str:
    """Return the text above a diagram: lines of moves, and the last move below them."""
    heading = element("text", diagram.heading, x=at.x, y=at.y - 7, font_weight="bold")
    lines = group(
        (
            element("text", line, x=at.x, y=at.y - 7 - (len(diagram.moves) - n) * _LINE)
            for n, line in enumerate(diagram.moves)
        ),
        fill=_MUTED,
    )
    return lines + heading
