"""A game ends early only if both players agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from damka import Board, Game
from damka.match import AdjudicationRules, Adjudicator, Verdict
from damka.rules import load
from damka.tablebase import Tablebases, build

if TYPE_CHECKING:
    from collections.abc import Iterator

CLEAR = AdjudicationRules(score=500, moves=2, even=10, even_moves=3, even_plies=20, plies=50)


def adjudicate(scores: list[int | None], begin: int = 0) -> tuple[int, Verdict] | None:
    """Report scores in turn, White first, from each player's view; return when the game ended."""
    judge = Adjudicator(CLEAR)
    for number, score in enumerate(scores, start=1):
        verdict = judge.judge("W" if number % 2 else "B", score, begin + number)
        if verdict is not None:
            return number, verdict
    return None


def test_a_game_is_won_when_both_players_agree() -> None:
    assert adjudicate([500, -500, 500, -500]) == (4, Verdict("W", "score"))
    assert adjudicate([-600, 900, -600, 29_000]) == (4, Verdict("B", "score"))


@pytest.mark.parametrize(
    "scores",
    [
        [900, -100] * 8,  # only one player agrees
        [900, 900] * 8,  # both players expect to win
        [900, None] * 8,  # the other player reports no score
        [900, -900, 900, 0, 900, -900, 900, 0],  # not on consecutive moves
        [499, -499] * 8,
    ],
)
def test_without_agreement_the_game_continues(scores: list[int | None]) -> None:
    assert adjudicate(scores) is None


def test_a_missing_score_withdraws_agreement() -> None:
    assert adjudicate([900, -900, 900, None, 900, -900, 900]) is None
    assert adjudicate([900, -900, 900, None, 900, -900, 900, -900]) == (8, Verdict("W", "score"))


def test_an_even_game_is_a_draw_only_late() -> None:
    assert adjudicate([10, -10] * 3, begin=20) == (6, Verdict(None, "even"))
    assert adjudicate([10, -10] * 3) is None
    assert adjudicate([10, -11] * 5, begin=20) is None


def test_the_number_of_plies_is_limited() -> None:
    assert adjudicate([0], begin=49) == (1, Verdict(None, "length"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tablebases]:
    folder = tmp_path_factory.mktemp("tables")
    build(load("mini-american"), 3, folder)
    with Tablebases("mini-american", folder) as tables:
        yield tables


class TestTables:
    def look_up(self, game: Game, tables: Tablebases | None) -> Verdict | None:
        return Adjudicator(CLEAR).look_up(game, tables)

    def test_tables_decide_a_game(self, tables: Tablebases) -> None:
        assert self.look_up(Game("mini-american", "W:WK18,K16:BK1"), tables) is not None
        verdicts = {
            self.look_up(Game("mini-american", f"{turn}:WK{square},K17:BK1"), tables)
            for turn in "WB"
            for square in range(2, 17)
        }
        assert Verdict("W", "tables") in verdicts
        assert Verdict("B", "tables") not in verdicts

    def test_tables_decide_a_draw(self, tables: Tablebases) -> None:
        assert self.look_up(Game("mini-american", "W:WK18:BK1"), tables) == (None, "tables")

    def test_a_table_win_beyond_the_draw_limit_does_not_count(self, tables: Tablebases) -> None:
        rules = load("mini-american")
        short = rules.replace(name="short", no_progress_moves=1)
        won = next(
            fen
            for square in range(2, 17)
            if (fen := f"W:WK{square},K17:BK1")
            and self.look_up(Game(rules, fen), tables) == Verdict("W", "tables")
            and tables.probe_distance(Board(rules, fen)) > 4
        )
        assert self.look_up(Game(short, won), tables) is None

    def test_without_a_table_the_game_continues(self, tables: Tablebases) -> None:
        assert self.look_up(Game("mini-american"), tables) is None
        assert self.look_up(Game("mini-american", "W:WK18,K16:BK1,K3"), tables) is None
        assert self.look_up(Game("mini-american", "W:WK18:BK1"), None) is None
