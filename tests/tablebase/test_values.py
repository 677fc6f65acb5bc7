"""Table values, compared with combinatorics, published counts and a simple solver."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from damka import Board, tablebase
from damka.errors import MissingTableError, TablebaseError
from damka.rules import Rules, load
from damka.tablebase import Tablebases, materials
from tests.tablebase.solver import kinds_of, solve

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.native

PUBLISHED = {2: 3_488, 3: 196_032, 4: 6_209_316, 5: 139_450_808}
ALL_COLOURINGS = {2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232}


def placements(rules: Rules, own: str, their: str) -> int:
    """Return the ways to place two sides such as "KM" and "K", with no man on its crowning row."""
    row = rules.square_count // rules.height
    own_men, their_men = own.count("M"), their.count("M")
    total = 0
    for at_home in range(own_men + 1):  # on the other side's crowning row
        inside = own_men - at_home
        total += (
            math.comb(row, at_home)
            * math.comb(rules.square_count - 2 * row, inside)
            * math.comb(rules.square_count - row - inside, their_men)
        )
    left = rules.square_count - own_men - their_men
    kings, others = own.count("K"), their.count("K")
    return total * math.comb(left, kings) * math.comb(left - kings, others)


@pytest.mark.parametrize(
    "name", ["american", "international", "turkish", "canadian", "spantsiretti"]
)
def test_position_counts_match_combinatorics(name: str) -> None:
    rules = load(name)
    for material, positions in materials(rules, 5).items():
        own, _, their = material.partition("v")
        both = 1 if own == their else 2
        assert positions == both * placements(rules, own, their)


def test_position_counts_match_published_ones() -> None:
    for pieces, expected in PUBLISHED.items():
        found = materials(load("american"), pieces)
        of_pieces = {m: n for m, n in found.items() if len(m) == pieces + 1}
        # Counted for one side to move; there are twice as many with both.
        assert sum(of_pieces.values()) == expected
        alone = 0
        for kings in range(pieces + 1):
            men = pieces - kings
            alone += 2 * math.comb(28, men) * math.comb(32 - men, kings)
        assert expected + alone == ALL_COLOURINGS[pieces]


@pytest.mark.parametrize("name", ["frisian", "frysk"])
def test_streaks_are_distinct_positions(name: str) -> None:
    rules = load(name)
    found = materials(rules, 4)
    free = materials(replace(rules, king_streak=0), 4)
    assert found["KKvM"] == free["KKvM"]
    assert found["KMvK"] == (1 + 3) * free["KMvK"]
    assert found["KKMvK"] == (1 + 2 * 3) * free["KKMvK"]
    assert found["KMvKM"] == (1 + 3) ** 2 * free["KMvKM"]


def test_american_counts(tmp_path: Path) -> None:
    rules = load("american")
    tablebase.build(rules, 3, tmp_path, jobs=2)
    with Tablebases(rules, tmp_path) as tables:
        kings = tables.tables["KvK"].halves["KvK"]
        assert (kings.wins, kings.draws, kings.losses) == (230, 654, 108)
        two = [
            counts
            for material in ("KvK", "KvM", "MvM")
            for counts in tables.tables[material].halves.values()
        ]
        assert sum(c.wins for c in two) == 716
        assert sum(c.losses for c in two) == 402
        assert sum(c.draws for c in two) == 2_370
        # The longest win of two kings against one, out of the double corner, and of three men.
        assert tables.tables["KKvK"].halves["KKvK"].longest_win == 33


SMALL = load("mini-american")
CASES = {
    "american": (load("american"), kinds_of(2)),
    "international": (load("international"), kinds_of(2)),
    "frisian": (load("frisian"), ["BW", "Bw"]),
    "turkish": (load("turkish"), ["Bw"]),
    "canadian": (load("canadian"), ["BW"]),
    "mini": (SMALL, [*kinds_of(2), "BWw", "bww"]),
    "mini flying": (load("mini-international"), [*kinds_of(2), "Bbw", "BBW"]),
    "mini losing": (replace(SMALL, objective="losing"), [*kinds_of(2), "BWw", "Bww"]),
    "mini free": (replace(SMALL, obligation="free"), [*kinds_of(2), "BWw"]),
    "mini huff": (replace(SMALL, obligation="huff"), ["BW", "Bw"]),
    "mini breakthrough": (replace(SMALL, objective="breakthrough"), ["bw", "bww"]),
    "mini streak": (replace(SMALL, king_range="flying", king_streak=2), ["BWw"]),
}


@pytest.mark.parametrize("case", CASES)
def test_values_agree_with_a_simple_solver(case: str, tmp_path: Path) -> None:
    rules, kinds = CASES[case]
    tablebase.build(rules, max(map(len, kinds)), tmp_path)
    boards, plies = solve(rules, kinds)
    losing = rules.objective == "losing"
    with Tablebases(rules, tmp_path) as tables:
        for key, board in boards.items():
            n = plies.get(key)
            wdl = 0 if n is None else 1 if (n % 2 == 1) != losing else -1
            assert tables.probe_wdl(board) == wdl, board.fen
            assert tables.probe_distance(board) == wdl * (n or 0), board.fen


def test_a_streak_may_decide(tmp_path: Path) -> None:
    rules = replace(SMALL, king_range="flying", king_streak=1)
    tablebase.build(rules, 3, tmp_path)
    boards, plies = solve(rules, ["BWw"])
    played = 0
    with Tablebases(rules, tmp_path) as tables:
        for key, board in list(boards.items())[::5]:
            for move in board.legal_moves:
                board.push(move)
                if board.streaks != key[2]:
                    n = plies.get((board.pieces, board.turn, board.streaks))
                    assert abs(tables.probe_distance(board)) == (n or 0)
                    played += 1
                board.pop()
    assert played > 100


@pytest.fixture
def tables(tmp_path: Path) -> Tablebases:
    tablebase.build(load("american"), 2, tmp_path)
    return Tablebases("american", tmp_path)


class TestProbing:
    def test_a_missing_table_is_an_error(self, tables: Tablebases) -> None:
        board = Board("american", "W:W30:BK1,2")
        with pytest.raises(MissingTableError, match="no endgame tablebase of KMvM in ") as caught:
            tables.probe_wdl(board)
        assert caught.value.material == "KMvM"
        with pytest.raises(KeyError):
            tables.probe_distance(board)
        assert tables.get_wdl(board) is None
        assert tables.get_distance(board, "nothing") == "nothing"
        assert tables.get_wdl(Board("american")) is None

    def test_a_capture_into_known_pieces_needs_no_table(self, tables: Tablebases) -> None:
        board = Board("american", "W:W18:B14,K3")
        assert [move.hub() for move in board.legal_moves] == ["18x9x14"]
        assert tables.get_wdl(board) is not None

    def test_a_side_without_pieces_has_lost(self, tables: Tablebases) -> None:
        board = Board("american", "W:W18:B14")
        assert tables.probe_distance(board) == 1
        board.push("18x9")
        assert (tables.probe_wdl(board), tables.probe_distance(board)) == (-1, 0)

    def test_moves_come_best_first(self, tables: Tablebases) -> None:
        board = Board("american", "W:WK10:B2")
        found = tables.moves(board)
        assert [wdl for _, wdl, _ in found] == sorted((w for _, w, _ in found), reverse=True)
        best, wdl, plies = found[0]
        assert (wdl, plies) == (tables.probe_wdl(board), abs(tables.probe_distance(board)))
        assert best in board.legal_moves

    def test_rules_with_the_same_endings_share_tables(self, tables: Tablebases) -> None:
        board = Board("american-11man", "W:WK18:BK1")
        assert tables.probe_wdl(board) == 0
        assert tablebase.folder_of(load("american-3move")) == tablebase.folder_of(tables.rules)

    def test_other_rules_are_refused(self, tables: Tablebases) -> None:
        with pytest.raises(ValueError, match="different rules"):
            tables.probe_wdl(Board("dama64", "W:WK18:BK1"))

    def test_closed_tables_cannot_be_probed(self, tmp_path: Path) -> None:
        tablebase.build(SMALL, 2, tmp_path)
        tables = Tablebases(SMALL, tmp_path)
        board = Board(SMALL, "W:W16:BK1")
        assert tables.get_wdl(board) is not None
        tables.close()
        assert tables.get_wdl(board) is None


def test_the_longest_wins_and_their_lengths(tmp_path: Path) -> None:
    rules = load("american")
    tablebase.build(rules, 3, tmp_path, jobs=2)
    with Tablebases(rules, tmp_path) as tables:
        found = tables.longest("KKvK", 5)
        assert [plies for _, plies in found] == sorted((n for _, n in found), reverse=True)
        assert found[0][1] == tables.tables["KKvK"].halves["KKvK"].longest_win == 33
        assert all(tables.probe_distance(board) == plies for board, plies in found)
        # Kings make no progress except by the captures at the end.
        assert tables.max_no_progress_plies("KKvK") in {33, 34}
        assert tables.max_no_progress_plies("MvM") == 1
        assert tables.max_no_progress_plies("KMvK") < 40
        with pytest.raises(TablebaseError, match="missing"):
            tables.max_no_progress_plies("KKKvK")


def test_the_number_of_pieces_is_limited() -> None:
    for pieces in (1, 7):
        with pytest.raises(ValueError, match="pieces: 2 to 6"):
            materials(SMALL, pieces)
