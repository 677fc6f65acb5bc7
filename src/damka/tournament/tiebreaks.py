"""Tie-breaks between players with equal points.

Unplayed games, that is, byes and forfeits, count according to `Unplayed`. By default:

- A player's own unplayed game counts as a game against a virtual opponent, who had as many points
  as the player before it, gets the opposite result (a win where the player scores nothing), and
  draws all following games (Swiss tournaments, FIDE 1998 to 2023).
- In an opponent's points, each unplayed game counts as a draw.

In a round robin forfeits count as games, because everyone plays everyone; byes add nothing.
Unfinished games add nothing. `WINS` and `PERFORMANCE` count only played games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from damka.rating import performance
from damka.tournament.history import Record, history
from damka.tournament.tournament import System, TieBreak, Tournament, Unplayed

__all__ = ["Sheets", "direct_encounter", "read", "value"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Sheets:
    """Input of the tie-breaks, created by `read`."""

    tournament: Tournament
    records: Mapping[str, tuple[Record, ...]]
    scores: Mapping[str, float]
    """Points by id."""
    adjusted: Mapping[str, float]
    """Points by id, as adjusted for opponents."""
    ratings: Mapping[str, int]


def read(tournament: Tournament, rounds: int | None = None) -> Sheets:
    """Return the input after `rounds` rounds, None for all."""
    records = history(tournament, rounds)
    scores = {player: sum(r.points for r in own) for player, own in records.items()}
    adjusted = scores
    if _uses_virtual(tournament):
        draw = tournament.points.draw
        adjusted = {
            player: sum(r.points if r.played or r.pending else draw for r in own)
            for player, own in records.items()
        }
    ratings = {player.id: player.rating for player in tournament.players}
    return Sheets(tournament, records, scores, adjusted, ratings)


def _uses_virtual(tournament: Tournament) -> bool:
    return tournament.unplayed is Unplayed.VIRTUAL and tournament.system is System.SWISS


def value(sheets: Sheets, player: str, tie_break: TieBreak) -> float | None:
    """Return the value of a player's tie-break; an undefined value is None and ranks last.

    `DIRECT_ENCOUNTER` depends on the tied players and is always None here: see `direct_encounter`.
    """
    return _VALUES[tie_break](sheets, player)


def _terms(sheets: Sheets, player: str) -> list[tuple[float, float]]:
    """Return the opponent's points and the player's share of a win for each counted game."""
    points = sheets.tournament.points
    robin = sheets.tournament.system is System.ROUND_ROBIN
    own = sheets.records[player]
    terms, before = [], 0.0
    for index, record in enumerate(own):
        share = _share(sheets, record)
        if record.opponent is not None and (record.played or (robin and not record.pending)):
            terms.append((sheets.adjusted[record.opponent], share))
        elif not record.pending and _uses_virtual(sheets.tournament):
            other = {1.0: points.loss, 0.5: points.draw}.get(share, points.win)
            rest = (len(own) - index - 1) * points.draw
            terms.append((before + other + rest, share))
        before += record.points
    return terms


def _share(sheets: Sheets, record: Record) -> float:
    """Return 1 for the points of a win, ½ for those of a draw, else 0."""
    points = sheets.tournament.points
    if record.points >= points.win:
        return 1.0
    return 0.5 if record.points >= points.draw and record.points > points.loss else 0.0


def _solkoff(sheets: Sheets, player: str) -> float:
    return float(sum(other for other, _ in _terms(sheets, player)))


def _solkoff_cut_1(sheets: Sheets, player: str) -> float:
    others = [other for other, _ in _terms(sheets, player)]
    return float(sum(others) - min(others, default=0))


def _sonneborn_berger(sheets: Sheets, player: str) -> float:
    return float(sum(other * share for other, share in _terms(sheets, player)))


def _wins(sheets: Sheets, player: str) -> float:
    return sum(record.played and record.won for record in sheets.records[player])


def _performance(sheets: Sheets, player: str) -> float | None:
    rated = [
        (sheets.ratings[record.opponent], _share(sheets, record))
        for record in sheets.records[player]
        if record.played and record.opponent is not None and sheets.ratings[record.opponent]
    ]
    if not rated:
        return None
    return performance([rating for rating, _ in rated], sum(s for _, s in rated) / len(rated))


def _cumulative(sheets: Sheets, player: str) -> float:
    after: dict[int, float] = {}
    total = 0.0
    for record in sheets.records[player]:
        total += record.points
        after[record.round] = total
    return float(sum(after.values()))


def _none(sheets: Sheets, player: str) -> None:
    return None


_VALUES: Final[Mapping[TieBreak, Callable[[Sheets, str], float | None]]] = {
    TieBreak.SOLKOFF: _solkoff,
    TieBreak.SOLKOFF_CUT_1: _solkoff_cut_1,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.DIRECT_ENCOUNTER: _none,
    TieBreak.WINS: _wins,
    TieBreak.PERFORMANCE: _performance,
    TieBreak.CUMULATIVE: _cumulative,
}


def direct_encounter(sheets: Sheets, tied: Sequence[str]) -> dict[str, float] | None:
    """Return points from the games between the players; None unless all of them have met.

    Forfeits count with their points.
    """
    group = set(tied)
    points = {}
    for player in tied:
        games = [each for each in sheets.records[player] if each.opponent in group]
        if {each.opponent for each in games if not each.pending} != group - {player}:
            return None
        points[player] = sum(each.points for each in games)
    return points
