"""Reading games sequentially from a file of any size."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal, NamedTuple

from damka import _core
from damka import rules as rule_sets
from damka.errors import FenError, PdnError, RulesError
from damka.notation import fen as fens
from damka.pdn import encoding, own_rules, results
from damka.pdn.game_type import rules_of
from damka.pdn.infer import all_settings, likely_settings
from damka.pdn.problems import (
    FAULTS,
    Source,
    UnplacedError,
    count_line_ends,
    damaged_tag_error,
    fen_tag_error,
    movetext_errors,
    placed_errors,
    result_warning,
    rules_tag_error,
)
from damka.pdn.setting import Moves, boards, repaired_boards, setting
from damka.pdn.tree import PdnGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from damka._core import Found, Problem
    from damka.board import Board
    from damka.pdn.setting import Setting
    from damka.rules import Rules

__all__ = ["FAULTS", "MAX_GAME_BYTES", "read"]

CHUNK: Final = 1 << 18
MAX_GAME_BYTES: Final = 16 << 20
"""Maximum bytes of one game; files may be of any size."""
MAX_SETTINGS: Final = 256
MAX_STARTS: Final = 4

# Tags that are recognized case-insensitively.
_NAMES: Final = frozenset(
    {"Event", "White", "Black", "Result", "GameType", "Variant", "Rules", "FEN"}
)
_NAMES_BY_LETTERS: Final = {name.lower(): name for name in _NAMES}
# Codes that the deprecated modes "raise" and "skip" do not report.
_HARMLESS: Final = frozenset({"open_variation", "extra_close"})
# A value over several lines, and separators that a tag cannot have.
_BREAKS: Final = re.compile(r"[ \t]*[\r\n]+[ \t]*|[\t\v\f\x1c-\x1e\x85\u2028\u2029]")
_NEXT_TAG: Final = re.compile(rb"[\r\n](?=\[[ \t]*[A-Za-z])")


def read(
    source: str | Path | IO[bytes] | IO[str],
    rules: Rules | str | None = None,
    errors: Literal["raise", "skip"] | None = None,
    *,
    strict: bool = False,
    skipped: Callable[[PdnError], object] | None = None,
) -> Iterator[PdnGame]:
    """Yield the games in PDN text or a file, with their moves validated by the rules.

    `source` is a `Path`, an open file (of bytes or of text), or the text itself: a str is never a
    file name. Games are read lazily, so a file may be larger than the memory. `rules` is a rule set
    or its name; by default they follow from each game's GameType tag, or without a tag from its
    squares and moves.

    Reading is tolerant: errors in a game's text are in `PdnGame.errors`. A line of moves ends
    before the first unreadable move, and its remaining text is the `rest` of the error. With
    `strict` the first error is raised.

    `errors` is deprecated: "raise" raises as `strict` does; "skip" omits games with errors and
    calls `skipped` with the first error of each.

    Raises PdnError for a file that cannot be opened or read, and with `strict` for the first error
    of a game. Raises ValueError for an invalid `errors`, TypeError for an invalid source,
    UnknownRulesError and RulesError as `damka.rules.load` does.

    >>> from damka.pdn import read
    >>> [game.result for game in read("1. 11-15 23-19 1-0 1. 12-16 *", rules="american")]
    ['1-0', '*']
    >>> [game] = read("1. 11-15 23-14 8-11", rules="american")
    >>> [error] = game.errors
    >>> game.move_count, error.line, error.column, error.text, error.rest
    (1, 1, 10, '23-14', '8-11')
    >>> next(read("1. 11-15 23-14", rules="american", strict=True))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    damka.errors.PdnError: game 1, line 1, column 10: 23-14: 14 is too far: a man moves...
    """
    if errors is not None:
        if errors not in ("raise", "skip"):
            raise ValueError(f'errors is "raise" or "skip", not {errors!r}')
        message = "errors= of damka.pdn.read is deprecated: use strict= or PdnGame.errors"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        kind = type(source).__name__
        raise TypeError(f"source: expected PDN text, a Path or an open file, not {kind}")
    loaded = rule_sets.load(rules) if isinstance(rules, str) else rules
    games = _Reader(source, loaded).games()
    if strict:
        return _strict(games)
    return games if errors is None else _with_former_errors(games, errors, skipped)


def _strict(games: Iterator[PdnGame]) -> Iterator[PdnGame]:
    """Raise the first error."""
    for game in games:
        if game.errors:
            raise game.errors[0]
        yield game


def _with_former_errors(
    games: Iterator[PdnGame], errors: str, skipped: Callable[[PdnError], object] | None
) -> Iterator[PdnGame]:
    """Raise the first error of a game, or omit games with errors."""
    for game in games:
        first = next((error for error in game.errors if error.code not in _HARMLESS), None)
        if first is None:
            yield game
        elif errors == "raise":
            raise first
        elif skipped is not None:
            skipped(first)


class _Reader:
    """Reader of one source."""

    def __init__(self, source: str | Path | IO[bytes] | IO[str], rules: Rules | None) -> None:
        self._source = source
        self._requested = None if rules is None else setting(rules)
        self._name = _name(source)
        self._types: dict[tuple[str, str, str], tuple[Setting, ...]] = {}
        self._decoder = encoding.TextDecoder()
        self._last: Setting | None = None
        self._inferred = False  # whether neither the caller nor a tag determines the rules
        self._number = 0
        self._line = 1
        self._buffer = b""
        self._at = 0

    def games(self) -> Iterator[PdnGame]:
        with self._open() as more:
            final = False
            while True:
                found = _core.pdn_find(self._buffer, self._at, final)
                if found is None:
                    if len(self._buffer) - self._at > MAX_GAME_BYTES:
                        yield self._truncated_game()
                        final = not self._find_tag(more)
                    else:
                        final = not self._fill(more)
                elif isinstance(found, bool):
                    return
                else:
                    yield self._game(found)

    # Source

    @contextmanager
    def _open(self) -> Iterator[Callable[[int], bytes]]:
        if isinstance(self._source, str):
            yield encoding.byte_reader(io.StringIO(self._source))
            return
        try:
            if not isinstance(self._source, Path):
                yield encoding.byte_reader(self._source)
                return
            with self._source.open("rb") as file:
                yield encoding.byte_reader(file)
        except (OSError, UnicodeDecodeError) as error:
            message = f"cannot be read ({error})"
            raise PdnError(message, source=self._name, code="file") from error

    def _fill(self, more: Callable[[int], bytes]) -> bool:
        """Read more of the source; return False at its end."""
        rest = self._buffer[self._at :]
        data = more(max(CHUNK, len(rest)))
        self._buffer = rest + data
        self._at = 0
        self._decoder.set_sample(self._buffer)
        return bool(data)

    def _truncated_game(self) -> PdnGame:
        """Return the first part of an overlong game."""
        found = _core.pdn_find(self._buffer, self._at, True)
        if not isinstance(found, tuple):  # only ignored lines
            found = ({}, self._at, len(self._buffer), len(self._buffer), len(self._buffer), None)
        return self._game(found, truncated=True)

    def _find_tag(self, more: Callable[[int], bytes]) -> bool:
        """Skip the remainder of an overlong game, up to a line that begins with a tag.

        Returns False at the end of the source.
        """
        while True:
            found = _NEXT_TAG.search(self._buffer, self._at)
            if found is not None:
                self._advance(found.end())
                return True
            # The character before a tag may be the last one of the buffer.
            self._advance(max(self._at, len(self._buffer) - 1))
            if not self._fill(more):
                self._advance(len(self._buffer))
                return False

    def _advance(self, at: int) -> None:
        """Advance to an offset in the buffer, counting lines."""
        self._line += count_line_ends(self._buffer, self._at, at)
        self._at = at

    # Game

    def _game(self, found: Found, *, truncated: bool = False) -> PdnGame:
        tags, begin, moves, end, following, damaged_tags = found
        self._number += 1
        self._advance(begin)
        game, errors, ending = self._read(self._headers(tags), begin, moves, end)
        if damaged_tags:
            errors += [damaged_tag_error(*tag) for tag in damaged_tags]
        warning = self._result_warning(game, ending, moves, end)
        if truncated:
            message = f"the game is longer than {MAX_GAME_BYTES} bytes"
            errors.insert(0, UnplacedError(begin, "too_long", message=message))
        if errors or warning is not None:
            whole_text = self._source if isinstance(self._source, str) else None
            place = self._buffer, begin, self._line, self._number
            origin = Source(self._text, *place, self._name, whole_text)
            game.errors = placed_errors(errors, origin)
            if warning is not None:
                game.warnings = placed_errors([warning], origin)
        # A line end may continue beyond the buffer.
        self._advance(min(following, len(self._buffer) - 1) if truncated else following)
        return game

    def _result_warning(
        self, game: PdnGame, ending: str | bytes, moves: int, end: int
    ) -> UnplacedError | None:
        """Return the warning for a result after the moves that contradicts the Result tag."""
        tag = game.headers.get("Result", "")
        if not tag or ending in ("", "*", tag):
            return None
        text = self._decoder.read(ending)
        if not results.contradict(tag, text):
            return None
        data = ending if isinstance(ending, bytes) else ending.encode()
        return result_warning(tag, text, max(self._buffer.rfind(data, moves, end), moves))

    def _headers(self, tags: dict[str, str | bytes]) -> dict[str, str]:
        headers: dict[str, str] = {}
        for name, value in tags.items():
            if name not in _NAMES:
                name = _NAMES_BY_LETTERS.get(name.lower(), name)  # noqa: PLW2901
            text = value if isinstance(value, str) else self._decoder.read(value)
            headers[name] = text if text.isprintable() else _BREAKS.sub(" ", text)
        return headers

    def _read(
        self, headers: dict[str, str], begin: int, moves: int, end: int
    ) -> tuple[PdnGame, list[UnplacedError], str | bytes]:
        """Return a game, its errors, and the result after its moves."""
        errors: list[UnplacedError] = []
        fen = _position_of(headers)
        result = _result_of(headers)
        data = result.encode("utf-8", "replace")
        try:
            settings = self._settings(headers, fen, moves, end)
        except RulesError as error:
            at = max(self._buffer.find(b"Rules", begin, moves), begin)
            errors.append(rules_tag_error(error, at))
            settings = self._settings({**headers, "Rules": ""}, fen, moves, end)
        inferred = self._inferred
        for candidate in settings:
            starts: Sequence[Board | None] = [None]
            if fen:
                try:
                    starts = boards(candidate, fen, a1_corner=not inferred)[:MAX_STARTS]
                except FenError:
                    continue
            for start in starts:
                count, ending, problems, _ = _core.pdn_play(
                    start or candidate.board,
                    self._buffer,
                    moves,
                    end,
                    candidate.names,
                    data,
                    candidate.setup_top_left if inferred else candidate.setup,
                    candidate.offences,
                    False,
                    False,
                )
                if problems is None or problems[-1][4] is None:
                    if count:
                        self._last = candidate
                    before = min(moves, 1)
                    text = self._buffer[moves - before : end]
                    known = result or self._decoder.read(ending)
                    rest = Moves(text, known, count, start, self._decoder, False, inferred, before)
                    game = PdnGame._read(candidate, headers, rest, self._number, self._line)
                    if problems is not None:
                        errors += movetext_errors(candidate, problems)
                    return game, errors, ending
        likely = _inferred_first(settings, fen) if inferred else settings
        best = self._best_reading(likely, fen, moves, end, data, inferred=inferred)
        if fen and best.error is not None:
            at = max(self._buffer.find(b"FEN", begin, moves), begin)
            readable = best.start is not None
            errors.append(fen_tag_error(best.error, at, None if readable else (moves, end)))
            if not readable:
                rest = Moves(None, result, 0, None, self._decoder)
                game = PdnGame._read(best.setting, headers, rest, self._number, self._line)
                return game, errors, ""
        before = min(moves, 1)
        text = self._buffer[moves - before : end]
        known = result or self._decoder.read(best.result)
        rest = Moves(text, known, best.moves, best.start, self._decoder, True, inferred, before)
        game = PdnGame._read(best.setting, headers, rest, self._number, self._line)
        errors += movetext_errors(best.setting, best.problems)
        return game, errors, best.result

    def _best_reading(
        self,
        settings: Iterable[Setting],
        fen: str,
        moves: int,
        end: int,
        result: bytes,
        *,
        inferred: bool,
    ) -> _Reading:
        """Return the first of the readings with the most playable moves."""

        def readings() -> Iterator[_Reading]:
            for candidate in settings:
                setup = candidate.setup_top_left if inferred else candidate.setup
                starts: Sequence[Board | None] = [None]
                error: FenError | None = None
                if fen:
                    starts, error = repaired_boards(candidate, fen, a1_corner=not inferred)
                if not starts:
                    yield _Reading(candidate, None, error, 0, b"", ())
                for start in starts[:MAX_STARTS]:
                    count, result_text, problems, _ = _core.pdn_play(
                        start or candidate.board,
                        self._buffer,
                        moves,
                        end,
                        candidate.names,
                        result,
                        setup,
                        candidate.offences,
                        True,
                        False,
                    )
                    yield _Reading(
                        candidate, start, error, count, result_text, tuple(problems or ())
                    )

        return max(readings(), key=_Reading.sort_key)

    def _settings(
        self, headers: dict[str, str], fen: str, moves: int, end: int
    ) -> Sequence[Setting]:
        """Return the settings to try: the caller's, or by tags, or inferred."""
        if self._requested is not None:
            return (self._requested,)
        rules_tag = headers.get("Rules", "")
        rules_tag = rules_tag if rules_tag and own_rules.is_own_format(rules_tag) else ""
        tags = headers.get("GameType", ""), headers.get("Variant", ""), rules_tag
        settings = self._types.get(tags)
        if settings is None:
            if len(self._types) >= MAX_SETTINGS:
                self._types.clear()
            settings = self._types[tags] = _settings_of(*tags)
        self._inferred = not settings
        if settings:
            return settings
        return likely_settings(self._buffer[moves:end], fen, self._last)

    def _text(self, begin: int, end: int) -> str:
        """Return a slice of the buffer."""
        return self._decoder.read(_decoded(self._buffer[begin:end]))


class _Reading(NamedTuple):
    """A reading of a game with errors."""

    setting: Setting
    start: Board | None
    error: FenError | None
    """The error of its FEN, even if the FEN could be repaired."""
    moves: int
    result: str | bytes
    problems: tuple[Problem, ...]

    def sort_key(self) -> tuple[bool, bool, int, int]:
        """Return the sort key of a reading; the best reading has the greatest."""
        return (
            self.error is None,
            self.error is None or self.start is not None,
            self.moves,
            -len(self.problems),
        )


def _result_of(headers: dict[str, str]) -> str:
    """Return the Result tag as written, "" if missing; normalize it in the headers."""
    result = headers.get("Result", "").strip()
    if "Result" in headers:
        headers["Result"] = results.normalize(result)
    return result


def _position_of(headers: dict[str, str]) -> str:
    """Return the FEN tag, "" for a placeholder."""
    fen = headers.get("FEN", "")
    return "" if not fen.strip() or fens.is_placeholder(fen) else fen


def _inferred_first(settings: Sequence[Setting], fen: str) -> Iterable[Setting]:
    """Return the inferred settings, then all others: damaged text may mislead."""
    return dict.fromkeys((*settings, *all_settings(has_fen=bool(fen))))


def _settings_of(game_type: str, variant: str, rules_tag: str) -> tuple[Setting, ...]:
    """Return the settings for some tags: the rules, then with other square labels.

    Raises RulesError for an invalid Rules tag.
    """
    if rules_tag:
        return (setting(own_rules.read(rules_tag)),)
    rules = rules_of(game_type, variant) if game_type or variant else None
    if rules is None:
        return ()
    settings = [setting(rules)]
    shipped = rule_sets.load(rules.name)
    # The tag determines the rules, so only the labels may differ.
    others = [shipped] if shipped == rules else []
    if rules.notation[0] == "A":
        others.append(rules.replace(notation=f"N{rules.notation[1]}"))
    elif rules.first == "B":
        # Letters may also be counted from White's corner.
        others.append(rules.replace(notation="A0"))
    settings += (setting(other_rules) for other_rules in others)
    return tuple(dict.fromkeys(settings))


def _name(source: object) -> str:
    if isinstance(source, str):
        return ""
    if isinstance(source, Path):
        return str(source)
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


def _decoded(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
