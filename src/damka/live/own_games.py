"""A player's list of games: filters, results against the computer, titles of the player's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from damka.engine import levels
from damka.live.problems import Problem
from damka.rules import Side

__all__ = [
    "MAX_LISTED",
    "MAX_TITLE",
    "MAX_WINS",
    "LevelResults",
    "Listing",
    "NextLevel",
    "OwnGame",
    "Query",
    "Section",
    "clean_title",
    "matching",
    "next_level",
    "results_by_level",
    "section",
    "visible_line",
]

MAX_LISTED: Final = 5000
"""Maximum number of games in a list; older ones are left out."""
MAX_WINS: Final = 200
"""Number of wins that a suggestion considers, the latest ones."""
MAX_TITLE: Final = 60
_MAX_RAW_TITLE: Final = 4 * MAX_TITLE
_SECTION_SIZE: Final = {"running": 6, "finished": 12}

Result = Literal["running", "won", "lost", "draw", "over", "none"]
"""Result of a game for the player: "over" after a win in a game of two players at one screen,
"none" for an aborted game."""
SectionKey = Literal["running", "finished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGame:
    """A game in a player's list, without its moves."""

    id: str
    rules: str
    """Name of the rules."""
    side: Side | None
    """The player's side; None for a game of two players at one screen."""
    level: int | None
    """Level of the computer, if it is the opponent."""
    opponent: str | None
    """Name of the opponent or the engine, if any."""
    title: str | None
    """The player's own title of the game."""
    winner: Side | None
    reason: str | None
    """Reason of the result; None while the game is running."""
    updated: datetime

    @property
    def result(self) -> Result:
        """Result of the game for the player."""
        if self.reason is None:
            return "running"
        if self.winner is None:
            return "none" if self.reason == "aborted" else "draw"
        if self.side is None:
            return "over"
        return "won" if self.winner == self.side else "lost"


class Query(msgspec.Struct, frozen=True):
    """Selection of games from a player's list."""

    rules: Annotated[str, Meta(max_length=64)] = ""
    """Name of the rules; "" for all."""
    result: Literal["", "running", "won", "lost", "draw"] = ""
    find: Annotated[str, Meta(max_length=80)] = ""
    """Words in the title or in the opponent's name."""
    only: Literal["", "running", "finished"] = ""
    """A single section of the list, from the game with number `after` on."""
    after: Annotated[int, Meta(ge=0, le=MAX_LISTED)] = 0


class Listing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change of a game's entry in the player's list: its title, or whether it was removed."""

    title: Annotated[str, Meta(max_length=_MAX_RAW_TITLE)] | msgspec.UnsetType = msgspec.UNSET
    """At most 60 characters; "" to show the name of the rules again."""
    removed: bool | msgspec.UnsetType = msgspec.UNSET
    """A game in which an opponent waits cannot be removed."""


class Section(NamedTuple):
    """Part of a list: the shown games, their total number, and the start of the next part."""

    key: SectionKey
    games: Sequence[OwnGame]
    total: int
    next: int | None


class LevelResults(NamedTuple):
    """Results against one level of the computer."""

    level: int
    won: int
    lost: int
    drawn: int


class NextLevel(NamedTuple):
    """The next level to try, after a win in a game by the same rules."""

    beaten: int
    level: int
    game_id: str
    """A game with these rules that the player won against the beaten level."""


def clean_title(text: str) -> str | None:
    """Normalise a title to one line of visible characters; None for an empty one.

    Raises Problem for one that is too long.

    >>> clean_title("  My best   game\\u202e ")
    'My best game'
    """
    title = visible_line(text)
    if len(title) > MAX_TITLE:
        raise Problem(422, "title_long", where="title", values={"n": MAX_TITLE})
    return title or None


def visible_line(text: str) -> str:
    """Normalise a text to one line of visible characters."""
    plain = unicodedata.normalize("NFC", text)
    # Direction marks and similar could affect the text around the title.
    visible = (c if c == "\u200d" or unicodedata.category(c) not in _HIDDEN else " " for c in plain)
    return re.sub(r"\s+", " ", "".join(visible)).strip(" \u200d")


_HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def matching(games: Iterable[OwnGame], query: Query) -> list[OwnGame]:
    """Return the games that match the filters of a query."""
    words = query.find.casefold().split()
    return [
        game
        for game in games
        if query.rules in {"", game.rules}
        and query.result in {"", game.result}
        and all(word in _searchable(game) for word in words)
    ]


def _searchable(game: OwnGame) -> str:
    return f"{game.title or ''} {game.opponent or ''}".casefold()


def section(games: Iterable[OwnGame], key: SectionKey, after: int = 0) -> Section:
    """Return a part of the running or of the finished games, from number `after` on."""
    chosen = [game for game in games if (game.reason is None) == (key == "running")]
    end = after + _SECTION_SIZE[key]
    return Section(key, chosen[after:end], len(chosen), end if end < len(chosen) else None)


def results_by_level(games: Iterable[OwnGame]) -> list[LevelResults]:
    """Return the results against each level that the player has finished a game with."""
    counts: dict[int, dict[str, int]] = {}
    for game in games:
        if game.level is not None and game.result in {"won", "lost", "draw"}:
            of_level = counts.setdefault(game.level, {"won": 0, "lost": 0, "draw": 0})
            of_level[game.result] += 1
    return [LevelResults(level, *_values(counts[level])) for level in sorted(counts)]


def _values(counts: Mapping[str, int]) -> tuple[int, int, int]:
    return counts["won"], counts["lost"], counts["draw"]


def next_level(games: Sequence[OwnGame]) -> NextLevel | None:
    """Return the level to try next, by the rules of the last win against the computer.

    `games` are the player's, latest first. Returns None without a win, and after one against the
    highest level.
    """
    wins = [game for game in games if game.result == "won" and game.level is not None]
    if not wins:
        return None
    same_rules = [game for game in wins if game.rules == wins[0].rules]
    best = max(same_rules, key=lambda game: game.level or 0)
    beaten = best.level or 0
    if beaten >= max(levels.LEVELS):
        return None
    return NextLevel(beaten, beaten + 1, best.id)
