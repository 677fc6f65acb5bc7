"""Game-by-game records of the players, with points."""

from __future__ import annotations

from dataclasses import dataclass

from damka.tournament.rounds import ByeKind, Outcome
from damka.tournament.tournament import Tournament

__all__ = ["Record", "history", "scores"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Record:
    """A game or a bye of a player."""

    round: int
    """From 1."""
    points: float
    opponent: str | None = None
    """Opponent's id; None for a bye."""
    white: bool = False
    """Whether the player had White; False for a bye."""
    outcome: Outcome | None = None
    """None for a bye or an unfinished game."""
    bye: ByeKind | None = None
    """None for a game."""

    @property
    def played(self) -> bool:
        """Whether a game was played and is over."""
        return self.outcome is not None and self.outcome.played

    @property
    def won(self) -> bool:
        """Whether the player won, at the board or by forfeit."""
        if self.outcome is None:
            return False
        return self.outcome.white_wins if self.white else self.outcome.black_wins

    @property
    def pending(self) -> bool:
        """Whether this is an unfinished game."""
        return self.bye is None and self.outcome is None


def history(tournament: Tournament, rounds: int | None = None) -> dict[str, tuple[Record, ...]]:
    """Return the records of every player by id, in the order of the games.

    All players have the same number of records: a bye has one for each game of a pairing. `rounds`
    is the number of rounds to include, None for all.
    """
    points = tournament.points
    records_of: dict[str, list[Record]] = {player.id: [] for player in tournament.players}
    for number, each in enumerate(tournament.rounds[:rounds], 1):
        for pairing in each.pairings:
            for white, black, outcome in pairing.games():
                for player, other, is_white in ((white, black, True), (black, white, False)):
                    game_points = points.game(outcome, is_white)
                    records_of[player].append(Record(number, game_points, other, is_white, outcome))
        byes = {bye.player: bye.kind for bye in each.byes}
        for player, records in records_of.items():
            if len(records) < number * tournament.games:
                kind = byes.get(player, ByeKind.ZERO)
                record = Record(number, points.bye(kind), bye=kind)
                records.extend([record] * tournament.games)
    return {player: tuple(records) for player, records in records_of.items()}


def scores(tournament: Tournament, rounds: int | None = None) -> dict[str, float]:
    """Return the points of every player by id after `rounds` rounds, None for all."""
    return {
        player: sum(record.points for record in records)
        for player, records in history(tournament, rounds).items()
    }
