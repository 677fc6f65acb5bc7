"""Loading of game files in Portable Draughts Notation: one game, or a list to choose from.

All input is bounded: its bytes by a limit of the server, the games per listing, the moves per game,
and the time for reading.
"""

from __future__ import annotations

import io
import re
import time
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from damka import locales, pdn
from damka.errors import PdnError
from damka.game import Game
from damka.live.files import MAX_GAMES, MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules

__all__ = ["MAX_GAMES", "MEDIA_TYPE", "Choice", "Contents", "Wanted", "load", "said"]

MAX_PLIES: Final = 4000
SECONDS: Final = 5.0
"""Time limit for reading."""
_MAX_TAG: Final = 60
_CODES: Final = frozenset({*pdn.FAULTS, "slow"})
_POSITION: Final = re.compile(r'\s*"?([WB?]\s*:\s*[WBHF][^"\[\]{}();\n]{0,990})"?\s*', re.ASCII)
_BETWEEN: Final = re.compile(r"[\W_]+")
_SEARCHED: Final = ("White", "Black", "Event", "Site", "Round", "Date", "Result", "Opening")
"""Tags that `Wanted.find` searches."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request for games of a file, and the rules for reading them."""

    number: int | None = None
    """The number of a game; None for the only one, or a list."""
    rules: Rules | None = None
    """Rules chosen by the reader, for games that name none."""
    read_as: Literal["named", "chosen"] | None = None
    """Rules for a game that names others than the chosen ones; None to ask."""
    partial: bool = False
    """Whether to load a faulty game up to its fault."""
    after: int | None = None
    """Number after which the list begins."""
    find: str = ""
    """Words that the tags of the listed games must contain."""

    @property
    def lists(self) -> bool:
        """Whether to list the games even if there is only one."""
        return self.number is None and (self.after is not None or bool(self.find.strip()))


@dataclass(frozen=True, slots=True)
class Choice:
    """Game that can be read by other rules than the chosen ones."""

    number: int
    named: Rules
    """Rules that the text names, or else that its moves suggest."""
    chosen: Rules
    tagged: bool
    """Whether the text names its rules."""
    error: PdnError | None
    """Error when reading by the chosen rules; None if there is none."""

    def shown(self, language: str) -> dict[str, Any]:
        """Return the choice as JSON values."""
        named, chosen = (each.title_in(language) for each in (self.named, self.chosen))
        key = "named" if self.tagged else "unlike"
        sentence = locales.translate(language, f"server.pdn.{key}", named=named, chosen=chosen)
        return {
            "number": self.number,
            "sentence": sentence,
            "named": named,
            "chosen": chosen,
            "error": None if self.error is None else said(self.error, language),
        }


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of a file: `game`, or a `choice` of its rules, or a list of `games`.

    `games` are JSON values, in a language: `number`, the tags `white` `black` `date` `result`,
    `rules` (a title), `plies`, and the `error` of a faulty game. `more` means that more games
    follow the last one.
    """

    game: Game | None = None
    games: tuple[dict[str, Any], ...] = ()
    more: bool = False
    choice: Choice | None = None
    fault: PdnError | None = None
    """Fault of the only game, or of the one with the number."""
    plies: int | None = None
    """Number of plies that can be loaded despite the fault; None if none can."""


def load(data: bytes, wanted: Wanted, language: str) -> Contents:
    """Return a game of a file, or a list of its games.

    A single FEN is a game without moves. Raises PdnError when there is no game, when no game has
    the number, and when a game cannot be played.
    """
    source = _Source(data, wanted)
    if wanted.lists:
        return source.listed(source.games(), language)
    games = source.games()
    first = next(games, None)
    if wanted.number is not None:
        while first is not None and first.number < wanted.number:
            first = next(games, None)
        if first is None or first.number != wanted.number:
            raise _none()
        return source.game(first)
    if first is None:
        raise _none()
    second = next(games, None)
    if second is None:
        return source.game(first)
    return source.listed(_chained(first, second, games), language)


def said(error: PdnError, language: str) -> str:
    """Return the message for a file's error, with its location, in a language."""
    if error.refusal is not None:
        what = error.refusal.sentence(language, error.show)
    else:
        code = error.code if error.code in _CODES else "other"
        what = locales.translate(language, f"server.pdn.{code}")
    if error.text and error.code != "fen":
        what = f"{error.text}: {what}"
    if error.line is None:
        return what
    place = {"game": error.game or 1, "line": error.line, "column": error.column}
    return locales.translate(language, "server.pdn.where", **place, what=what)


class _Source:
    """Games of a file, each read by its own rules and by the chosen ones."""

    def __init__(self, data: bytes, wanted: Wanted) -> None:
        text = _POSITION.fullmatch(data.decode("latin-1")) if len(data) <= 1000 else None
        self._data = data if text is None else f'[FEN "{text[1].strip()}"]\n*'.encode()
        self._wanted = wanted
        self._until = time.monotonic() + SECONDS
        self._as_chosen: Iterator[pdn.PdnGame] | None = None

    def games(self) -> Iterator[pdn.PdnGame]:
        """Yield the games, read by the rules that they name or suggest."""
        for found in pdn.read(io.BytesIO(self._data)):
            self._in_time()
            # A text without moves and tags is no game: an empty line, a comment.
            if found.headers or found.move_count or found.fen or found.errors:
                yield found

    def game(self, found: pdn.PdnGame) -> Contents:
        """Return a game to continue, the choice of its rules, or its fault. Raises PdnError."""
        read, choice = self._resolved(found)
        if choice is not None and self._wanted.read_as is None:
            return Contents(choice=choice)
        error, playable = _fault(read), bool(read.move_count or read.fen)
        if error is not None and not (self._wanted.partial and playable):
            return Contents(fault=error, plies=read.move_count if playable else None)
        if read.move_count > MAX_PLIES:
            raise PdnError(f"a game has at most {MAX_PLIES} moves here", code="too_many")
        read.errors = []  # accepted by the request, or in side lines
        return Contents(Game.from_pdn_game(read))

    def listed(self, games: Iterator[pdn.PdnGame], language: str) -> Contents:
        """Return a list of the games after a number whose tags match the words."""
        words = [*filter(None, _BETWEEN.split(_plain(self._wanted.find)))]
        listed: list[dict[str, Any]] = []
        for found in games:
            if found.number <= (self._wanted.after or 0):
                continue
            read, choice = self._resolved(found)
            shown = _shown(found if choice is not None else read, language)
            if words and not _has(words, found, shown):
                continue
            if len(listed) == MAX_GAMES:
                return Contents(games=tuple(listed), more=True)
            listed.append(shown)
        return Contents(games=tuple(listed))

    def _resolved(self, found: pdn.PdnGame) -> tuple[pdn.PdnGame, Choice | None]:
        """Return a game read by the right rules, with a choice where the rules are in question."""
        chosen = self._wanted.rules
        if chosen is None:
            return found, None
        tagged = _names_rules(found)
        own = self._chosen(found.number)
        fault = _fault(own)
        fits = _alike(found.rules, chosen) if tagged else _fault(found) is not None
        if fits or (not tagged and fault is None):
            return own, None
        choice = Choice(found.number, found.rules, chosen, tagged, fault)
        return (own if self._wanted.read_as == "chosen" else found), choice

    def _chosen(self, number: int) -> pdn.PdnGame:
        """Return the game with a number, read by the chosen rules."""
        if self._as_chosen is None:
            self._as_chosen = pdn.read(io.BytesIO(self._data), self._wanted.rules)
        for found in self._as_chosen:
            self._in_time()
            if found.number == number:
                return found
        raise _none()

    def _in_time(self) -> None:
        if time.monotonic() > self._until:
            raise PdnError(f"reading takes more than {SECONDS:.0f} seconds", code="slow")


def _chained(
    first: pdn.PdnGame, second: pdn.PdnGame, others: Iterator[pdn.PdnGame]
) -> Iterator[pdn.PdnGame]:
    yield first
    yield second
    yield from others


def _names_rules(game: pdn.PdnGame) -> bool:
    """Return whether the tags of a game name its rules."""
    tags = game.headers
    if tags.get("Rules", "").lstrip().startswith("{"):
        return True
    return pdn.rules_of(tags.get("GameType", ""), tags.get("Variant", "")) is not None


def _alike(named: Rules, chosen: Rules) -> bool:
    """Return whether a tag that names some rules may also mean the chosen ones."""
    if named.name == chosen.name:
        return True
    return bool(chosen.game_type) and _kind(named) == _kind(chosen)


def _kind(of: Rules) -> tuple[object, ...]:
    return (of.game_type, of.first, of.width, of.height, of.squares, of.dark_corner)


def _fault(game: pdn.PdnGame) -> PdnError | None:
    """Return the first fault of a game's main line or tags; evaluation signs do not count."""
    every = not (game.move_count or game.fen)
    faults = (each for each in game.errors if every or (not each.variation and each.code != "sign"))
    return next(faults, None)


def _shown(found: pdn.PdnGame, language: str) -> dict[str, Any]:
    tags = {name: _tag(found.headers.get(name, "")) for name in ("White", "Black", "Date")}
    shown = {
        "number": found.number,
        "white": tags["White"],
        "black": tags["Black"],
        "date": tags["Date"].rstrip(".?"),
        "result": found.result[:20],
        "rules": found.rules.title_in(language),
        "plies": found.move_count,
    }
    error = _fault(found)
    return shown if error is None else shown | {"error": said(error, language)}


def _has(words: list[str], found: pdn.PdnGame, shown: dict[str, Any]) -> bool:
    """Return whether each of `words` is a prefix of a word in the game's tags or rules title."""
    tags = (found.headers.get(name, "") for name in _SEARCHED)
    text = _BETWEEN.split(_plain(" ".join((*tags, shown["rules"]))))
    return all(any(each.startswith(word) for each in text) for word in words)


def _plain(text: str) -> str:
    """Return a text in lower case without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(filter(lambda letter: not unicodedata.combining(letter), letters))


def _tag(value: str) -> str:
    printable = "".join(filter(str.isprintable, value)).strip()
    return "" if printable == "?" else printable[:_MAX_TAG]


def _none() -> PdnError:
    return PdnError("expected a game, found none", code="none")
