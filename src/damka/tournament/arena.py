"""Arenas: tournaments of a fixed duration in which players are paired in waves.

A win scores 2 points and a draw 1. After two wins in a row every game counts double until one is
not won. A player who goes berserk halves the clock for one extra point, which is scored for a win
at the board and never doubled.
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
"""Maximum size of a group, consecutive in the standings, that is matched at once."""

MAX_GAMES: Final = 100_000

_STREAK: Final = 2
"""Number of wins in a row after which games count double."""

_RANK_COST: Final = 10
"""Cost per rank between two players, in rating points; more at the top."""
_RANK_COST_AT_TOP: Final = 40
_COLOUR_COST: Final = 30
"""Cost per excess game when both players of a pair are due the same colour."""
_MISSED_BONUS: Final = 500
"""Cost reduction of a player's pairs for each missed wave."""
_RANDOM_SCALE: Final = 8
"""Random tie-break between pairings that differ by less than one rating point per pair."""


class Presence(StrEnum):
    """Whether a player is available for pairing."""

    HERE = "here"
    PAUSED = "paused"
    """Not paired for now; the points remain."""
    LEFT = "left"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArenaPlayer:
    """A player in an arena."""

    player: Player
    presence: Presence = Presence.HERE
    missed: int = 0
    """Number of consecutive waves without an opponent."""


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
    """An arena. Immutable: `join`, `finish` and the others return a new one.

    Raises TournamentError for invalid values.
    """

    name: str
    players: tuple[ArenaPlayer, ...] = ()
    """In order of arrival."""
    games: tuple[ArenaGame, ...] = ()
    """In order of their start."""
    finished: tuple[int, ...] = ()
    """Indices in `games`, from 0, of finished games, in order of their end."""

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
            raise TournamentError("finished", len(self.finished), "each finished game once")

    # Presence

    def join(self, player: Player) -> Arena:
        """Add a player, or readmit one with updated data."""
        entry = self._entry_of(player.id)
        if entry is None:
            return replace(self, players=(*self.players, ArenaPlayer(player)))
        return self._with(replace(entry, player=player, presence=Presence.HERE))

    def pause(self, player: str) -> Arena:
        """Exclude a player from pairing until `resume`; a game in progress continues."""
        return self._with(replace(self._require(player), presence=Presence.PAUSED, missed=0))

    def resume(self, player: str) -> Arena:
        """Include a player in pairing again."""
        return self._with(replace(self._require(player), presence=Presence.HERE))

    def leave(self, player: str) -> Arena:
        """Remove a player from pairing; the points remain, and `join` readmits the player."""
        return self._with(replace(self._require(player), presence=Presence.LEFT, missed=0))

    def _entry_of(self, player: str) -> ArenaPlayer | None:
        return next((each for each in self.players if each.player.id == player), None)

    def _require(self, player: str) -> ArenaPlayer:
        entry = self._entry_of(player)
        if entry is None:
            raise TournamentError("arena", player, "the id of a player")
        return entry

    def _with(self, entry: ArenaPlayer) -> Arena:
        players = (entry if each.player.id == entry.player.id else each for each in self.players)
        return replace(self, players=tuple(players))

    # Games

    @property
    def playing(self) -> frozenset[str]:
        """Ids of the players in a running game."""
        running = (game for game in self.games if game.outcome is None)
        return frozenset(player for game in running for player in (game.white, game.black))

    @property
    def waiting(self) -> tuple[ArenaPlayer, ...]:
        """Present players without a running game."""
        busy = self.playing
        return tuple(
            each
            for each in self.players
            if each.presence is Presence.HERE and each.player.id not in busy
        )

    def begin(self, pairings: Iterable[Pairing]) -> Arena:
        """Begin the games of a wave; waiting players without a game have missed it."""
        waiting = {each.player.id for each in self.waiting}
        new = [ArenaGame(pairing.white, pairing.black) for pairing in pairings]
        paired = [player for game in new for player in (game.white, game.black)]
        for player in paired:
            if player not in waiting or paired.count(player) > 1:
                raise TournamentError("wave", player, "waiting players, each once")
        players = (
            replace(each, missed=0 if each.player.id in paired else each.missed + 1)
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
        """Record the result of a game; `game` is its index in `games`, from 0."""
        checks.integer("game", game, 0, len(self.games) - 1)
        game_played = self.games[game]
        if game_played.outcome is not None:
            raise TournamentError(f"game {game}", game_played.outcome, "an unfinished game")
        finished_game = ArenaGame(
            game_played.white, game_played.black, Outcome(outcome), white_berserk, black_berserk
        )
        games = (*self.games[:game], finished_game, *self.games[game + 1 :])
        return replace(self, games=games, finished=(*self.finished, game))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Score:
    """A player's score in one game."""

    game: int
    """Index in `Arena.games`, from 0."""
    points: int
    doubled: bool
    berserk: bool
    """Whether it includes the extra point for going berserk."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArenaStanding:
    """A row of the standings of an arena."""

    rank: int
    """From 1; players equal in points and performance share it."""
    player: Player
    points: int
    scores: tuple[Score, ...]
    """In order of the games' end."""
    on_streak: bool
    """Whether the next game counts double."""
    games: int
    wins: int
    performance: int | None
    """None without a game against a rated opponent."""


def standings(arena: Arena) -> tuple[ArenaStanding, ...]:
    """Return the standings by points and performance; ties are listed by rating and arrival."""
    tallies = {each.player.id: _Tally(each.player) for each in arena.players}
    for number in arena.finished:
        game = arena.games[number]
        assert game.outcome is not None  # noqa: S101  guaranteed by the arena
        white, black = tallies[game.white], tallies[game.black]
        white.add(number, game.outcome, True, game.white_berserk, black.player)
        black.add(number, game.outcome, False, game.black_berserk, white.player)
    rows = sorted(tallies.values(), key=lambda each: (each.key, -each.player.rating))
    result: list[ArenaStanding] = []
    for position, tally in enumerate(rows, 1):
        is_tied = position > 1 and rows[position - 2].key == tally.key
        result.append(tally.standing(result[-1].rank if is_tied else position))
    return tuple(result)


class _Tally:
    """Accumulator of a player's games."""

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
        """Sort key, best player first."""
        performance = self.performance
        return -self.points, performance is None, -(performance or 0)

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
    """Return the games of a wave among the waiting players; `Arena.begin` begins them.

    The pairing is a minimum-cost matching with the maximum number of pairs: the cost is the
    difference in rank and rating, with a penalty for colours. Immediate rematches are excluded
    unless only two players are present, and players who missed waves have priority. White goes to
    the player due for it. `seed` breaks ties, so the result is deterministic. Up to ten players are
    matched by exhaustive search, more in groups of 44.
    """
    rows = standings(arena)
    ranks = {row.player.id: place for place, row in enumerate(rows, 1)}
    waiting = sorted(arena.waiting, key=lambda each: ranks[each.player.id])
    present = sum(each.presence is Presence.HERE for each in arena.players)
    last = {} if present <= 2 else _last_opponents(arena)
    balance, last_white = _colours(arena)
    rng = random.Random(f"arena {seed} {len(arena.games)}")
    pairings: list[Pairing] = []
    for start in range(0, len(waiting), GROUP):
        group = waiting[start : start + GROUP]
        ids = [each.player.id for each in group]
        costs = {}
        for j, other in enumerate(group):
            for i, one in enumerate(group[:j]):
                if last.get(ids[i]) != ids[j] and last.get(ids[j]) != ids[i]:
                    cost = _cost(one, other, ranks, len(rows), balance)
                    costs[i, j] = cost * _RANDOM_SCALE + rng.randrange(_RANDOM_SCALE)
        for i, j in matching.cheapest(len(group), costs):
            colour_keys = [(balance.get(ids[n], 0), last_white.get(ids[n], -1)) for n in (i, j)]
            random_first = rng.random() < 0.5
            first = (
                random_first
                if colour_keys[0] == colour_keys[1]
                else colour_keys[0] < colour_keys[1]
            )
            pairings.append(Pairing(ids[i], ids[j]) if first else Pairing(ids[j], ids[i]))
    return tuple(pairings)


def _cost(
    one: ArenaPlayer,
    other: ArenaPlayer,
    ranks: Mapping[str, int],
    count: int,
    balance: Mapping[str, int],
) -> int:
    positions = (ranks[one.player.id], ranks[other.player.id])
    top = 1 - (min(positions) - 1) / count  # 1 for the leader, 0 for the last
    rank_cost = abs(positions[0] - positions[1]) * (
        _RANK_COST + (_RANK_COST_AT_TOP - _RANK_COST) * top
    )
    rating_cost = abs(one.player.rating - other.player.rating)
    due = [balance.get(each.player.id, 0) for each in (one, other)]
    colours = min(map(abs, due)) * _COLOUR_COST if due[0] * due[1] > 0 else 0
    return round(rank_cost + rating_cost + colours) - _MISSED_BONUS * (one.missed + other.missed)


def _last_opponents(arena: Arena) -> dict[str, str]:
    last = {}
    for game in arena.games:
        last[game.white], last[game.black] = game.black, game.white
    return last


def _colours(arena: Arena) -> tuple[dict[str, int], dict[str, int]]:
    """Return by id the surplus of games with White, and the index of the last game with White."""
    balance: dict[str, int] = {}
    last_white: dict[str, int] = {}
    for number, game in enumerate(arena.games):
        balance[game.white] = balance.get(game.white, 0) + 1
        balance[game.black] = balance.get(game.black, 0) - 1
        last_white[game.white] = number
    return balance, last_white
