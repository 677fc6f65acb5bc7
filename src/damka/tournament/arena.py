"""Arenas: for a given time everybody plays as many games as possible; who waits is paired in waves.

A win brings 2 points and a draw 1. After two wins in a row every game counts double until one is
not won. Who has gone berserk, which is half the clock for one point more, has that point for a win
at the board; it is never doubled.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from damka.errors import TournamentError
from damka.rating import performance
from damka.tournament import checks, matching
from damka.tournament.players import Player
from damka.tournament.rounds import Outcome, Pairing

__all__ = [
    "GROUP",
    "Arena",
    "ArenaGame",
    "ArenaPlayer",
    "ArenaStanding",
    "Presence",
    "Score",
    "pair",
    "standings",
]


def __dir__() -> list[str]:
    return __all__


GROUP: Final = 44
"""As many players, next to each other in the standings, are paired with each other at most."""

MAX_GAMES: Final = 100_000

_STREAK: Final = 2
"""Wins in a row after which games count double."""

_RANK: Final = 10
"""What a place between two players costs, in rating points; more at the top."""
_RANK_AT_TOP: Final = 40
_COLOUR: Final = 30
"""What a pair costs in which both have had a colour too often, for each game too many."""
_MISSED: Final = 500
"""What is taken off the cost of the pairs of a player for each wave in which he found nobody."""
_LOT: Final = 8
"""The lot decides between pairings whose costs differ by less than a rating point a pair."""


class Presence(StrEnum):
    """Whether a player wants games."""

    HERE = "here"
    PAUSED = "paused"
    """Not now; the points stay."""
    LEFT = "left"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArenaPlayer:
    """A player in an arena."""

    player: Player
    presence: Presence = Presence.HERE
    missed: int = 0
    """The last waves, in a row, in which there was no opponent."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArenaGame:
    """A game of an arena."""

    white: str
    black: str
    outcome: Outcome | None = None
    white_berserk: bool = False
    black_berserk: bool = False


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Arena:
    """An arena. It is never changed: `join`, `finish` and the others return another one.

    Raises TournamentError for what cannot be.
    """

    name: str
    players: tuple[ArenaPlayer, ...] = ()
    """In the order in which they came."""
    games: tuple[ArenaGame, ...] = ()
    """In the order in which they began."""
    finished: tuple[int, ...] = ()
    """The places in `games`, from 0, of those that are over, in the order in which they ended."""

    def __post_init__(self) -> None:
        checks.text("name", self.name, 1)
        checks.size("players", self.players, checks.MAX_PLAYERS)
        checks.size("games", self.games, MAX_GAMES)
        ids = {each.player.id for each in self.players}
        if len(ids) < len(self.players):
            raise TournamentError("players", len(self.players), "each id once")
        for game in self.games:
            if game.white not in ids or game.black not in ids or game.white == game.black:
                raise TournamentError("games", f"{game.white} and {game.black}", "two players")
        over = [n for n, game in enumerate(self.games) if game.outcome is not None]
        if sorted(self.finished) != over:
            raise TournamentError("finished", len(self.finished), "each game that is over, once")

    # Who is there

    def join(self, player: Player) -> Arena:
        """Let a player in, or back in, as the player now is."""
        entry = self._find(player.id)
        if entry is None:
            return replace(self, players=(*self.players, ArenaPlayer(player)))
        return self._with(replace(entry, player=player, presence=Presence.HERE))

    def pause(self, player: str) -> Arena:
        """Pair a player no more until `resume`; a game that is on goes on."""
        return self._with(replace(self._known(player), presence=Presence.PAUSED, missed=0))

    def resume(self, player: str) -> Arena:
        """Pair a player again."""
        return self._with(replace(self._known(player), presence=Presence.HERE))

    def leave(self, player: str) -> Arena:
        """Let a player go; the points stay, and `join` brings the player back."""
        return self._with(replace(self._known(player), presence=Presence.LEFT, missed=0))

    def _find(self, player: str) -> ArenaPlayer | None:
        return next((each for each in self.players if each.player.id == player), None)

    def _known(self, player: str) -> ArenaPlayer:
        found = self._find(player)
        if found is None:
            raise TournamentError("arena", player, "the id of a player")
        return found

    def _with(self, entry: ArenaPlayer) -> Arena:
        players = (entry if each.player.id == entry.player.id else each for each in self.players)
        return replace(self, players=tuple(players))

    # Games

    @property
    def playing(self) -> frozenset[str]:
        """The ids of those who are in a game."""
        on = (game for game in self.games if game.outcome is None)
        return frozenset(player for game in on for player in (game.white, game.black))

    @property
    def waiting(self) -> tuple[ArenaPlayer, ...]:
        """Who is here and in no game."""
        busy = self.playing
        return tuple(
            each
            for each in self.players
            if each.presence is Presence.HERE and each.player.id not in busy
        )

    def begin(self, pairings: Iterable[Pairing]) -> Arena:
        """Begin the games of a wave; those who wait and are in none have missed it."""
        waiting = {each.player.id for each in self.waiting}
        new = [ArenaGame(pairing.white, pairing.black) for pairing in pairings]
        placed = [player for game in new for player in (game.white, game.black)]
        for player in placed:
            if player not in waiting or placed.count(player) > 1:
                raise TournamentError("wave", player, "players who wait, each once")
        players = (
            replace(each, missed=0 if each.player.id in placed else each.missed + 1)
            if each.player.id in waiting
            else each
            for each in self.players
        )
        return replace(self, players=tuple(players), games=(*self.games, *new))

    def finish(
        self,
        game: int,
        outcome: Outcome,
        *,
        white_berserk: bool = False,
        black_berserk: bool = False,
    ) -> Arena:
        """Record how a game ended; `game` is its place in `games`, from 0."""
        checks.whole("game", game, 0, len(self.games) - 1)
        found = self.games[game]
        if found.outcome is not None:
            raise TournamentError(f"game {game}", found.outcome, "a game that is not over")
        over = ArenaGame(found.white, found.black, Outcome(outcome), white_berserk, black_berserk)
        games = (*self.games[:game], over, *self.games[game + 1 :])
        return replace(self, games=games, finished=(*self.finished, game))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Score:
    """What a game brought a player."""

    game: int
    """Its place in `Arena.games`, from 0."""
    points: int
    doubled: bool
    berserk: bool
    """Whether one of the points is that for going berserk."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArenaStanding:
    """A player's place in an arena."""

    rank: int
    """From 1; players level in points and performance share it."""
    player: Player
    points: int
    scores: tuple[Score, ...]
    """In the order in which the games ended."""
    on_streak: bool
    """Whether the next game counts double."""
    games: int
    wins: int
    performance: int | None
    """None without a game against a rated opponent."""


def standings(arena: Arena) -> tuple[ArenaStanding, ...]:
    """Return the standings: by points, then by performance; the rest by rating and by arrival."""
    sheets = {each.player.id: _Sheet(each.player) for each in arena.players}
    for number in arena.finished:
        game = arena.games[number]
        assert game.outcome is not None  # noqa: S101  the arena has seen to it
        white, black = sheets[game.white], sheets[game.black]
        white.add(number, game.outcome, True, game.white_berserk, black.player)
        black.add(number, game.outcome, False, game.black_berserk, white.player)
    rows = sorted(sheets.values(), key=lambda each: (each.key, -each.player.rating))
    found: list[ArenaStanding] = []
    for place, sheet in enumerate(rows, 1):
        level = place > 1 and rows[place - 2].key == sheet.key
        found.append(sheet.standing(found[-1].rank if level else place))
    return tuple(found)


class _Sheet:
    """The games of a player, while they are counted."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._scores: list[Score] = []
        self._streak = self._wins = 0
        self._rated: list[int] = []
        self._share = 0.0

    def add(
        self, number: int, outcome: Outcome, white: bool, berserk: bool, opponent: Player
    ) -> None:
        won = outcome.white_wins if white else outcome.black_wins
        doubled = self._streak >= _STREAK
        points = (2 if won else 1 if outcome.drawn else 0) * (2 if doubled else 1)
        bonus = berserk and won and outcome.played
        self._scores.append(Score(number, points + bonus, doubled, bonus))
        self._streak = self._streak + 1 if won else 0
        self._wins += won
        if outcome.played and opponent.rating:
            self._rated.append(opponent.rating)
            self._share += 1 if won else 0.5 if outcome.drawn else 0

    @property
    def points(self) -> int:
        return sum(score.points for score in self._scores)

    @property
    def performance(self) -> int | None:
        return performance(self._rated, self._share / len(self._rated)) if self._rated else None

    @property
    def key(self) -> tuple[int, bool, int]:
        """What sorts players, the best first."""
        found = self.performance
        return -self.points, found is None, -(found or 0)

    def standing(self, rank: int) -> ArenaStanding:
        return ArenaStanding(
            rank,
            self.player,
            self.points,
            tuple(self._scores),
            self._streak >= _STREAK,
            len(self._scores),
            self._wins,
            self.performance,
        )


def pair(arena: Arena, seed: int) -> tuple[Pairing, ...]:
    """Return the games of a wave among those who wait; `Arena.begin` begins them.

    Those next to each other in the standings are paired, near in rating, with as many pairs as
    there can be; nobody meets the opponent of the last game again, unless only two are there. Who
    missed waves is not left over again. White goes to whom it is due. `seed` settles what is left
    open, so the same arena and seed give the same games. Of up to ten all pairings are tried; more
    are matched in groups of 44.
    """
    rows = standings(arena)
    ranks = {row.player.id: place for place, row in enumerate(rows, 1)}
    waiting = sorted(arena.waiting, key=lambda each: ranks[each.player.id])
    here = sum(each.presence is Presence.HERE for each in arena.players)
    last = {} if here <= 2 else _last_opponents(arena)
    balance, last_white = _colours(arena)
    rng = random.Random(f"arena {seed} {len(arena.games)}")
    found: list[Pairing] = []
    for start in range(0, len(waiting), GROUP):
        group = waiting[start : start + GROUP]
        ids = [each.player.id for each in group]
        costs = {}
        for j, other in enumerate(group):
            for i, one in enumerate(group[:j]):
                if last.get(ids[i]) != ids[j] and last.get(ids[j]) != ids[i]:
                    cost = _cost(one, other, ranks, len(rows), balance)
                    costs[i, j] = cost * _LOT + rng.randrange(_LOT)
        for i, j in matching.cheapest(len(group), costs):
            due = [(balance.get(ids[n], 0), last_white.get(ids[n], -1)) for n in (i, j)]
            by_lot = rng.random() < 0.5
            first = by_lot if due[0] == due[1] else due[0] < due[1]
            found.append(Pairing(ids[i], ids[j]) if first else Pairing(ids[j], ids[i]))
    return tuple(found)


def _cost(
    one: ArenaPlayer,
    other: ArenaPlayer,
    ranks: Mapping[str, int],
    count: int,
    balance: Mapping[str, int],
) -> int:
    places = (ranks[one.player.id], ranks[other.player.id])
    top = 1 - (min(places) - 1) / count  # 1 for the leader, 0 for the last
    apart = abs(places[0] - places[1]) * (_RANK + (_RANK_AT_TOP - _RANK) * top)
    gap = abs(one.player.rating - other.player.rating)
    due = [balance.get(each.player.id, 0) for each in (one, other)]
    colours = min(map(abs, due)) * _COLOUR if due[0] * due[1] > 0 else 0
    return round(apart + gap + colours) - _MISSED * (one.missed + other.missed)


def _last_opponents(arena: Arena) -> dict[str, str]:
    last = {}
    for game in arena.games:
        last[game.white], last[game.black] = game.black, game.white
    return last


def _colours(arena: Arena) -> tuple[dict[str, int], dict[str, int]]:
    """Return, by id, how many more games were with White, and the last game with White."""
    balance: dict[str, int] = {}
    last_white: dict[str, int] = {}
    for number, game in enumerate(arena.games):
        balance[game.white] = balance.get(game.white, 0) + 1
        balance[game.black] = balance.get(game.black, 0) - 1
        last_white[game.white] = number
    return balance, last_white
