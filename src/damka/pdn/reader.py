"""Reading games one after the other from a file of any size."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal

from damka import _core, refusal
from damka import rules as rule_sets
from damka.errors import FenError, PdnError, RulesError, one_line
from damka.notation import labels
from damka.pdn import encoding, own_rules
from damka.pdn.game_type import rules_of
from damka.pdn.infer import candidates
from damka.pdn.setting import Fault, Moves, boards, setting
from damka.pdn.tree import PdnGame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from damka._core import Found
    from damka.board import Board
    from damka.pdn.setting import Setting
    from damka.rules import Rules

__all__ = ["FAULTS", "MAX_GAME_BYTES", "read"]

CHUNK: Final = 1 << 18
MAX_GAME_BYTES: Final = 16 << 20
"""The most that one game may take; files may be of any size."""
MAX_SETTINGS: Final = 256
MOST_STARTS: Final = 4

# Tags that count, however they are written.
_NAMES: Final = frozenset(
    {"Event", "White", "Black", "Result", "GameType", "Variant", "Rules", "FEN"}
)
_NAMES_BY_LETTERS: Final = {name.lower(): name for name in _NAMES}
_FILE_NAME: Final = re.compile(r"[^\n\[{]{0,4096}\.(pdn|pgn|txt)", re.IGNORECASE)
"""A text that was probably meant as the name of a file."""
_SENTENCES: Final = {
    "nested_comment": "a comment inside a comment: expected } before {",
    "open_comment": "a comment that is not closed: expected } before the next game",
    "too_many_tags": "more than 1000 tags in one game",
    "unreadable": "expected a move, a comment, a variation or a result",
    "no_square": "not a move: a square that the board does not have",
    "illegal": "not a legal move here",
    "setup": "not a position: expected a FEN for this board",
    "too_deep": "variations inside each other, more than 64: expected fewer",
    "too_many": "more than 1000000 moves in one game",
    "too_complex": "the captures of this position are too many to list",
}
FAULTS: Final = (
    *(*_SENTENCES, "fen", "rules", "no_rules", "too_long", "file"),
    *("none", "move", "setup_inside"),
)
"""The codes of a PdnError that reading raises; the last three are those of `damka.Game`."""


def read(
    source: str | Path | IO[bytes] | IO[str],
    rules: Rules | str | None = None,
    errors: Literal["raise", "skip"] = "raise",
    *,
    skipped: Callable[[PdnError], object] | None = None,
) -> Iterator[PdnGame]:
    """Yield the games of a text or a file, each played through by its rules.

    `source` is a `Path`, an open file (of bytes or of text), or the text itself: a str is never a
    name of a file. Games are read while they are asked for, so that a file may be larger than the
    memory. `rules` are a rule set or its name; without, each game's GameType tag tells them, or
    where it has none, its squares and moves do. With `errors="skip"` reading goes on with the next
    game after one that is wrong, and `skipped` is called with what is wrong with it.

    Raises PdnError, with `line` and `column`, for a game that cannot be read: a move that is
    illegal or no move, a comment inside a comment, a FEN that is none, more than MAX_GAME_BYTES in
    one game; also for a file that cannot be opened or read, whatever `errors` says. Raises
    ValueError for another `errors`, TypeError for another source, UnknownRulesError and RulesError
    as `damka.rules.load` does.

    >>> from damka.pdn import read
    >>> [game.result for game in read("1. 11-15 23-19 1-0 1. 12-16 *", rules="american")]
    ['1-0', '*']
    >>> next(read("1. 11-15 23-14", rules="american"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    damka.errors.PdnError: game 1, line 1, column 10: 23-14: 14 is too far: a man moves...
    """
    if errors not in ("raise", "skip"):
        raise ValueError(f'errors is "raise" or "skip", not {errors!r}')
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        kind = type(source).__name__
        raise TypeError(f"games are read from a text, a Path or an open file, not from {kind}")
    given = rule_sets.load(rules) if isinstance(rules, str) else rules
    return _Reader(source, given, skip=errors == "skip", skipped=skipped).games()


class _Reader:
    """Reads one source."""

    def __init__(
        self,
        source: str | Path | IO[bytes] | IO[str],
        rules: Rules | None,
        *,
        skip: bool,
        skipped: Callable[[PdnError], object] | None = None,
    ) -> None:
        self._source = source
        self._given = None if rules is None else setting(rules)
        self._skip = skip
        self._skipped = skipped
        self._name = _name(source)
        self._types: dict[tuple[str, str, str], tuple[Setting, ...]] = {}
        self._letters = encoding.Letters()
        self._last: Setting | None = None
        self._number = 0
        self._line = 1
        self._buffer = b""
        self._at = 0

    def games(self) -> Iterator[PdnGame]:
        with self._opened() as more:
            final = False
            while True:
                found = _core.pdn_find(self._buffer, self._at, final)
                if found is None:
                    if len(self._buffer) - self._at > MAX_GAME_BYTES:
                        self._wrong(self._too_long())
                    final = not self._fill(more)
                elif isinstance(found, bool):
                    return
                else:
                    game = self._game(found)
                    if game is not None:
                        yield game

    # The source

    @contextmanager
    def _opened(self) -> Iterator[Callable[[int], bytes]]:
        if isinstance(self._source, str):
            yield encoding.opened(io.StringIO(self._source))
            return
        try:
            if not isinstance(self._source, Path):
                yield encoding.opened(self._source)
                return
            with self._source.open("rb") as file:
                yield encoding.opened(file)
        except (OSError, UnicodeDecodeError) as error:
            message = f"cannot be read ({error})"
            raise PdnError(message, source=self._name, code="file") from error

    def _fill(self, more: Callable[[int], bytes]) -> bool:
        """Read more of the source; return whether there was any."""
        rest = self._buffer[self._at :]
        data = more(max(CHUNK, len(rest)))
        self._buffer = rest + data
        self._at = 0
        return bool(data)

    def _too_long(self) -> PdnError:
        """Drop a game that is too long, and return what is wrong."""
        self._number += 1
        message = f"a game has at most {MAX_GAME_BYTES} bytes"
        error = self._error(message, self._at, code="too_long")
        self._pass(len(self._buffer))
        return error

    def _pass(self, at: int) -> None:
        """Go on to a place in the buffer, counting the lines."""
        self._line += self._buffer.count(b"\n", self._at, at)
        self._at = at

    # A game

    def _game(self, found: Found) -> PdnGame | None:
        tags, begin, moves, end, following, fault, fault_at = found
        self._number += 1
        self._pass(begin)
        try:
            if fault:
                raise self._error(_SENTENCES[fault], fault_at, code=fault)
            return self._played(self._headers(tags), begin, moves, end)
        except PdnError as error:
            self._wrong(error)
            return None
        finally:
            self._pass(following)

    def _headers(self, tags: dict[str, str | bytes]) -> dict[str, str]:
        headers: dict[str, str] = {}
        for name, value in tags.items():
            if name not in _NAMES:
                name = _NAMES_BY_LETTERS.get(name.lower(), name)  # noqa: PLW2901
            headers[name] = value if isinstance(value, str) else self._letters.read(value)
        return headers

    def _played(self, headers: dict[str, str], begin: int, moves: int, end: int) -> PdnGame:
        fen = headers.get("FEN", "")
        result = headers.get("Result", "")
        first: Fault | PdnError | None = None
        try:
            settings = self._settings(headers, fen, moves, end)
        except RulesError as error:
            at = max(self._buffer.find(b"Rules", begin, moves), begin)
            raise self._error(f"Rules: {error}", at, code="rules") from error
        for each in settings:
            try:
                starts: Sequence[Board | None] = [None]
                if fen:
                    starts = list(boards(each, fen))[:MOST_STARTS]
            except FenError as error:
                first = first or self._wrong_fen(error, begin, moves)
                continue
            for start in starts:
                count, told, code, at, until, where, _ = _core.pdn_play(
                    start or each.board,
                    self._buffer,
                    moves,
                    end,
                    each.names,
                    result.encode("utf-8", "replace"),
                    each.setup,
                    each.offences,
                    False,
                )
                if not code:
                    self._last = each
                    text = self._buffer[moves:end]
                    rest = Moves(
                        text, result or self._letters.read(told), count, start, self._letters
                    )
                    return PdnGame._read(each, headers, rest, self._number, self._line)
                if where is not None and (not isinstance(first, Fault) or count > first.moves):
                    first = Fault(code, at, until, each.board.with_pieces(*where), count)
        if isinstance(first, Fault):
            raise self._wrong_move(first)
        message = "the rules are not known: expected a GameType"
        raise first or self._error(message, begin, code="no_rules")

    def _settings(
        self, headers: dict[str, str], fen: str, moves: int, end: int
    ) -> Sequence[Setting]:
        """What to try: the rules given, or those of the tags, or those that the game looks like."""
        if self._given is not None:
            return (self._given,)
        own = headers.get("Rules", "")
        own = own if own_rules.is_written(own) else ""
        told = headers.get("GameType", ""), headers.get("Variant", ""), own
        known = self._types.get(told)
        if known is None:
            if len(self._types) >= MAX_SETTINGS:
                self._types.clear()
            known = self._types[told] = _settings_of(*told)
        if known:
            return known
        likely = candidates(self._buffer[moves:end], fen)
        if self._last in likely:
            return (self._last, *(each for each in likely if each is not self._last))
        return likely

    # What is wrong

    def _wrong(self, error: PdnError) -> None:
        """Raise what is wrong with a game, or tell it where reading goes on."""
        if not self._skip:
            raise error
        if self._skipped is not None:
            self._skipped(error)

    def _error(self, message: str, at: int, **told: Any) -> PdnError:
        """Return the error for a place in the buffer, which is at the present line or after it."""
        line = self._line + self._buffer.count(b"\n", self._at, at)
        begin = self._buffer.rfind(b"\n", 0, at) + 1
        column = len(self._letters.read(_text(self._buffer[begin:at]))) + 1
        if isinstance(self._source, str) and _FILE_NAME.fullmatch(self._source.strip()):
            message += "; a text is read as games: for a file pass a Path"
        place: dict[str, Any] = {"line": line, "column": column, "game": self._number}
        return PdnError(message, source=self._name, **place, **told)

    def _wrong_move(self, fault: Fault) -> PdnError:
        text = " ".join(self._letters.read(_text(self._buffer[fault.begin : fault.end])).split())
        message = _SENTENCES[fault.code]
        shown = one_line(text)
        why, on = None, labels(fault.board.rules)
        if fault.code in ("illegal", "no_square"):
            why = refusal.explain(fault.board, on.read(text))
            if why is not None:
                message = why.sentence("en", on.name)
        told = {"code": fault.code, "text": shown, "refusal": why, "show": on.name}
        return self._error(f"{shown}: {message}", fault.begin, **told)

    def _wrong_fen(self, error: FenError, begin: int, moves: int) -> PdnError:
        at = self._buffer.find(b"FEN", begin, moves)
        told = {"code": "fen", "text": error.code}
        return self._error(f"FEN: {error}", max(at, begin), **told)


def _settings_of(game_type: str, variant: str, own: str) -> tuple[Setting, ...]:
    """What the tags tell: the rules, then those with their usual notation, and with numbers.

    Raises RulesError for own rules that are none.
    """
    if own:
        return (setting(own_rules.read(own)),)
    rules = rules_of(game_type, variant) if game_type or variant else None
    if rules is None:
        return ()
    known = [setting(rules)]
    usual = rule_sets.load(rules.name)
    others = [usual]
    if rules.notation[0] == "A":
        others.append(rules.replace(notation=f"N{rules.notation[1]}"))
    known += (setting(each) for each in others)
    return tuple(dict.fromkeys(known))


def _name(source: object) -> str:
    if isinstance(source, str):
        return ""
    if isinstance(source, Path):
        return str(source)
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
