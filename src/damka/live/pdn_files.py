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
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal

from damka import locales, pdn
from damka.errors import PdnError
from damka.game import Game
from damka.live.files import MAX_GAMES, MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules

__all__ = [
    "MAX_GAMES",
    "MEDIA_TYPE",
    "Contents",
    "FileRequest",
    "RulesChoice",
    "error_message",
    "games",
    "load",
    "no_game",
]

MAX_PLIES: Final = 4000
SECONDS: Final = 5.0
"""Time limit for reading."""
_MAX_TAG: Final = 60
_MOVE_FAULTS: Final = frozenset({"ambiguous", "illegal", "no_square"})
_CODES: Final = frozenset({*pdn.FAULTS, "slow"})
_POSITION: Final = re.compile(r'\s*"?([WB?]\s*:\s*[WBHF][^"\[\]{}();\n]{0,990})"?\s*', re.ASCII)
_SEPARATORS: Final = re.compile(r"[\W_]+")
_SEARCHED_TAGS: Final = ("White", "Black", "Event", "Site", "Round", "Date", "Result", "Opening")
"""Tags that `FileRequest.find` searches."""


@dataclass(frozen=True, slots=True)
class FileRequest:
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
    as_tree: bool = False
    """Whether to return a game with its variations and comments."""

    @property
    def lists(self) -> bool:
        """Whether to list the games even if there is only one."""
        return self.number is None and (self.after is not None or bool(self.find.strip()))


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """Game that can be read by other rules than the chosen ones."""

    number: int
    named: Rules
    """Rules that the text names, or else that its moves suggest."""
    chosen: Rules
    tagged: bool
    """Whether the text names its rules."""
    error: PdnError | None
    """Error when reading by the chosen rules; None if there is none."""

    def as_json(self, language: str) -> dict[str, Any]:
        """Return the choice as JSON values."""
        named, chosen = (each.title_in(language) for each in (self.named, self.chosen))
        key = "named" if self.tagged else "unlike"
        sentence = locales.translate(language, f"server.pdn.{key}", named=named, chosen=chosen)
        return {
            "number": self.number,
            "sentence": sentence,
            "named": named,
            "chosen": chosen,
            "error": None if self.error is None else error_message(self.error, language),
        }


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of a file: `game` or `tree`, or a `choice` of its rules, or a list of `games`.

    `games` are JSON values, in a language: `number`, the tags `white` `black` `date` `result`,
    `rules` (a title), `plies`, and the `error` of a faulty game. `more` means that more games
    follow the last one.
    """

    game: Game | None = None
    tree: pdn.PdnGame | None = None
    """The game with its variations and comments, if the request is for it."""
    games: tuple[dict[str, Any], ...] = ()
    more: bool = False
    choice: RulesChoice | None = None
    fault: PdnError | None = None
    """Fault of the only game, or of the one with the number."""
    assumed: Rules | None = None
    """Rules by which the faulty game was read, if its text names none."""
    plies: int | None = None
    """Number of plies that can be loaded despite the fault; None if none can."""


def load(data: bytes, request: FileRequest, language: str) -> Contents:
    """Return a game of a file, or a list of its games.

    A single FEN is a game without moves. Raises PdnError when there is no game, when no game has
    the number, and when a game cannot be played.
    """
    source = _Source(data, request)
    if request.lists:
        return source.list_games(source.games(), language)
    games = source.games()
    first = next(games, None)
    if request.number is not None:
        while first is not None and first.number < request.number:
            first = next(games, None)
        if first is None or first.number != request.number:
            raise no_game()
        return source.game(first)
    if first is None:
        raise no_game()
    second = next(games, None)
    if second is None:
        return source.game(first)
    return source.list_games(chain((first, second), games), language)


def games(data: bytes, rules: Rules | None) -> Iterator[pdn.PdnGame]:
    """Yield the games of a file or of a FEN, each with its faults in `errors`.

    A game that names no rules is read by `rules` if its moves are legal by them. Raises PdnError
    when reading takes too long.
    """
    source = _Source(data, FileRequest(rules=rules, read_as="named"))
    for game in source.games():
        yield source.resolve(game)


def error_message(error: PdnError, language: str, assumed: Rules | None = None) -> str:
    """Return the message for a file's error, with its location, in a language.

    `assumed` are the rules by which a text was read that names none: an illegal move may mean that
    it is a game by other rules.
    """
    if error.refusal is not None:
        message = error.refusal.sentence(language, error.show)
    else:
        code = error.code if error.code in _CODES else "other"
        message = locales.translate(language, f"server.pdn.{code}")
    if assumed is not None and error.code in _MOVE_FAULTS and error.line is not None:
        values = {"line": error.line, "column": error.column, "move": error.text, "what": message}
        title = assumed.title_in(language)
        return locales.translate(language, "server.pdn.untagged", chosen=title, **values)
    if error.text and error.code != "fen":
        message = f"{error.text}: {message}"
    if error.line is None:
        return message
    place = {"game": error.game or 1, "line": error.line, "column": error.column}
    return locales.translate(language, "server.pdn.where", **place, what=message)


class _Source:
    """Games of a file, each read by its own rules and by the chosen ones."""

    def __init__(self, data: bytes, request: FileRequest) -> None:
        text = _POSITION.fullmatch(data.decode("latin-1")) if len(data) <= 1000 else None
        self._data = data if text is None else f'[FEN "{text[1].strip()}"]\n*'.encode()
        self._request = request
        self._deadline = time.monotonic() + SECONDS
        self._as_chosen: Iterator[pdn.PdnGame] | None = None

    def games(self) -> Iterator[pdn.PdnGame]:
        """Yield the games, read by the rules that they name or suggest."""
        for game in pdn.read(io.BytesIO(self._data)):
            self._check_time()
            # Skip text without moves and tags, such as a comment.
            if game.headers or game.move_count or game.fen or game.errors:
                yield game

    def game(self, game: pdn.PdnGame) -> Contents:
        """Return a game to continue, the choice of its rules, or its fault. Raises PdnError."""
        read, choice = self._resolve(game)
        if choice is not None and self._request.read_as is None:
            return Contents(choice=choice)
        error, playable = _fault(read), bool(read.move_count or read.fen)
        if error is not None and not (self._request.partial and playable):
            assumed = None if _names_rules(game) else self._request.rules
            plies = read.move_count if playable else None
            return Contents(fault=error, assumed=assumed, plies=plies)
        if read.move_count > MAX_PLIES:
            raise PdnError(f"a game has at most {MAX_PLIES} moves here", code="too_many")
        if self._request.as_tree:
            return Contents(tree=read)
        read.errors = []  # accepted by the request, or in side lines
        return Contents(Game.from_pdn_game(read))

    def list_games(self, games: Iterator[pdn.PdnGame], language: str) -> Contents:
        """Return a list of the games after a number whose tags match the words."""
        words = [*filter(None, _SEPARATORS.split(_normalise(self._request.find)))]
        entries: list[dict[str, Any]] = []
        for game in games:
            if game.number <= (self._request.after or 0):
                continue
            read, choice = self._resolve(game)
            entry = _entry(game if choice is not None else read, language)
            if words and not _matches(words, game, entry):
                continue
            if len(entries) == MAX_GAMES:
                return Contents(games=tuple(entries), more=True)
            entries.append(entry)
        return Contents(games=tuple(entries))

    def resolve(self, game: pdn.PdnGame) -> pdn.PdnGame:
        """Return a game read by the right rules."""
        return self._resolve(game)[0]

    def _resolve(self, game: pdn.PdnGame) -> tuple[pdn.PdnGame, RulesChoice | None]:
        """Return a game read by the right rules, and a choice if the rules are ambiguous."""
        chosen = self._request.rules
        if chosen is None:
            return game, None
        tagged = _names_rules(game)
        own = self._read_as_chosen(game.number)
        fault = _fault(own)
        fits = _may_mean(game.rules, chosen) if tagged else _fault(game) is not None
        if fits or (not tagged and fault is None):
            return own, None
        choice = RulesChoice(game.number, game.rules, chosen, tagged, fault)
        return (own if self._request.read_as == "chosen" else game), choice

    def _read_as_chosen(self, number: int) -> pdn.PdnGame:
        """Return the game with a number, read by the chosen rules."""
        if self._as_chosen is None:
            self._as_chosen = pdn.read(io.BytesIO(self._data), self._request.rules)
        for game in self._as_chosen:
            self._check_time()
            if game.number == number:
                return game
        raise no_game()

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise PdnError(f"reading takes more than {SECONDS:.0f} seconds", code="slow")


def _names_rules(game: pdn.PdnGame) -> bool:
    """Return whether the tags of a game name its rules."""
    tags = game.headers
    if tags.get("Rules", "").lstrip().startswith("{"):
        return True
    return pdn.rules_of(tags.get("GameType", ""), tags.get("Variant", "")) is not None


def _may_mean(named: Rules, chosen: Rules) -> bool:
    """Return whether a tag that names some rules may also mean the chosen ones."""
    if named.name == chosen.name:
        return True
    return bool(chosen.game_type) and _notation_of(named) == _notation_of(chosen)


def _notation_of(rules: Rules) -> tuple[object, ...]:
    return (
        rules.game_type,
        rules.first,
        rules.width,
        rules.height,
        rules.squares,
        rules.dark_corner,
    )


def _fault(game: pdn.PdnGame) -> PdnError | None:
    """Return the first fault of a game's main line or tags; evaluation signs do not count."""
    every = not (game.move_count or game.fen)
    faults = (each for each in game.errors if every or (not each.variation and each.code != "sign"))
    return next(faults, None)


def _entry(game: pdn.PdnGame, language: str) -> dict[str, Any]:
    tags = {name: _tag(game.headers.get(name, "")) for name in ("White", "Black", "Date")}
    entry = {
        "number": game.number,
        "white": tags["White"],
        "black": tags["Black"],
        "date": tags["Date"].rstrip(".?"),
        "result": game.result[:20],
        "rules": game.rules.title_in(language),
        "plies": game.move_count,
    }
    error = _fault(game)
    return entry if error is None else entry | {"error": error_message(error, language)}


def _matches(words: list[str], game: pdn.PdnGame, entry: dict[str, Any]) -> bool:
    """Return whether each of `words` is a prefix of a word in the game's tags or rules title."""
    tags = (game.headers.get(name, "") for name in _SEARCHED_TAGS)
    text = _SEPARATORS.split(_normalise(" ".join((*tags, entry["rules"]))))
    return all(any(each.startswith(word) for each in text) for word in words)


def _normalise(text: str) -> str:
    """Return `text` in lower case without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(filter(lambda letter: not unicodedata.combining(letter), letters))


def _tag(value: str) -> str:
    printable = "".join(filter(str.isprintable, value)).strip()
    return "" if printable == "?" else printable[:_MAX_TAG]


def no_game() -> PdnError:
    """Return the error of a text without a game."""
    return PdnError("expected a game, found none", code="none")
