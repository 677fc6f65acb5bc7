"""The exception tree of Damka.

Untrusted text, files and messages yield a value or raise one of these errors, and no others.
*Invalid* means that the input cannot be parsed, *illegal* that the rules forbid it, and *ambiguous*
that it matches several moves.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

__all__ = [
    "AmbiguousMoveError",
    "ClusterError",
    "DamkaError",
    "Explanation",
    "FenError",
    "GameFileError",
    "IllegalActionError",
    "IllegalMoveError",
    "InvalidMoveError",
    "MatchError",
    "MissingExtraError",
    "MissingTableError",
    "MoveError",
    "PdnError",
    "PictureError",
    "PositionTooComplexError",
    "RulesError",
    "TablebaseError",
    "TournamentError",
    "TrainingError",
    "UnknownRulesError",
    "WeightsError",
    "one_line",
]


def __dir__() -> list[str]:
    return __all__


class DamkaError(Exception):
    """Base class of all errors."""


class RulesError(DamkaError, ValueError):
    """An unusable rule set: the key, its value, and the expected values.

    `others` has the remaining errors; the message counts them.
    """

    MOST: Final = 10
    """Maximum number of errors that `of` combines."""

    key: str
    """The dotted name of the parameter; "" for the text as a whole."""
    value: object
    """The invalid value, None if missing; for a syntax error, the line."""
    expected: str
    """A description of the valid values."""
    source: str
    """The name of the file or the rule set; "" for none."""
    line: int | None
    """The line number of a syntax error, from 1."""
    others: tuple[RulesError, ...]
    """The other errors, in the order of detection."""
    sentence: str
    """The message of the first error only."""

    def __init__(
        self,
        key: str,
        value: object,
        expected: str,
        *,
        source: str = "",
        line: int | None = None,
        others: Sequence[RulesError] = (),
    ) -> None:
        self.key = key
        self.value = value
        self.expected = expected
        self.source = source
        self.line = line
        self.others = tuple(others)
        name = key if key.isprintable() and len(key) <= 60 else _short_repr(key)
        if line is not None:
            source = f"{source}:{line}" if source else f"line {line}"
            what = one_line(str(value))
        elif key:
            what = name if value is None else f"{name} = {_short_repr(value)}"
        else:
            what = "" if value is None else _short_repr(value)
        self.sentence = ": ".join(filter(None, (source, what, f"expected {expected}")))
        more = f" (and {len(self.others)} more)" if self.others else ""
        super().__init__(self.sentence + more)

    @property
    def all(self) -> tuple[RulesError, ...]:
        """This error and the others found with it."""
        return (self, *self.others)

    @classmethod
    def of(cls, errors: Sequence[RulesError], source: str = "") -> RulesError:
        """Combine errors into one, led by the first; `source` is the default source.

        Raises IndexError for an empty sequence.
        """
        with_source = [
            cls(each.key, each.value, each.expected, source=each.source or source, line=each.line)
            for each in errors[: cls.MOST]
        ]
        first = with_source[0]
        return cls(
            first.key,
            first.value,
            first.expected,
            source=first.source,
            line=first.line,
            others=with_source[1:],
        )


class UnknownRulesError(DamkaError, KeyError):
    """There is no shipped rule set with that name."""

    name: str
    """The requested name."""
    known: tuple[str, ...]
    """The names of the shipped rule sets."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        super().__init__(name)

    def __str__(self) -> str:
        from difflib import get_close_matches  # noqa: PLC0415  only errors need it

        similar = get_close_matches(self.name[:100].lower(), self.known, n=3, cutoff=0.5)
        examples = f"; expected one of {len(self.known)} names, such as {', '.join(self.known[:3])}"
        hint = f"; did you mean {' or '.join(similar)}?" if similar else examples
        return f"unknown rule set {_short_repr(self.name)}{hint}"


class FenError(DamkaError, ValueError):
    """An invalid or impossible position text.

    The message contains the place.
    """

    code: str
    """The fault, one of `damka.notation.fen.CODES`."""
    at: int | None
    """The index of the character where parsing stopped, or None for a well-formed text with an
    impossible position.
    """

    squares: tuple[int, ...]
    """The squares of impossible pieces: with "crowning_row", of the men on their crowning rows."""

    def __init__(
        self, code: str, message: str, *, at: int | None = None, squares: tuple[int, ...] = ()
    ) -> None:
        self.code = code
        self.at = at
        self.squares = squares
        where = "" if at is None else f" (at character {at + 1})"
        super().__init__(f"{message}{where}")


class Explanation(Protocol):
    """Interface of `damka.refusal.Refusal`, whose module depends on this one."""

    @property
    def code(self) -> str:
        """The reason code."""

    @property
    def args(self) -> Mapping[str, object]:
        """The squares, numbers and strings of the sentence."""

    @property
    def topic(self) -> str:
        """The id of the related rulebook paragraph."""

    def sentence(self, language: str = "en", show: Callable[[int], str] | None = None) -> str:
        """Return the player's message; `show` overrides how squares are named."""


class MoveError(DamkaError, ValueError):
    """A move that was not played; `refusal` has the reason in any language."""

    refusal: Explanation
    """The reason, as a `damka.refusal.Refusal`: code, arguments, and a sentence in any language."""

    def __init__(self, refusal: Explanation) -> None:
        self.refusal = refusal
        super().__init__(refusal.sentence("en"))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.refusal,)


class InvalidMoveError(MoveError):
    """The text is not a move."""


class IllegalMoveError(MoveError):
    """The text is a move, and the rules forbid it here."""


class AmbiguousMoveError(MoveError):
    """The text matches several legal moves."""


class IllegalActionError(MoveError):
    """A huff, a resignation or another action that is not allowed now."""


class GameFileError(DamkaError, ValueError):
    """An unreadable saved game: the place in the file, and the expected value."""


class PdnError(DamkaError, ValueError):
    """A PDN game that cannot be read or written, and why.

    Line and column are None without a place: for an unreadable file, or a game that cannot be
    written. `code`, `text`, `refusal` and `show` allow messages in other languages. Pickling drops
    the refusal.
    """

    message: str
    """The message without the place."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column, from 1, in characters."""
    source: str
    """The name of the file; "" for text."""
    game: int | None
    """The number of the game in its file, from 1."""
    code: str
    """The fault code, one of `damka.pdn.FAULTS`; "" for a wrong call."""
    text: str
    """The text at the place."""
    expected: str
    """The expected text; "" for nothing particular."""
    rest: str | None
    """The skipped rest of the line of play; None if reading continued."""
    variation: bool
    """Whether the place is in a variation."""
    refusal: Explanation | None
    """Why the move is not legal, a `damka.refusal.Refusal`."""
    show: Callable[[int], str]
    """Names the squares of `refusal` as the game does."""

    def __init__(  # noqa: PLR0913  one argument per field
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str = "",
        game: int | None = None,
        code: str = "",
        text: str = "",
        expected: str = "",
        rest: str | None = None,
        variation: bool = False,
        refusal: Explanation | None = None,
        show: Callable[[int], str] = str,
    ) -> None:
        self.message = message
        self.code = code
        self.text = text
        self.expected = expected
        self.rest = rest
        self.variation = variation
        self.refusal = refusal
        self.show = show
        self.line = line
        self.column = column
        self.source = source
        self.game = game
        places = {"game": game, "line": line, "column": column}
        where = ", ".join(f"{name} {n}" for name, n in places.items() if n is not None)
        super().__init__(": ".join(filter(None, (source, where, message))))
        fields = {"source": source, "code": code, "text": text, "expected": expected}
        self._parts = message, {**places, **fields, "rest": rest, "variation": variation}

    def __reduce__(self) -> tuple[object, ...]:
        return _pdn_error, self._parts


def _pdn_error(message: str, parts: dict[str, Any]) -> PdnError:
    """Reconstruct a pickled error."""
    return PdnError(message, **parts)


class MissingExtraError(DamkaError, ModuleNotFoundError):
    """A part of the library cannot be imported, because an extra is not installed."""

    extra: str
    """The extra, as in `pip install "damka[extra]"`."""

    def __init__(self, part: str, extra: str, cause: ImportError) -> None:
        """`part` needs an extra; `cause` names the missing package."""
        self.extra = extra
        super().__init__(f"{part} needs: pip install 'damka[{extra}]' ({cause})", name=cause.name)


class PictureError(DamkaError):
    """A raster image cannot be created, because its libraries are not installed."""


class PositionTooComplexError(DamkaError, ValueError):
    """A position with too many captures to list, or to search in bounded time.

    The kernel gives up within bounded time and memory; `damka.Board.legal_moves` has the limits. No
    game between players comes near them, but text from outside may.
    """

    def __init__(self, what: str = "the position has too many captures to list") -> None:
        super().__init__(what)


class MatchError(DamkaError, ValueError):
    """A match that cannot be played: the player, opening or file, and the expected value."""


class TablebaseError(DamkaError):
    """A tablebase that cannot be used or built: which file or material, and why."""


class MissingTableError(DamkaError, KeyError):
    """There is no endgame tablebase for a position."""

    material: str
    """The pieces on the board."""

    def __init__(self, material: str, folder: object) -> None:
        self.material = material
        super().__init__(material)
        self._folder = folder

    def __str__(self) -> str:
        return f"no endgame tablebase of {self.material} in {self._folder}"


class TournamentError(DamkaError, ValueError):
    """An invalid tournament or change of one: the value, its place, and the expected values."""

    where: str
    """The place, such as "round 3, board 2" or the name of a field."""
    what: str
    """The invalid value, on one line."""
    expected: str
    """A description of the valid values."""

    def __init__(self, where: str, what: object, expected: str) -> None:
        self.where = where
        self.what = one_line(what) if isinstance(what, str) else _short_repr(what)
        self.expected = expected
        super().__init__(f"{where}: {self.what}; expected {expected}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.where, self.what, self.expected)


class ClusterError(DamkaError):
    """A Ray cluster that cannot be used; the message has its address and the reason."""


class TrainingError(DamkaError, ValueError):
    """A training run that cannot continue: the file or setting, and the expected value."""


class WeightsError(DamkaError, ValueError):
    """Unusable weights, and their source."""

    source: str
    """The file, or "" for text."""

    def __init__(self, source: str, what: str) -> None:
        self.source = source
        super().__init__(f"{source}: {what}" if source else what)


def one_line(text: str, most: int = 60) -> str:
    """Return an untrusted text for display: on one line, of at most `most` characters."""
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


class _Short(reprlib.Repr):
    """A `repr` of bounded size and depth for untrusted values."""

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to format integers with thousands of digits.
        return repr(x) if abs(x) < 10**20 else "a huge number"


_short = _Short()
_short.maxstring = _short.maxother = 60


def _short_repr(value: object, limit: int = 60) -> str:
    text = _short.repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
