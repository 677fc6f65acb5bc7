"""Round robins by Berger tables."""

from __future__ import annotations

from typing import Final

from damka.errors import TournamentError
from damka.tournament.rounds import Bye, ByeKind, Outcome, Pairing, Round
from damka.tournament.tournament import System, Tournament

__all__ = ["berger", "pair", "rounds_for", "schedule"]


def __dir__() -> list[str]:
    return __all__


_FORFEITS: Final = {
    (False, False): None,
    (False, True): Outcome.WHITE_BY_FORFEIT,
    (True, False): Outcome.BLACK_BY_FORFEIT,
    (True, True): Outcome.DOUBLE_FORFEIT,
}
"""Outcome of a game by whether White and Black have withdrawn."""


def berger(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the Berger table: the pairs of each round, White first, as numbers from 1 to `count`.

    `count` is even: with an odd number of players, the last number stands for a bye.

    >>> from damka.tournament.round_robin import berger
    >>> berger(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if count < 2 or count % 2:
        raise ValueError(f"count: an even number of 2 or more, not {count}")
    others, half = count - 1, count // 2
    table = []
    for number in range(others):
        # In each round, the circle of all players but the last turns by half its length.
        top = number * half % others
        last = (top + 1, count) if number % 2 == 0 else (count, top + 1)
        rest = ((((top + i) % others) + 1, ((top - i) % others) + 1) for i in range(1, half))
        table.append((last, *rest))
    return tuple(table)


def schedule(tournament: Tournament) -> tuple[Round, ...]:
    """Return all rounds of a round robin; its length may be several cycles.

    Colours are reversed in every second cycle. A bye scores nothing, since every player has one.
    Games of withdrawn players are forfeits. Raises TournamentError when the length is not a
    multiple of the rounds of one cycle, and for fewer than two players.
    """
    if tournament.system is not System.ROUND_ROBIN:
        raise TournamentError("system", tournament.system, System.ROUND_ROBIN)
    count = len(tournament.players)
    if count < 2:
        raise TournamentError("players", count, "2 or more")
    table = berger(count + count % 2)
    if tournament.length % len(table):
        expected = f"{len(table)} rounds for {count} players, or a multiple"
        raise TournamentError("length", tournament.length, expected)
    return tuple(
        _round(table[number % len(table)], number // len(table) % 2 == 1, tournament)
        for number in range(tournament.length)
    )


def _round(table: tuple[tuple[int, int], ...], swapped: bool, tournament: Tournament) -> Round:
    players = tournament.players
    pairings, byes = [], []
    for pair in table:
        white, black = reversed(pair) if swapped else pair
        if max(pair) > len(players):
            byes.append(Bye(players[min(pair) - 1].id, ByeKind.ZERO))
        else:
            one, other = players[white - 1].id, players[black - 1].id
            withdrawn = (one in tournament.withdrawn, other in tournament.withdrawn)
            outcomes = (_FORFEITS[withdrawn], _FORFEITS[withdrawn[::-1]])[: tournament.games]
            pairings.append(Pairing(one, other, outcomes))
    return Round(tuple(pairings), tuple(byes))


def pair(tournament: Tournament) -> Round:
    """Return the next round of a round robin. Raises TournamentError as `schedule` does."""
    tournament.check_over()
    number = len(tournament.rounds)
    if number >= tournament.length:
        raise TournamentError("rounds", number + 1, f"at most {tournament.length}")
    return schedule(tournament)[number]


def rounds_for(players: int, cycles: int = 1) -> int:
    """Return the number of rounds for these players, with `cycles` games per pair."""
    return (players - 1 + players % 2) * cycles
