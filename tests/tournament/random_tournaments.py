"""Random tournaments: entries, absences and results, reproducible by seed."""

from __future__ import annotations

import random
from typing import Final

from damka.tournament import ByeKind, Outcome, Player, PointSystem, Tournament

__all__ = ["begin", "play", "prepare_round"]

_POINTS: Final = (PointSystem(2, 1, 0), PointSystem(1, 0.5, 0), PointSystem(3, 1, 0))
_FORFEIT: Final = 0.06
_BYE: Final = 0.08
_LEAVES: Final = 0.03
_LATE: Final = 0.15


def begin(rng: random.Random) -> Tournament:
    """Return a tournament before its first round: few players, and half as many rounds."""
    count = rng.randint(6, 24)
    length = rng.randint(3, max(3, min(9, count // 2 + 1)))
    tournament = Tournament(
        name="Random",
        length=length,
        points=rng.choice(_POINTS),
        top_seed_white=rng.random() < 0.5,
    )
    return tournament.enter(*(_player(rng, number) for number in range(1, count + 1)))


def _player(rng: random.Random, number: int) -> Player:
    return Player(str(1000 + number), f"Player {number}", rng.randint(1200, 2400))


def prepare_round(rng: random.Random, tournament: Tournament) -> Tournament:
    """Return the tournament before its next round: some enter late, withdraw or request a bye."""
    number = len(tournament.rounds) + 1
    if 1 < number <= 3 and rng.random() < _LATE:
        late = _player(rng, len(tournament.players) + 1)
        tournament = tournament.enter(late, missed=rng.choice((ByeKind.ZERO, ByeKind.HALF)))
    for player in tournament.active:
        if len(tournament.active) > 6 and number > 1 and rng.random() < _LEAVES:
            tournament = tournament.withdraw(player.id)
        elif rng.random() < _BYE:
            kind = rng.choice((ByeKind.HALF, ByeKind.HALF, ByeKind.ZERO, ByeKind.FULL))
            tournament = tournament.request_bye(player.id, number, kind)
    return tournament


def play(rng: random.Random, tournament: Tournament) -> Tournament:
    """Return the tournament with its last round played; higher ratings win more often."""
    number = len(tournament.rounds)
    ratings = {player.id: player.rating for player in tournament.players}
    for board, pairing in enumerate(tournament.rounds[-1].pairings, 1):
        if rng.random() < _FORFEIT:
            outcome = rng.choice(
                (Outcome.WHITE_BY_FORFEIT, Outcome.BLACK_BY_FORFEIT, Outcome.DOUBLE_FORFEIT)
            )
        else:
            gap = ratings[pairing.white] - ratings[pairing.black]
            chance = 1 / (1 + 10 ** (-gap / 400))
            drawn = rng.random() < 0.3
            won = rng.random() < chance
            outcome = Outcome.DRAW if drawn else Outcome.WHITE if won else Outcome.BLACK
        tournament = tournament.record(number, board, outcome)
    return tournament
