"""Commands in comments: clocks, evaluations, coloured squares and arrows.

`[%clk 1:59:56]` is the clock of the side that has moved, `[%clk w0:01:59 B0:01:59]` both clocks
(the capital letter is the side that has moved); some programs write `%clock`. `[%emt 0:00:05]` is
the time used for the move, `[%egt 0:20:00]` the time used for the game, `[%mct 17:10:42]` the time
on a mechanical clock. `[%eval 0.5]` is an evaluation from White's view, `[%eval #-3]` a win for
Black in three moves. `[%csl R12,G23]` are coloured squares, `[%cal R12-23]` arrows.

Also accepted: capital letters, spaces, a colon after the name, several commands in one bracket
(`[%clk 0:49:11,%emt 0:00:05]`), overtime (`[%clk -0:00:05]`), dots (`[%clk 0.49.11]`), and both
clocks without letters, White's first (`[%clk 0:10:00 0:09:58]`).
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
    "split",
]

_SPACE: Final = r"\s{0,8}"
_SIGN: Final = r"[-\u2212]?"
_TIME: Final = (
    rf"({_SIGN}\d{{1,4}}\.\d{{1,2}}\.\d{{1,2}}"
    rf"|{_SIGN}(?:\d{{1,4}}:){{0,2}}\d{{1,6}}(?:\.\d{{1,6}})?)"
)
_CLOSE: Final = rf"{_SPACE}(?:\]|[,;]{_SPACE}%)"


def _command(names: str, arguments: str) -> re.Pattern[str]:
    """Return the pattern of a command; a bracket may contain several."""
    start = rf"[\[,;]{_SPACE}%{_SPACE}{names}{_SPACE}[:\s]{_SPACE}"
    return re.compile(start + arguments, re.ASCII | re.IGNORECASE)


_CLK: Final = _command("cl(?:k|ock)", _TIME + _CLOSE)
_CLOCK: Final = _command("cl(?:k|ock)", r"([wb][^\]]{1,80})\]")
_BOTH_CLOCKS: Final = _command("cl(?:k|ock)", rf"{_TIME}[\s/|]{{1,8}}{_TIME}{_CLOSE}")
_ELAPSED: Final = {
    kind: _command(kind, rf"[wb]?{_SPACE}{_TIME}{_CLOSE}") for kind in ("emt", "egt", "mct")
}
_SIDE_CLOCK: Final = re.compile(rf"([wWbB])\s*{_TIME}", re.ASCII)
_EVAL: Final = _command("eval", r"(#)?([+-]?\d{1,6}(?:\.\d{1,6})?)\s*[^\]]{0,40}\]")
_MARKS: Final = _command("c[sa]l", r"([^\]]{1,2000})\]")
_MARK: Final = re.compile(r"([A-Za-z])\s*([a-l]?\d{1,3})(?:\s*-?\s*([a-l]?\d{1,3}))?", re.ASCII)
_SQUARES: Final = re.compile(
    rf"\[({_SPACE}%{_SPACE}(csl|cal|huff|pv){_SPACE}[:\s]{_SPACE})([^\]]{{1,2000}})\]",
    re.IGNORECASE,
)
_ANY: Final = re.compile(rf"\[{_SPACE}%[^\]]{{0,2000}}\]")


class Evaluation(NamedTuple):
    """A program's evaluation of a position, from White's view.

    `score` is in men, None if a win is proved; `win_in` is the number of moves to White's win,
    negative for Black's, None without a proved win.
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
    return None if match is None else _seconds(match[1])


def clocks(comment: str) -> dict[Side, float]:
    """Return the seconds of each side in `[%clk …]` or `[%clock …]`, empty if missing.

    Of two times without letters the first is White's.

    >>> clocks("[%clock w0:01:59 B0:02:00]")
    {'W': 119.0, 'B': 120.0}
    """
    both = _BOTH_CLOCKS.search(comment)
    if both is not None:
        return {"W": _seconds(both[1]), "B": _seconds(both[2])}
    match = _CLOCK.search(comment)
    sides: dict[Side, float] = {}
    for letter, time in _SIDE_CLOCK.findall(match[1]) if match else ():
        sides["W" if letter in "wW" else "B"] = _seconds(time)
    return sides


def elapsed(comment: str, kind: Literal["emt", "egt", "mct"]) -> float | None:
    """Return the seconds of `[%emt …]`, `[%egt …]` or `[%mct …]`, or None.

    >>> elapsed("[%emt 0:01:05.5]", "emt"), elapsed("[%emt 12]", "emt"), elapsed("", "egt")
    (65.5, 12.0, None)
    """
    match = _ELAPSED[kind].search(comment)
    return None if match is None else _seconds(match[1])


def evaluation(comment: str) -> Evaluation | None:
    """Return the evaluation of `[%eval …]`, or None."""
    match = _EVAL.search(comment)
    if match is None:
        return None
    number = float(match[2])
    return Evaluation(None, int(number)) if match[1] else Evaluation(number)


def marks(comment: str, labels: Labels) -> tuple[Mark, ...]:
    """Return the coloured squares and arrows of `[%csl …]` and `[%cal …]`.

    Unknown squares are ignored.
    """
    result = []
    for group in _MARKS.findall(comment):
        for colour, first, last in _MARK.findall(group):
            start = labels.square(first)
            end = labels.square(last) if last else start
            if start is not None and end is not None:
                result.append(Mark(colour.upper(), start, end))
    return tuple(result)


def plain(comment: str) -> str:
    """Return a comment without its commands.

    >>> plain("[%clk 0:01:00] A mistake. [%eval -1.2]")
    'A mistake.'
    """
    return " ".join(_ANY.sub(" ", comment).split())


def split(comment: str) -> tuple[str, list[str]]:
    """Return a comment without its commands, in its lines, and the commands.

    >>> split("[%clk 0:01:00] A mistake.\\n[%eval -1.2] Why?")
    ('A mistake.\\nWhy?', ['[%clk 0:01:00]', '[%eval -1.2]'])
    """
    lines = (" ".join(line.split()) for line in _ANY.sub(" ", comment).split("\n"))
    return "\n".join(lines).strip(), _ANY.findall(comment)


def relabel(comment: str, old: Labels, new: Labels) -> str:
    """Return a comment with new labels for the squares of its marks, huffs and lines."""

    def rename(label: str) -> str:
        square = old.square(label)
        return label if square is None else new.name(square)

    def mark(match: re.Match[str]) -> str:
        return f"{match[1]}{rename(match[2])}" + (f"-{rename(match[3])}" if match[3] else "")

    def command(match: re.Match[str]) -> str:
        command, kind, arguments = match.groups()
        kind = kind.lower()
        if kind == "huff":
            arguments = rename(arguments.strip())
        elif kind == "pv":
            arguments = " ".join(new.shown(old.read(word)) for word in arguments.split())
        else:
            arguments = _MARK.sub(mark, arguments)
        return f"[{command}{arguments}]"

    return _SQUARES.sub(command, comment)


def _seconds(text: str) -> float:
    """Return the seconds of a time; `0.49.11` is the same as `0:49:11`."""
    digits = text.lstrip("-\u2212")
    seconds = 0.0
    for part in digits.split(".") if digits.count(".") == 2 else digits.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds if digits == text else -seconds
