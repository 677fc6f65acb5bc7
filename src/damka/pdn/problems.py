"""Errors in the text of a game, with their places."""

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
    "UnplacedError",
    "count_line_ends",
    "damaged_tag_error",
    "fen_tag_error",
    "movetext_errors",
    "placed_errors",
    "result_warning",
    "rules_tag_error",
]

_SENTENCES: Final = {
    "nested_comment": "nested comment: expected } before {",
    "open_comment": "unclosed comment: expected } before the next game",
    "too_many_tags": "more than 1000 tags in one game",
    "tag": 'invalid tag: expected [Name "value"]',
    "unreadable": "expected a move, a comment, a variation or a result",
    "sign": "unexpected character: expected a move, a comment or a result",
    "unknown_move": "a dash instead of a move",
    "number": "a number without a move: expected a move, or the number of the next move",
    "no_square": "not a move: the board has no such square",
    "illegal": "illegal move",
    "ambiguous": "ambiguous capture: expected every landing square",
    "setup": "invalid position: expected a FEN for this board",
    "open_variation": "unclosed variation: expected )",
    "extra_close": "unmatched )",
    "result_inside": "a result before the last move: expected a move",
    "moves_in_comment": "moves in a comment: expected a space before and after ; and after %",
    "too_deep": "variations nested more than 64 deep",
    "too_many": "more than 1000000 moves in one game",
    "too_complex": "the position has too many captures to list",
    "too_many_faults": "more than 1000 errors in one game",
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
    "number": "a move, or the number of the next move",
    "no_square": _LEGAL,
    "illegal": _LEGAL,
    "ambiguous": "a capture with every landing square",
    "setup": "a FEN for this board",
    "open_variation": ") at the end of the variation",
    "extra_close": _WORDS,
    "result_inside": _LEGAL,
    "moves_in_comment": "a space before and after ;, and after %",
    "too_deep": "variations nested at most 64 deep",
    "too_many": "at most 1000000 moves",
    "too_complex": "a position with fewer captures",
    "too_many_faults": "at most 1000 errors",
    "fen": "a FEN for this board",
    "rules": "rules as JSON",
    "no_rules": "a GameType",
    "too_long": "a shorter game",
    "result": "the result of the Result tag",
}
FAULTS: Final = (
    *(*_SENTENCES, "fen", "rules", "no_rules", "too_long", "file"),
    *("none", "move", "setup_inside"),
)
"""Codes of PdnError; the last three are of errors that only `damka.Game` raises."""

MAX_EXPLAINED: Final = 20
"""Maximum number of illegal moves of a game for which the rule is explained."""

_FILE_NAME: Final = re.compile(r"[^\r\n\[{]{0,4096}\.(pdn|pgn|txt)", re.IGNORECASE)
"""A text that is probably a file name."""
_LETTERED: Final = re.compile(r"[A-La-l][0-9]")


@dataclass(frozen=True, slots=True)
class UnplacedError:
    """An error before its line and column are known; `begin` is its offset in the text."""

    begin: int
    code: str
    end: int | None = None
    """End offset of the invalid text; None if it is not shown."""
    message: str = ""
    """Message for a code without a standard one."""
    text: str = ""
    rest: tuple[int, int] | None = None
    variation: bool = False
    details: Callable[[str], dict[str, Any]] | None = None
    """Returns additional arguments of the PdnError for the invalid text."""


def damaged_tag_error(code: str, begin: int, end: int) -> UnplacedError:
    """Return the error for a damaged tag."""
    return UnplacedError(begin, code, end)


def rules_tag_error(error: RulesError, at: int) -> UnplacedError:
    """Return the error for the Rules tag."""
    return UnplacedError(at, "rules", message=f"Rules: {error}")


def fen_tag_error(error: FenError, at: int, rest: tuple[int, int] | None) -> UnplacedError:
    """Return the error for the FEN tag; `rest` are the moves that cannot be read because of it."""
    return UnplacedError(at, "fen", message=f"FEN: {error}", text=error.code, rest=rest)


def result_warning(tag: str, ending: str, at: int) -> UnplacedError:
    """Return the warning for a result after the moves that contradicts the Result tag."""
    message = f"{ending}: another result than in the Result tag: expected {tag}"
    return UnplacedError(at, "result", message=message, text=ending)


def movetext_errors(setting: Setting, problems: Iterable[Problem]) -> list[UnplacedError]:
    """Return the errors of a movetext."""
    errors: list[UnplacedError] = []
    explained = 0
    for code, begin, end, inside, rest, where in problems:
        details = None
        if where is not None and code in ("illegal", "no_square") and explained < MAX_EXPLAINED:
            explained += 1
            details = _Explanation(setting, *where)
        if code == "moves_in_comment":
            rest = begin + 1, end  # noqa: PLW2901  probably moves
        errors.append(UnplacedError(begin, code, end, rest=rest, variation=inside, details=details))
    return errors


class _Explanation:
    """Explains why a move is not legal in a position."""

    def __init__(self, setting: Setting, pieces: str, turn: Side) -> None:
        self._setting = setting
        self._position = pieces, turn

    def __call__(self, text: str) -> dict[str, Any]:
        square_labels = _labels_used(text, self._setting.rules)
        board = self._setting.board.with_pieces(*self._position)
        reason = refusal.explain(board, square_labels.read(text))
        return {"refusal": reason, "show": square_labels.name}


def _labels_used(text: str, rules: Rules) -> Labels:
    """Return the labels used in `text`: letters or numbers."""
    if _LETTERED.search(text):
        return lettered(rules)
    return labels(rules) if rules.notation[0] == "N" else labels(numbered(rules))


def count_line_ends(text: bytes, begin: int, end: int) -> int:
    """Count the line ends in a slice: line feeds, carriage returns, and pairs of both.

    >>> text = b"a\\nb\\rc\\r\\n"
    >>> count_line_ends(text, 0, len(text)), count_line_ends(text, 0, len(text) - 1)
    (3, 2)
    """
    count = text.count(b"\n", begin, end)
    if returns := text.count(b"\r", begin, end):
        # A pair counts at its line feed, even if that is beyond the slice.
        count += returns - text.count(b"\r\n", begin, end + 1)
    return count


def _line_begin(text: bytes, begin: int, end: int) -> int:
    """Return the offset after the last line end in a slice, 0 if there is none."""
    return max(text.rfind(b"\n", begin, end), text.rfind(b"\r", begin, end)) + 1


def placed_errors(errors: Iterable[UnplacedError], source: Source) -> list[PdnError]:
    """Return the errors of a game, ordered by place."""
    placer = _ErrorPlacer(source)
    return [placer.error(error) for error in sorted(errors, key=attrgetter("begin"))]


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
    whole_text: str | None
    """The whole text, None for a file."""


class _ErrorPlacer:
    """Converts ascending offsets of errors to lines and columns."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._at = source.begin
        self._line = source.line
        begin = _line_begin(source.buffer, 0, self._at)
        self._column = 1 + len(source.text(begin, self._at))
        whole_text = source.whole_text
        self._note = ""
        if whole_text is not None and _FILE_NAME.fullmatch(whole_text.strip()):
            self._note = "; a str is parsed as PDN text: pass a Path to read a file"

    def error(self, error: UnplacedError) -> PdnError:
        """Return the error for an offset at or after the last one."""
        source = self._source
        self._advance(error.begin)
        text, message = error.text, error.message
        details: dict[str, Any] = {}
        if error.end is not None:
            text = one_line(" ".join(source.text(error.begin, error.end).split()))
            details = error.details(text) if error.details else {}
            reason = details.get("refusal")
            sentence = reason.sentence("en", details["show"]) if reason else _SENTENCES[error.code]
            message = f"{text}: {sentence}"
        return PdnError(
            message + self._note,
            line=self._line,
            column=self._column,
            source=source.name,
            game=source.game,
            code=error.code,
            text=text,
            expected=_EXPECTED.get(error.code, ""),
            rest=None if error.rest is None else source.text(*error.rest).strip(),
            variation=error.variation,
            **details,
        )

    def _advance(self, at: int) -> None:
        buffer = self._source.buffer
        if at <= self._at:
            return
        self._line += count_line_ends(buffer, self._at, at)
        begin = _line_begin(buffer, self._at, at)
        if begin:
            self._column = 1
        self._column += len(self._source.text(max(begin, self._at), at))
        self._at = at
