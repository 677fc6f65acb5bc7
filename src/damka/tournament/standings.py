"""Standings by points and tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from damka.tournament import tiebreaks
from damka.tournament.players import Player
from damka.tournament.tournament import TieBreak, Tournament

__all__ = ["Standing", "standings"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Standing:
    """A row of the standings."""

    rank: int
    """From 1; players equal in all criteria share it."""
    player: Player
    number: int
    """Pairing number, from 1."""
    points: float
    games: int
    """Number of played games, without byes and forfeits."""
    wins: int
    draws: int
    losses: int
    tie_breaks: tuple[float | None, ...]
    """Values of the tournament's tie-breaks, in order; None for an undefined one."""


def standings(tournament: Tournament, rounds: int | None = None) -> tuple[Standing, ...]:
    """Return the standings after `rounds` rounds, None for all; best player first.

    Players equal in all criteria are listed by pairing number.
    """
    sheets = tiebreaks.read(tournament, rounds)
    values: dict[str, dict[TieBreak, float | None]] = {
        player.id: {
            each: tiebreaks.value(sheets, player.id, each) for each in tournament.tie_breaks
        }
        for player in tournament.players
    }
    groups = [[player.id for player in tournament.players]]
    groups = _split(groups, lambda player: sheets.scores[player])
    for each in tournament.tie_breaks:
        if each is TieBreak.DIRECT_ENCOUNTER:
            for group in groups:
                met = tiebreaks.direct_encounter(sheets, group) if len(group) > 1 else None
                for player, points in (met or {}).items():
                    values[player][each] = points
        groups = _split(groups, lambda player, each=each: values[player][each])  # type: ignore[misc]

    numbers = {player.id: number for number, player in enumerate(tournament.players, 1)}
    rows: list[Standing] = []
    for group in groups:
        rank = len(rows) + 1
        for player in group:
            played = [record for record in sheets.records[player] if record.played]
            wins = sum(record.won for record in played)
            draws = sum(record.outcome is not None and record.outcome.drawn for record in played)
            rows.append(
                Standing(
                    rank,
                    tournament.players[numbers[player] - 1],
                    numbers[player],
                    sheets.scores[player],
                    len(played),
                    wins,
                    draws,
                    len(played) - wins - draws,
                    tuple(values[player][each] for each in tournament.tie_breaks),
                )
            )
    return tuple(rows)


def _split(groups: Sequence[Sequence[str]], key: Callable[[str], float | None]) -> list[list[str]]:
    """Split groups of equal players by a value, highest first, None last."""

    def descending(player: str) -> tuple[bool, float]:
        value = key(player)
        return value is None, -(value or 0)

    return [
        list(part)
        for group in groups
        for _, part in groupby(sorted(group, key=descending), key=descending)
    ]
