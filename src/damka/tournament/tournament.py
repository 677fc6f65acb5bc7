"""The class `Tournament`: an immutable value with players, rounds and outcomes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from damka.errors import TournamentError
from damka.tournament import checks
from damka.tournament.players import Player
from damka.tournament.points import DRAUGHTS, PointSystem
from damka.tournament.rounds import Bye, ByeKind, Outcome, Pairing, Round

__all__ = [
    "DEFAULT_TIE_BREAKS",
    "Correction",
    "RequestedBye",
    "System",
    "TieBreak",
    "Tournament",
    "Unplayed",
]

RENUMBERED_BEFORE: Final = 4
"""Before this many rounds are paired, a late entry is inserted into the starting list by rating;
afterwards pairing numbers are fixed and it is appended."""

_MAX_FORBIDDEN: Final = 1_000
_MAX_CORRECTIONS: Final = 10_000


class System(StrEnum):
    """Pairing system."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"


class TieBreak(StrEnum):
    """Tie-break between players with equal points; rules in `damka.tournament.tiebreaks`."""

    SOLKOFF = "solkoff"
    """Sum of the opponents' points; in chess, Buchholz."""
    SOLKOFF_CUT_1 = "solkoff-cut-1"
    """Solkoff without the lowest value."""
    SONNEBORN_BERGER = "sonneborn-berger"
    """Points of the opponents beaten, and half of those drawn with."""
    DIRECT_ENCOUNTER = "direct-encounter"
    """Points in the games between tied players, if all of them have met."""
    WINS = "wins"
    """Number of games won at the board."""
    PERFORMANCE = "performance"
    """Performance rating."""
    CUMULATIVE = "cumulative"
    """Sum of the points after each round."""


DEFAULT_TIE_BREAKS: Final = (
    TieBreak.SOLKOFF,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.PERFORMANCE,
)


class Unplayed(StrEnum):
    """How byes and forfeits count in Solkoff and Sonneborn-Berger."""

    VIRTUAL = "virtual"
    """A game against a virtual opponent, who had as many points as the player before the game, gets
    the opposite result and draws every game after; in opponents' points, each unplayed game counts
    as a draw."""
    AS_SCORED = "as-scored"
    """Unplayed games add nothing; opponents' points are not adjusted."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RequestedBye:
    """A bye requested by a player for a round."""

    player: str
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Correction:
    """A correction of an outcome by the arbiter: old and new outcome, who, when and why."""

    round: int
    board: int
    game: int
    before: Outcome | None
    after: Outcome | None
    by: str
    at: datetime
    why: str = ""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Tournament:
    """A tournament. Immutable: `enter`, `record` and the others return a new one.

    Rounds, boards and games are counted from 1. Raises TournamentError for invalid values.
    """

    name: str
    length: int
    """Number of rounds, 1 to 100."""
    system: System = System.SWISS
    points: PointSystem = DRAUGHTS
    games: int = 1
    """Games per pairing in a round, 1 or 2."""
    top_seed_white: bool = True
    """Whether the first of the starting list, and all odd numbers, begin with White (by lot)."""
    tie_breaks: tuple[TieBreak, ...] = DEFAULT_TIE_BREAKS
    unplayed: Unplayed = Unplayed.VIRTUAL
    site: str = ""
    federation: str = ""
    arbiter: str = ""
    begins: date | None = None
    ends: date | None = None
    players: tuple[Player, ...] = ()
    """The starting list; the position, from 1, is the pairing number."""
    withdrawn: tuple[str, ...] = ()
    """Ids of players who have withdrawn."""
    requested_byes: tuple[RequestedBye, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    """Pairs of ids that must not be paired."""
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Correction, ...] = ()

    def __post_init__(self) -> None:
        checks.text("name", self.name, 1)
        checks.integer("length", self.length, 1, checks.MAX_ROUNDS)
        checks.integer("games", self.games, 1, 2)
        checks.text("site", self.site)
        checks.text("arbiter", self.arbiter)
        checks.text("federation", self.federation, 0, 3)
        checks.size("players", self.players, checks.MAX_PLAYERS)
        checks.size("rounds", self.rounds, self.length)
        checks.size("forbidden", self.forbidden, _MAX_FORBIDDEN)
        checks.size("corrections", self.corrections, _MAX_CORRECTIONS)
        checks.size("requested_byes", self.requested_byes, checks.MAX_PLAYERS * checks.MAX_ROUNDS)
        if len(set(self.tie_breaks)) != len(self.tie_breaks):
            raise TournamentError("tie_breaks", ", ".join(self.tie_breaks), "each at most once")
        ids = {player.id for player in self.players}
        if len(ids) < len(self.players):
            count = Counter(player.id for player in self.players)
            raise TournamentError("players", count.most_common(1)[0][0], "each id once")
        self._check_ids(ids)
        for number, each in enumerate(self.rounds, 1):
            self._check_round(number, each, ids)

    def _check_ids(self, ids: set[str]) -> None:
        named = [("withdrawn", player) for player in self.withdrawn]
        named += [("requested_byes", bye.player) for bye in self.requested_byes]
        named += [("forbidden", player) for pair in self.forbidden for player in pair]
        for where, player in named:
            if player not in ids:
                raise TournamentError(where, player, "the id of a player")
        for pair in self.forbidden:
            if len(pair) != 2 or pair[0] == pair[1]:
                raise TournamentError("forbidden", " and ".join(pair), "two different players")
        for bye in self.requested_byes:
            checks.integer(f"bye of {bye.player}, round", bye.round, 1, self.length)
            if bye.kind is ByeKind.ALLOCATED:
                raise TournamentError(f"bye of {bye.player}", bye.kind, "F, H or Z")

    def _check_round(self, number: int, each: Round, ids: set[str]) -> None:
        seen: set[str] = set()
        for player in (
            *(player for pairing in each.pairings for player in (pairing.white, pairing.black)),
            *(bye.player for bye in each.byes),
        ):
            if player not in ids:
                raise TournamentError(f"round {number}", player, "the id of a player")
            if player in seen:
                raise TournamentError(f"round {number}", player, "each player once")
            seen.add(player)
        for board, pairing in enumerate(each.pairings, 1):
            if len(pairing.outcomes) != self.games:
                where = f"round {number}, board {board}"
                raise TournamentError(where, len(pairing.outcomes), f"{self.games} outcomes")

    # Players

    def player(self, player: str) -> Player:
        """Return a player by id. Raises TournamentError for an unknown id."""
        for each in self.players:
            if each.id == player:
                return each
        raise TournamentError("player", player, "the id of a player")

    def number(self, player: str) -> int:
        """Return a player's pairing number, from 1. Raises TournamentError for an unknown id."""
        return self.players.index(self.player(player)) + 1

    @property
    def active(self) -> tuple[Player, ...]:
        """Players who have not withdrawn, in order of the starting list."""
        withdrawn = set(self.withdrawn)
        return tuple(player for player in self.players if player.id not in withdrawn)

    def enter(self, *players: Player, missed: ByeKind = ByeKind.ZERO) -> Tournament:
        """Enter players; by rating into the starting list, until four rounds have been paired.

        Rounds already paired count as byes of the kind `missed`. A round robin accepts no late
        entries.
        """
        if not players:
            return self
        if self.rounds and self.system is System.ROUND_ROBIN:
            raise TournamentError("entry", players[0].id, "entries before the first round")
        if missed is ByeKind.ALLOCATED:
            raise TournamentError("entry", missed, "F, H or Z for rounds missed")
        starting_list = [*self.players]
        for player in sorted(players, key=lambda each: each.order):
            lower = (n for n, each in enumerate(starting_list) if each.rating < player.rating)
            renumbered = len(self.rounds) < RENUMBERED_BEFORE
            starting_list.insert(
                next(lower, len(starting_list)) if renumbered else len(starting_list), player
            )
        late = tuple(Bye(player.id, missed) for player in players)
        return replace(
            self,
            players=tuple(starting_list),
            rounds=tuple(replace(each, byes=(*each.byes, *late)) for each in self.rounds),
        )

    def withdraw(self, player: str) -> Tournament:
        """Withdraw a player from the next round on; played games remain."""
        self.player(player)
        if player in self.withdrawn:
            raise TournamentError("withdrawal", player, "a player who has not withdrawn")
        return replace(self, withdrawn=(*self.withdrawn, player))

    def readmit(self, player: str) -> Tournament:
        """Readmit a withdrawn player from the next round on."""
        if player not in self.withdrawn:
            raise TournamentError("return", player, "a player who has withdrawn")
        return replace(self, withdrawn=tuple(each for each in self.withdrawn if each != player))

    def request_bye(self, player: str, round: int, kind: ByeKind = ByeKind.HALF) -> Tournament:  # noqa: A002
        """Request a bye in a round that is not yet paired, replacing an earlier request."""
        self.player(player)
        checks.integer(f"bye of {player}, round", round, len(self.rounds) + 1, self.length)
        other_byes = [
            bye for bye in self.requested_byes if (bye.player, bye.round) != (player, round)
        ]
        return replace(self, requested_byes=(*other_byes, RequestedBye(player, round, kind)))

    def forbid(self, one: str, other: str) -> Tournament:
        """Forbid pairing two players, such as members of a family."""
        return replace(self, forbidden=(*self.forbidden, (one, other)))

    # Rounds

    def add(self, new: Round) -> Tournament:
        """Add a round, paired by this package or by hand.

        The previous round must be over. The round must include every active player and no withdrawn
        one.
        """
        number = len(self.rounds) + 1
        self.check_over()
        if number > self.length:
            raise TournamentError("rounds", number, f"at most {self.length}")
        paired = {bye.player for bye in new.byes}
        for pairing in new.pairings:
            paired |= {pairing.white, pairing.black}
        for player in self.players:
            withdrawn = player.id in self.withdrawn
            if withdrawn and self.system is System.ROUND_ROBIN:
                continue  # its schedule includes withdrawn players
            if (player.id in paired) == withdrawn:
                problem = "withdrawn" if player.id in paired else "left out"
                expected = "every active player, and no withdrawn one"
                raise TournamentError(f"round {number}", f"{player.id} {problem}", expected)
        return replace(self, rounds=(*self.rounds, new))

    def check_over(self) -> None:
        """Raise TournamentError for the first unfinished game of any round."""
        for number, each in enumerate(self.rounds, 1):
            for board, pairing in enumerate(each.pairings, 1):
                if not pairing.over:
                    where = f"round {number}, board {board}"
                    raise TournamentError(where, "no outcome", "all games over")

    def unpair(self) -> Tournament:
        """Remove the last round, provided none of its games is over."""
        if not self.rounds:
            raise TournamentError("rounds", 0, "a paired round")
        for board, pairing in enumerate(self.rounds[-1].pairings, 1):
            if any(pairing.outcomes):
                where = f"round {len(self.rounds)}, board {board}"
                raise TournamentError(where, "an outcome", "a round without finished games")
        return replace(self, rounds=self.rounds[:-1])

    def pairing(self, round: int, board: int) -> Pairing:  # noqa: A002
        """Return a pairing. Raises TournamentError when there is no such pairing."""
        checks.integer("round", round, 1, len(self.rounds))
        pairings = self.rounds[round - 1].pairings
        checks.integer(f"round {round}, board", board, 1, len(pairings))
        return pairings[board - 1]

    def record(self, round: int, board: int, outcome: Outcome, *, game: int = 1) -> Tournament:  # noqa: A002
        """Record the outcome of a game. To replace an outcome, use `correct`."""
        before = self._outcome(round, board, game)
        if before is not None:
            where = f"round {round}, board {board}, game {game}"
            raise TournamentError(where, before, "no outcome yet (use `correct` to change one)")
        return self._with_outcome(round, board, game, Outcome(outcome))

    def correct(
        self,
        round: int,  # noqa: A002
        board: int,
        outcome: Outcome | None,
        *,
        by: str,
        at: datetime,
        why: str = "",
        game: int = 1,
    ) -> Tournament:
        """Correct the outcome of a game, None to delete it; the change is logged in `corrections`.

        Pairings of later rounds are unchanged.
        """
        checks.text("correction, by", by, 1)
        checks.text("correction, why", why, 0, 500)
        before = self._outcome(round, board, game)
        if before == outcome:
            where = f"round {round}, board {board}, game {game}"
            raise TournamentError(where, outcome, "another outcome")
        entry = Correction(round, board, game, before, outcome, by, at, why)
        changed = self._with_outcome(round, board, game, outcome)
        return replace(changed, corrections=(*self.corrections, entry))

    def _outcome(self, number: int, board: int, game: int) -> Outcome | None:
        pairing = self.pairing(number, board)
        checks.integer(f"round {number}, board {board}, game", game, 1, self.games)
        return pairing.outcomes[game - 1]

    def _with_outcome(
        self, number: int, board: int, game: int, outcome: Outcome | None
    ) -> Tournament:
        pairing = self.pairing(number, board)
        outcomes = _replace_at(pairing.outcomes, game - 1, outcome)
        each = self.rounds[number - 1]
        pairings = _replace_at(each.pairings, board - 1, replace(pairing, outcomes=outcomes))
        rounds = _replace_at(self.rounds, number - 1, replace(each, pairings=pairings))
        return replace(self, rounds=rounds)


def _replace_at(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
