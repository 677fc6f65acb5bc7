"""Every error Damka raises on purpose, in one tree.

Anything that comes from outside (text, files, messages) ends in one of these or in a value; no
other exception class is part of the contract. *Invalid* means the input cannot be read, *illegal*
means it was understood and the rules forbid it, *ambiguous* means it fits several moves.
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
    """The root of the tree."""


class RulesError(DamkaError, ValueError):
    """A rule set that cannot be used: which key, which value, and what was expected.

    What else is wrong is in `others`; the text of the error counts them.
    """

    MOST: Final = 10
    """How many are told in all."""

    key: str
    """The dotted name of the parameter; "" for the text as a whole."""
    value: object
    """What stood there, None for nothing; where the text cannot be read, the line."""
    expected: str
    """What may stand there, in words."""
    source: str
    """The name of the file or the rule set; "" for none."""
    line: int | None
    """Where the text cannot be read, the number of the line, from 1."""
    others: tuple[RulesError, ...]
    """What else is wrong, in the order in which it was found."""
    sentence: str
    """What is wrong first, without the number of the others."""

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
        name = key if key.isprintable() and len(key) <= 60 else _shown(key)
        if line is not None:
            source = f"{source}:{line}" if source else f"line {line}"
            what = one_line(str(value))
        elif key:
            what = name if value is None else f"{name} = {_shown(value)}"
        else:
            what = "" if value is None else _shown(value)
        self.sentence = ": ".join(filter(None, (source, what, f"expected {expected}")))
        more = f" (and {len(self.others)} more)" if self.others else ""
        super().__init__(self.sentence + more)

    @property
    def all(self) -> tuple[RulesError, ...]:
        """This error and the others that were found with it."""
        return (self, *self.others)

    @classmethod
    def of(cls, errors: Sequence[RulesError], source: str = "") -> RulesError:
        """Return one error for several, found in `source` where they do not say; the first leads.

        Raises IndexError for none.
        """
        placed = [
            cls(each.key, each.value, each.expected, source=each.source or source, line=each.line)
            for each in errors[: cls.MOST]
        ]
        first = placed[0]
        return cls(
            first.key,
            first.value,
            first.expected,
            source=first.source,
            line=first.line,
            others=placed[1:],
        )


class UnknownRulesError(DamkaError, KeyError):
    """No rule set of that name is shipped."""

    name: str
    """The name that was asked for."""
    known: tuple[str, ...]
    """The names of the rule sets that are shipped."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        super().__init__(name)

    def __str__(self) -> str:
        from difflib import get_close_matches  # noqa: PLC0415  only errors need it

        near = get_close_matches(self.name[:100].lower(), self.known, n=3, cutoff=0.5)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return f"unknown rule set {_shown(self.name)}{hint}"


class FenError(DamkaError, ValueError):
    """A position text that cannot be read or that no game can have.

    The text of the error says where.
    """

    code: str
    """What is wrong, one of `damka.notation.fen.CODES`."""
    at: int | None
    """The index of the character where reading stopped, or None when the text is well formed and
    the position is not."""

    def __init__(self, code: str, message: str, *, at: int | None = None) -> None:
        self.code = code
        self.at = at
        where = "" if at is None else f" (at character {at + 1})"
        super().__init__(f"{message}{where}")


class Explanation(Protocol):
    """What a `damka.refusal.Refusal` tells, which is made of things that know errors."""

    @property
    def code(self) -> str:
        """What was wrong, in one word."""

    @property
    def args(self) -> Mapping[str, object]:
        """The squares, numbers and texts that belong to it."""

    @property
    def topic(self) -> str:
        """The id of the rulebook's paragraph about it."""

    def sentence(self, language: str = "en", show: Callable[[int], str] | None = None) -> str:
        """Return what a player is told, with squares as the move named them, or as `show` does."""


class MoveError(DamkaError, ValueError):
    """A move that was not played; `refusal` says why, in any language."""

    refusal: Explanation
    """Why, as a `damka.refusal.Refusal`: its code, its arguments, its sentence in any language."""

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
    """The text fits several legal moves."""


class IllegalActionError(MoveError):
    """A huff, a resignation or another action that the game does not allow now."""


class GameFileError(DamkaError, ValueError):
    """A saved game that cannot be read: where in the file, and what was expected there."""


class PdnError(DamkaError, ValueError):
    """A game in Portable Draughts Notation that cannot be read or written, and why.

    The place is None where there is none: for a file that cannot be opened, or a game that cannot
    be written. `code`, `text`, `refusal` and `show` are there to say it in another language. A copy
    through `pickle` has no refusal.
    """

    message: str
    """What is wrong, without the place."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column, from 1, in characters."""
    source: str
    """The name of the file; "" for a text."""
    game: int | None
    """The number of the game in its file, from 1."""
    code: str
    """One word for what is wrong, of `damka.pdn.FAULTS`; "" for what only a program does wrong."""
    text: str
    """What stands there."""
    expected: str
    """What was expected there; "" where nothing particular was."""
    rest: str | None
    """What follows in the same line of play and was not read; None where reading went on."""
    variation: bool
    """Whether it stands in a variation."""
    refusal: Explanation | None
    """Why a move is not legal, where that is what is wrong: a `damka.refusal.Refusal`."""
    show: Callable[[int], str]
    """Names the squares of `refusal` as the game does."""

    def __init__(  # noqa: PLR0913  all that is told
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
        told = {"source": source, "code": code, "text": text, "expected": expected}
        self._parts = message, {**places, **told, "rest": rest, "variation": variation}

    def __reduce__(self) -> tuple[object, ...]:
        return _pdn_error, self._parts


def _pdn_error(message: str, parts: dict[str, Any]) -> PdnError:
    """Make a pickled error again."""
    return PdnError(message, **parts)


class MissingExtraError(DamkaError, ModuleNotFoundError):
    """A part of the library cannot be imported: packages of an extra are not installed."""

    extra: str
    """The extra, as in `pip install "damka[extra]"`."""

    def __init__(self, part: str, extra: str, cause: ImportError) -> None:
        """Report that `part` needs an extra; `cause` names the package that is missing."""
        self.extra = extra
        super().__init__(f"{part} needs: pip install 'damka[{extra}]' ({cause})", name=cause.name)


class PictureError(DamkaError):
    """A picture in pixels cannot be made: the libraries for it are not installed."""


class PositionTooComplexError(DamkaError, ValueError):
    """A position whose captures are too many to list, or take too long to find.

    The kernel gives such a position up within a bounded time and memory: `damka.Board.legal_moves`
    has the limits. No game between players comes near it; a text from outside may.
    """

    def __init__(self, what: str = "the captures of this position are too many to list") -> None:
        super().__init__(what)


class MatchError(DamkaError, ValueError):
    """A match that cannot be played: a player, an opening or a file, and what was expected."""


class TablebaseError(DamkaError):
    """An endgame table that cannot be used or built: which file or material, and why."""


class MissingTableError(DamkaError, KeyError):
    """There is no endgame table for a position."""

    material: str
    """The pieces on the board."""

    def __init__(self, material: str, folder: object) -> None:
        self.material = material
        super().__init__(material)
        self._folder = folder

    def __str__(self) -> str:
        return f"no endgame table of {self.material} in {self._folder}"


class TournamentError(DamkaError, ValueError):
    """A tournament, or a change of one, that cannot be: what is wrong, where, what is expected."""

    where: str
    """The place, such as "round 3, board 2" or the name of a field."""
    what: str
    """What stood there, on one line."""
    expected: str
    """What may stand there, in words."""

    def __init__(self, where: str, what: object, expected: str) -> None:
        self.where = where
        self.what = one_line(what) if isinstance(what, str) else _shown(what)
        self.expected = expected
        super().__init__(f"{where}: {self.what}; expected {expected}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.where, self.what, self.expected)


class ClusterError(DamkaError):
    """A Ray cluster that cannot be joined: which, and why."""


class TrainingError(DamkaError, ValueError):
    """A training that cannot go on: which file or setting, and what was expected."""


class WeightsError(DamkaError, ValueError):
    """Weights that cannot be used, and where they came from."""

    source: str
    """The file, or "" for a text."""

    def __init__(self, source: str, what: str) -> None:
        self.source = source
        super().__init__(f"{source}: {what}" if source else what)


def one_line(text: str, most: int = 60) -> str:
    """Return a text from outside as it can be shown: on one line, of at most `most` characters."""
    line = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


class _Short(reprlib.Repr):
    """A `repr` of bounded size and depth, for values that came from outside."""

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print a number of thousands of digits.
        return repr(x) if abs(x) < 10**20 else "a huge number"


_short = _Short()
_short.maxstring = _short.maxother = 60


def _shown(value: object, limit: int = 60) -> str:
    text = _short.repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
