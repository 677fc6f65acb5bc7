"""Errors of a parsed game, with their places in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from damka import refusal
from damka.errors import PdnError, one_line
from damka.notation import labels, lettered, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from damka._core import Problem
    from damka.errors import FenError, RulesError
    from damka.notation import Labels
    from damka.pdn.setting import Setting
    from damka.rules import Rules, Side

__all__ = [
    "FAULTS",
    "Source",
    "Wrong",
    "damaged_tag",
    "errors_of",
    "in_movetext",
    "wrong_fen",
    "wrong_rules",
]

_SENTENCES: Final = {
    "nested_comment": "a comment inside a comment: expected } before {",
    "open_comment": "a comment that is not closed: expected } before the next game",
    "too_many_tags": "more than 1000 tags in one game",
    "tag": 'not a tag: expected [Name "value"]',
    "unreadable": "expected a move, a comment, a variation or a result",
    "sign": "a sign that means nothing here: expected a move, a comment or a result",
    "unknown_move": "a dash in place of a move that is not known",
    "number": "a number alone: expected a move, or the number of the move that follows",
    "no_square": "not a move: a square that the board does not have",
    "illegal": "not a legal move here",
    "ambiguous": "several captures go over these squares: expected every landing",
    "setup": "not a position: expected a FEN for this board",
    "open_variation": "a variation that is not closed: expected )",
    "extra_close": ") without a variation that it closes",
    "result_inside": "a result with moves after it: expected a move",
    "moves_in_comment": "moves in a comment: expected a space before and after ; and after %",
    "too_deep": "variations inside each other, more than 64: expected fewer",
    "too_many": "more than 1000000 moves in one game",
    "too_complex": "the captures of this position are too many to list",
    "too_many_faults": "more than 1000 faults in one game",
}
_LEGAL: Final = "a legal move"
_WORDS: Final = "a move, a comment, a variation or a result"
_EXPECTED: Final = {
    "nested_comment": "} before {",
    "open_comment": "} before the next game",
    "too_many_tags": "at most 1000 tags",
    "tag": '[Name "value"]',
    "unreadable": _WORDS,
    "sign": _WORDS,
    "unknown_move": _LEGAL,
    "number": "a move, or the number of the move that follows",
    "no_square": _LEGAL,
    "illegal": _LEGAL,
    "ambiguous": "a capture with every landing",
    "setup": "a FEN for this board",
    "open_variation": ") at the end of the variation",
    "extra_close": _WORDS,
    "result_inside": _LEGAL,
    "moves_in_comment": "a space before and after ;, and after %",
    "too_deep": "at most 64 variations inside each other",
    "too_many": "at most 1000000 moves",
    "too_complex": "a position with fewer captures",
    "too_many_faults": "at most 1000 faults",
    "fen": "a FEN for this board",
    "rules": "rules as JSON",
    "no_rules": "a GameType",
    "too_long": "a shorter game",
}
FAULTS: Final = (
    *(*_SENTENCES, "fen", "rules", "no_rules", "too_long", "file"),
    *("none", "move", "setup_inside"),
)
"""Codes of a PdnError raised by reading; the last three are those of `damka.Game`."""

MAX_EXPLAINED: Final = 20
"""Maximum number of illegal moves of a game whose error explains the rule."""

_FILE_NAME: Final = re.compile(r"[^\n\[{]{0,4096}\.(pdn|pgn|txt)", re.IGNORECASE)
"""A text that was probably meant as a file name."""
_LETTERED: Final = re.compile(r"[A-La-l][0-9]")


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error without line and column; `begin` is its offset in the text."""

    begin: int
    code: str
    end: int | None = None
    """End offset of the invalid text; None if it is not shown."""
    message: str = ""
    """Message for a code without a standard one."""
    text: str = ""
    rest: tuple[int, int] | None = None
    variation: bool = False
    told: Callable[[str], dict[str, Any]] | None = None
    """Explanation of the invalid text: why a move is not legal."""


def damaged_tag(code: str, begin: int, end: int) -> Wrong:
    """Return the error of a tag."""
    return Wrong(begin, code, end)


def wrong_rules(error: RulesError, at: int) -> Wrong:
    """Return the error of the tag Rules."""
    return Wrong(at, "rules", message=f"Rules: {error}")


def wrong_fen(error: FenError, at: int, rest: tuple[int, int] | None) -> Wrong:
    """Return the error of the tag FEN; `rest` are the moves that are unreadable because of it."""
    return Wrong(at, "fen", message=f"FEN: {error}", text=error.code, rest=rest)


def in_movetext(each: Setting, problems: Iterable[Problem]) -> list[Wrong]:
    """Return the errors of a movetext."""
    found: list[Wrong] = []
    explained = 0
    for code, begin, end, inside, rest, where in problems:
        told = None
        if where is not None and code in ("illegal", "no_square") and explained < MAX_EXPLAINED:
            explained += 1
            told = _Explanation(each, *where)
        if code == "moves_in_comment":
            rest = begin + 1, end  # noqa: PLW2901  the moves that were perhaps intended
        found.append(Wrong(begin, code, end, rest=rest, variation=inside, told=told))
    return found


class _Explanation:
    """Explains why a move is not legal in a position."""

    def __init__(self, each: Setting, pieces: str, turn: Side) -> None:
        self._setting = each
        self._where = pieces, turn

    def __call__(self, text: str) -> dict[str, Any]:
        on = _typed(text, self._setting.rules)
        why = refusal.explain(self._setting.board.with_pieces(*self._where), on.read(text))
        return {"refusal": why, "show": on.name}


def _typed(text: str, rules: Rules) -> Labels:
    """Return the labels used in a text: letters or numbers."""
    if _LETTERED.search(text):
        return lettered(rules)
    return labels(rules) if rules.notation[0] == "N" else labels(numbered(rules))


def errors_of(wrong: Iterable[Wrong], source: Source) -> list[PdnError]:
    """Return the errors of a game, ordered by place."""
    places = _Places(source)
    return [places.error(each) for each in sorted(wrong, key=attrgetter("begin"))]


@dataclass(frozen=True, slots=True)
class Source:
    """The source text of a game."""

    text: Callable[[int, int], str]
    """Returns a slice of the text by its offsets."""
    buffer: bytes
    begin: int
    """Offset of the game in the buffer, and its line."""
    line: int
    game: int
    name: str
    given: str | None
    """The whole text, unless a file is read."""


class _Places:
    """Converts ascending offsets of errors to lines and columns."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._at = source.begin
        self._line = source.line
        begin = source.buffer.rfind(b"\n", 0, self._at) + 1
        self._column = 1 + len(source.text(begin, self._at))
        given = source.given
        self._note = ""
        if given is not None and _FILE_NAME.fullmatch(given.strip()):
            self._note = "; a text is read as games: for a file pass a Path"

    def error(self, wrong: Wrong) -> PdnError:
        """Return the error for an offset at or after the last one."""
        source = self._source
        self._go(wrong.begin)
        text, message = wrong.text, wrong.message
        told: dict[str, Any] = {}
        if wrong.end is not None:
            text = one_line(" ".join(source.text(wrong.begin, wrong.end).split()))
            told = wrong.told(text) if wrong.told else {}
            why = told.get("refusal")
            said = why.sentence("en", told["show"]) if why else _SENTENCES[wrong.code]
            message = f"{text}: {said}"
        return PdnError(
            message + self._note,
            line=self._line,
            column=self._column,
            source=source.name,
            game=source.game,
            code=wrong.code,
            text=text,
            expected=_EXPECTED.get(wrong.code, ""),
            rest=None if wrong.rest is None else source.text(*wrong.rest).strip(),
            variation=wrong.variation,
            **told,
        )

    def _go(self, at: int) -> None:
        buffer = self._source.buffer
        if at <= self._at:
            return
        self._line += buffer.count(b"\n", self._at, at)
        begin = buffer.rfind(b"\n", self._at, at) + 1
        if begin:
            self._column = 1
        self._column += len(self._source.text(max(begin, self._at), at))
        self._at = at
