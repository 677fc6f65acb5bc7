"""Values for display: the boards of a round, and the cross table."""

from __future__ import annotations

from dataclasses import dataclass

from damka.tournament import checks
from damka.tournament.history import Record, history, scores
from damka.tournament.players import Player
from damka.tournament.rounds import Bye, Outcome
from damka.tournament.standings import Standing, standings
from damka.tournament.tournament import System, Tournament

__all__ = ["Board", "Boards", "Cell", "CrossRow", "boards", "cross_table", "number"]


def number(points: float) -> str:
    """Format points.

    >>> from damka.tournament import number
    >>> number(7.5), number(0.5), number(12)
    ('7½', '½', '12')
    """
    whole_part = int(points)
    return f"{whole_part or ''}½" if points != whole_part else str(whole_part)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Board:
    """A board of a round."""

    board: int
    """From 1."""
    white: Player
    black: Player
    white_points: float
    """Points before the round."""
    black_points: float
    outcomes: tuple[Outcome | None, ...]
    result: str
    """Points of both, "2-0", with "+" and "-" for forfeits; "" for an unfinished game."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Boards:
    """The pairings of a round."""

    round: int
    boards: tuple[Board, ...]
    byes: tuple[tuple[Player, Bye], ...]


def boards(tournament: Tournament, round: int) -> Boards:  # noqa: A002
    """Return the pairings of a round. Raises TournamentError when there is no such round."""
    checks.integer("round", round, 1, len(tournament.rounds))
    before = scores(tournament, round - 1)
    players = {player.id: player for player in tournament.players}
    round_ = tournament.rounds[round - 1]
    rows = tuple(
        Board(
            index,
            players[pairing.white],
            players[pairing.black],
            before[pairing.white],
            before[pairing.black],
            pairing.outcomes,
            _result(tournament, pairing.outcomes),
        )
        for index, pairing in enumerate(round_.pairings, 1)
    )
    return Boards(round, rows, tuple((players[bye.player], bye) for bye in round_.byes))


def _result(tournament: Tournament, outcomes: tuple[Outcome | None, ...]) -> str:
    if None in outcomes:
        return ""
    sums = [0.0, 0.0]
    for index, outcome in enumerate(outcomes):
        if outcome is not None and not outcome.played and len(outcomes) == 1:
            return outcome.value.replace(":", "/")
        for side in (0, 1):
            sums[side] += tournament.points.game(outcome, (side == 0) == (index % 2 == 0))
    return f"{number(sums[0])}-{number(sums[1])}"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Cell:
    """A game or a bye in a cross table."""

    round: int
    opponent: int | None
    """Line of the opponent; None for a bye."""
    colour: str
    """ "w", "b", or "" for a bye."""
    mark: str
    """Points, "+" or "-" for a forfeit, or the letter of a bye; "" for an unfinished game."""

    def __str__(self) -> str:
        """Format as "12w2", as in a table by rounds."""
        return f"{self.opponent or ''}{self.colour}{self.mark}"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class CrossRow:
    """A line of a cross table."""

    standing: Standing
    line: int
    """From 1; referenced by `Cell.opponent`."""
    cells: tuple[tuple[Cell, ...], ...]
    """In a Swiss tournament the games of each round; in a round robin the games against the player
    of each line, empty against oneself."""


def cross_table(tournament: Tournament, rounds: int | None = None) -> tuple[CrossRow, ...]:
    """Return the cross table after `rounds` rounds, None for all, in order of the standings."""
    rows = standings(tournament, rounds)
    records = history(tournament, rounds)
    lines = {row.player.id: line for line, row in enumerate(rows, 1)}
    round_count = len(tournament.rounds[:rounds])
    result = []
    for line, row in enumerate(rows, 1):
        cells = [_cell(record, lines) for record in records[row.player.id]]
        if tournament.system is System.ROUND_ROBIN:
            columns = [
                tuple(cell for cell in cells if cell.opponent == other)
                for other in range(1, len(rows) + 1)
            ]
        else:
            columns = [
                tuple(cell for cell in cells if cell.round == each)
                for each in range(1, round_count + 1)
            ]
        result.append(CrossRow(row, line, tuple(columns)))
    return tuple(result)


def _cell(record: Record, lines: dict[str, int]) -> Cell:
    if record.bye is not None:
        return Cell(record.round, None, "", record.bye.value)
    if record.outcome is None:
        mark = ""
    elif record.outcome.played:
        mark = number(record.points)
    else:
        mark = "+" if record.won else "-"
    colour = "w" if record.white else "b"
    return Cell(record.round, lines[str(record.opponent)], colour, mark)
