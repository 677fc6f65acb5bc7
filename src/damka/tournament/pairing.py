"""The next round of a tournament, by its system."""

from __future__ import annotations

from damka.tournament import round_robin, swiss
from damka.tournament.rounds import Round
from damka.tournament.tournament import System, Tournament

__all__ = ["pair"]


def pair(tournament: Tournament) -> Round:
    """Return the next round; `Tournament.add` adds it, as it is or changed by the arbiter.

    Raises TournamentError where a game is not over, all rounds are paired, or there is no pairing:
    `damka.tournament.swiss` and `damka.tournament.round_robin` say more. A Swiss pairing needs
    `pip install 'damka[events]'`.
    """
    if tournament.system is System.ROUND_ROBIN:
        return round_robin.pair(tournament)
    return swiss.pair(tournament)
