"""Tournaments: pairings, standings and tables, as immutable values without clock or database.

>>> from damka.tournament import Outcome, Player, Tournament, pair, standings
>>> event = Tournament(name="Club evening", length=3)
>>> event = event.enter(*(Player(str(n), f"Player {n}", 1500 - n) for n in range(1, 5)))
>>> event = event.add(pair(event))
>>> [(each.white, each.black) for each in event.rounds[0].pairings]
[('1', '3'), ('4', '2')]
>>> event = event.record(1, 1, Outcome.WHITE).record(1, 2, Outcome.DRAW)
>>> [(row.rank, row.player.name, row.points) for row in standings(event)][:2]
[(1, 'Player 1', 2), (2, 'Player 4', 1)]

`Tournament` is a Swiss tournament or a round robin; `damka.tournament.arena` and
`damka.tournament.lobby` pair waiting players in waves. docs/build/tournament-library.md is a guide.
"""

from damka.tournament.display import Board, Boards, Cell, CrossRow, boards, cross_table, number
from damka.tournament.file import dump, parse, parse_arena
from damka.tournament.headers import headers
from damka.tournament.history import Record, history, scores
from damka.tournament.pairing import pair
from damka.tournament.players import Player
from damka.tournament.points import CLASSIC, DRAUGHTS, THREE_POINTS, PointSystem
from damka.tournament.rounds import Bye, ByeKind, Outcome, Pairing, Round
from damka.tournament.standings import Standing, standings
from damka.tournament.swiss import most_rounds, repeated_byes, sure_rounds
from damka.tournament.tournament import (
    DEFAULT_TIE_BREAKS,
    Correction,
    RequestedBye,
    System,
    TieBreak,
    Tournament,
    Unplayed,
)

__all__ = [
    "CLASSIC",
    "DEFAULT_TIE_BREAKS",
    "DRAUGHTS",
    "THREE_POINTS",
    "Board",
    "Boards",
    "Bye",
    "ByeKind",
    "Cell",
    "Correction",
    "CrossRow",
    "Outcome",
    "Pairing",
    "Player",
    "PointSystem",
    "Record",
    "RequestedBye",
    "Round",
    "Standing",
    "System",
    "TieBreak",
    "Tournament",
    "Unplayed",
    "boards",
    "cross_table",
    "dump",
    "headers",
    "history",
    "most_rounds",
    "number",
    "pair",
    "parse",
    "parse_arena",
    "repeated_byes",
    "scores",
    "standings",
    "sure_rounds",
]


def __dir__() -> list[str]:
    return __all__
