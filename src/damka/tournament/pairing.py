"""Pairing of the next round, by the tournament's system."""

from __future__ import annotations

from damka.tournament import round_robin, swiss
from damka.tournament.rounds import Round
from damka.tournament.tournament import System, Tournament

__all__ = ["pair"]


def pair(tournament: Tournament) -> Round:
    """Return the next round; add it with `Tournament.add`, perhaps after changes by the arbiter.

    Raises TournamentError when a game is unfinished, all rounds are paired, or no pairing exists;
    see `damka.tournament.swiss` and `damka.tournament.round_robin`. A Swiss pairing needs
    `pip install 'damka[events]'`.
    """
    if tournament.system is System.ROUND_ROBIN:
        return round_robin.pair(tournament)
    return swiss.pair(tournament)
