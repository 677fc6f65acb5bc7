"""Tables and headers, on pages and in print."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from damka import pdn
from damka.errors import TournamentError
from damka.tournament import (
    DRAUGHTS,
    Outcome,
    Pairing,
    Player,
    Round,
    System,
    Tournament,
    boards,
    cross_table,
    headers,
    number,
    pair,
)
from tests.tournament.support import played, tournament

SWISS = "A 1-0 C, B = D, E U\nA = B, D +:- C, E Z\nD 0-1 A, C 0-1 E, B H"


def test_points_as_they_are_printed() -> None:
    assert [number(n) for n in (0, 0.5, 1, 7.5, 12.0)] == ["0", "½", "1", "7½", "12"]


def test_the_cross_table_of_a_swiss() -> None:
    rows = cross_table(played(SWISS, DRAUGHTS))
    assert [row.standing.player.id for row in rows] == ["A", "E", "B", "D", "C"]
    shown = {
        row.standing.player.id: [" ".join(map(str, cell)) for cell in row.cells] for row in rows
    }
    assert shown == {
        "A": ["5w2", "3w1", "4b2"],
        "E": ["U", "Z", "5b2"],
        "B": ["4w1", "1b1", "H"],
        "D": ["3b1", "5w+", "1w0"],
        "C": ["1b0", "4b-", "2w0"],
    }


def test_the_cross_table_of_a_double_round_robin() -> None:
    event = played("A 1-0 B\nB = A\nA = C, B Z", DRAUGHTS, system=System.ROUND_ROBIN)
    rows = cross_table(event)
    assert [row.standing.player.id for row in rows] == ["A", "B", "C"]
    assert [[" ".join(map(str, cell)) for cell in row.cells] for row in rows] == [
        ["", "2w2 2b1", "3w1"],
        ["1b0 1w1", "", ""],
        ["1b1", "", ""],
    ]


def test_the_cross_table_after_a_round() -> None:
    rows = cross_table(played(SWISS, DRAUGHTS), 1)
    assert all(len(row.cells) == 1 for row in rows)


def test_boards_of_a_round() -> None:
    found = boards(played(SWISS, DRAUGHTS), 2)
    assert [(b.board, b.white.id, b.black.id, b.result) for b in found.boards] == [
        (1, "A", "B", "1-1"),
        (2, "D", "C", "+/-"),
    ]
    assert [(b.white_points, b.black_points) for b in found.boards] == [(2, 1), (1, 0)]
    assert [(player.id, bye.kind.value) for player, bye in found.byes] == [("E", "Z")]
    with pytest.raises(TournamentError, match="round"):
        boards(played(SWISS), 4)


def test_boards_of_two_games() -> None:
    event = tournament(2, games=2).add(Round((Pairing("1", "2", (None, None)),)))
    assert boards(event, 1).boards[0].result == ""
    event = event.record(1, 1, Outcome.WHITE).record(1, 1, Outcome.DRAW, game=2)
    assert boards(event, 1).boards[0].result == "3-1"


def test_headers_of_a_game() -> None:
    event = Tournament(name="Open", length=2, games=2).enter(
        Player("10023", "Jansen, J.", 1450, "MI"), Player("10077", "Sow, A.")
    )
    event = event.add(pair(event))
    assert headers(event, 1, 1, game=2, day=date(2026, 5, 1)) == {
        "Event": "Open",
        "Site": "?",
        "Date": "2026.05.01",
        "Round": "1.2",
        "Board": "1",
        "White": "Sow, A.",
        "WhiteFmjdId": "10077",
        "Black": "Jansen, J.",
        "BlackFmjdId": "10023",
        "BlackRating": "1450",
        "BlackTitle": "MI",
    }
    with pytest.raises(TournamentError, match="game"):
        headers(event, 1, 1, game=3)
    assert headers(replace(event, site="Assen"), 1, 1)["Date"] == "????.??.??"


def test_headers_within_a_file_of_games() -> None:
    event = tournament(2)
    tags = headers(event.add(pair(event)), 1, 1)
    game = pdn.PdnGame("international", headers=tags)
    (back,) = pdn.read(pdn.format(game))
    assert tags.items() <= back.headers.items()
