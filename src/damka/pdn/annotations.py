"""Commands in comments: clocks, evaluations, coloured squares and arrows.

`[%clk 1:59:56]` is the clock of the side that has moved, `[%clk w0:01:59 B0:01:59]` both clocks
(the capital letter is the side that has moved); some programs write `%clock`. `[%emt 0:00:05]` is
the time used for the move, `[%egt 0:20:00]` for the game, `[%mct 17:10:42]` the time on a
mechanical clock. `[%eval 0.5]` is an evaluation from White's view, `[%eval #-3]` a win for Black in
three moves, `[%csl R12,G23]` are coloured squares, `[%cal R12-23]` arrows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from damka.notation import Labels
    from damka.rules import Side

__all__ = [
    "Evaluation",
    "Mark",
    "clock",
    "clocks",
    "elapsed",
    "evaluation",
    "marks",
    "plain",
    "relabel",
]

_TIME: Final = r"(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,6})?)"
_CLK: Final = re.compile(rf"\[%cl(?:k|ock)\s+{_TIME}\s*\]", re.ASCII)
_CLOCK: Final = re.compile(r"\[%cl(?:k|ock)\s+([wWbB][^\]]{1,80})\]")
_ELAPSED: Final = {
    kind: re.compile(rf"\[%{kind}\s+[wWbB]?\s*{_TIME}\s*\]", re.ASCII)
    for kind in ("emt", "egt", "mct")
}
_SIDE_CLOCK: Final = re.compile(rf"([wWbB])\s*{_TIME}", re.ASCII)
_EVAL: Final = re.compile(r"\[%eval\s+(#)?([+-]?\d{1,6}(?:\.\d{1,6})?)\s*[^\]]{0,40}\]", re.ASCII)
_MARKS: Final = re.compile(r"\[%c[sa]l\s+([^\]]{1,2000})\]")
_MARK: Final = re.compile(r"([A-Za-z])\s*([a-l]?\d{1,3})(?:\s*-?\s*([a-l]?\d{1,3}))?", re.ASCII)
_SQUARES: Final = re.compile(r"\[%(csl|cal|huff|pv)(\s+)([^\]]{1,2000})\]")
_ANY: Final = re.compile(r"\[%[^\]]{0,2000}\]")


class Evaluation(NamedTuple):
    """A program's evaluation of a position, from White's view.

    `score` counts men, None for a decided game; `win_in` is the number of moves to White's win,
    negative for Black's, otherwise None.
    """

    score: float | None
    win_in: int | None = None


class Mark(NamedTuple):
    """A coloured square, or an arrow if `end` is another square; `colour` is a letter such as R."""

    colour: str
    start: int
    end: int


def clock(comment: str) -> float | None:
    """Return the seconds of `[%clk …]` or `[%clock …]` with one time, or None.

    >>> clock("[%clock 0:49:11]")
    2951.0
    """
    match = _CLK.search(comment)
    return None if match is None else _seconds(match[1], match[2], match[3])


def clocks(comment: str) -> dict[Side, float]:
    """Return the seconds of each side in `[%clk …]` or `[%clock …]`, empty if missing.

    >>> clocks("[%clock w0:01:59 B0:02:00]")
    {'W': 119.0, 'B': 120.0}
    """
    match = _CLOCK.search(comment)
    sides: dict[Side, float] = {}
    for letter, *time in _SIDE_CLOCK.findall(match[1]) if match else ():
        sides["W" if letter in "wW" else "B"] = _seconds(*time)
    return sides


def elapsed(comment: str, kind: Literal["emt", "egt", "mct"]) -> float | None:
    """Return the seconds of a time command, or None: per move, per game, on a mechanical clock.

    >>> elapsed("[%emt 0:01:05.5]", "emt"), elapsed("[%emt 12]", "emt"), elapsed("", "egt")
    (65.5, 12.0, None)
    """
    match = _ELAPSED[kind].search(comment)
    return None if match is None else _seconds(match[1], match[2], match[3])


def evaluation(comment: str) -> Evaluation | None:
    """Return the evaluation of `[%eval …]`, or None."""
    match = _EVAL.search(comment)
    if match is None:
        return None
    number = float(match[2])
    return Evaluation(None, int(number)) if match[1] else Evaluation(number)


def marks(comment: str, labels: Labels) -> tuple[Mark, ...]:
    """Return the coloured squares and arrows of `[%csl …]` and `[%cal …]`, except unknown ones."""
    found = []
    for group in _MARKS.findall(comment):
        for colour, first, last in _MARK.findall(group):
            start = labels.square(first)
            end = labels.square(last) if last else start
            if start is not None and end is not None:
                found.append(Mark(colour.upper(), start, end))
    return tuple(found)


def plain(comment: str) -> str:
    """Return a comment without its commands.

    >>> plain("[%clk 0:01:00] A mistake. [%eval -1.2]")
    'A mistake.'
    """
    return " ".join(_ANY.sub(" ", comment).split())


def relabel(comment: str, old: Labels, new: Labels) -> str:
    """Return a comment with the squares of its marks, huffs and lines relabel."""

    def named(label: str) -> str:
        square = old.square(label)
        return label if square is None else new.name(square)

    def mark(match: re.Match[str]) -> str:
        return f"{match[1]}{named(match[2])}" + (f"-{named(match[3])}" if match[3] else "")

    def command(match: re.Match[str]) -> str:
        kind, space, inside = match.groups()
        if kind == "huff":
            inside = named(inside.strip())
        elif kind == "pv":
            inside = " ".join(new.shown(old.read(word)) for word in inside.split())
        else:
            inside = _MARK.sub(mark, inside)
        return f"[%{kind}{space}{inside}]"

    return _SQUARES.sub(command, comment)


def _seconds(hours: str | None, minutes: str | None, seconds: str) -> float:
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds)
