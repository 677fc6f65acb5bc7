"""The engine uses the tables to find and play distant wins within the draw rules."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from damka import Board, Game, tablebase
from damka.engine import WIN, Engine, Handicap
from damka.rules import load
from damka.tablebase import Tablebases, folder_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tables")
    for name in ("american", "dama64", "american-giveaway"):
        tablebase.build(load(name), 3, place, jobs=2)
    return place


def endings(tables: Tablebases, seed: int) -> list[Board]:
    """Return twenty positions of three pieces that are not drawn."""
    rng = random.Random(seed)
    start = Board(tables.rules)
    squares = start.square_count
    row = squares // tables.rules.height
    found: list[Board] = []
    while len(found) < 20:
        pieces = ["."] * squares
        for at in rng.sample(range(row, squares - row), 3):
            pieces[at] = rng.choice("wWbB")
        text = "".join(pieces)
        if set(text) & set("wW") and set(text) & set("bB"):
            board = start.with_pieces(text, "W" if rng.random() < 0.5 else "B")
            if tables.probe_wdl(board):
                found.append(board)
    return found


@pytest.mark.parametrize("name", ["american", "american-giveaway"])
def test_a_search_of_depth_1_finds_the_end(name: str, folder: Path) -> None:
    engine = Engine(1, tablebases=folder)
    with Tablebases(name, folder) as tables:
        for board in endings(tables, 1):
            found = engine.search(board, depth=1)
            if board.legal_moves:
                assert found.mate == tables.probe_distance(board), board.fen
                assert found.move in {tables.moves(board)[0][0], *best(tables, board)}


def best(tables: Tablebases, board: Board) -> set[object]:
    _, wdl, plies = tables.moves(board)[0]
    return {move for move, w, n in tables.moves(board) if (w, n) == (wdl, plies)}


@pytest.mark.parametrize("name", ["american", "dama64"])
def test_won_endings_are_won(name: str, folder: Path) -> None:
    engine = Engine(1, tablebases=folder)
    with Tablebases(name, folder) as tables:
        for board in endings(tables, 2):
            winner = board.turn if tables.probe_wdl(board) > 0 else "WB".replace(board.turn, "")
            game = Game(name, board.fen)
            plies = abs(tables.probe_distance(board))
            while game.result is None:
                if game.turn == winner:
                    move = engine.search(game, depth=4).move
                    assert move is not None
                else:
                    move = tables.moves(game.board)[0][0]
                game.play(move)
            assert game.result.winner == winner, board.fen
            assert len(game.history) == plies


def test_a_win_beyond_the_draw_limit_is_not_reported(folder: Path) -> None:
    strict = replace(load("american"), no_progress_moves=4)
    engine = Engine(1, tablebases=folder)
    with Tablebases(strict, folder) as tables:
        kings = Board(strict, "W:WK18,K19:BK1")
        assert tables.probe_distance(kings) > 2 * 4
        assert abs(engine.search(kings, depth=2).score) < 2_000
        # A man's move restarts the count.
        man = Board(strict, "W:WK18,28:BK1")
        assert tables.probe_distance(man) > 2 * 4
        assert 10_000 < engine.search(man, depth=2).score < WIN - 1000


def test_drawn_endings_score_zero(folder: Path) -> None:
    board = Board("dama64", "W:WK18:BK1")
    with Tablebases("dama64", folder) as tables:
        assert tables.probe_wdl(board) == 0
    assert Engine(1, tablebases=folder).search(board, depth=1).score == 0


def drawn_endings(tables: Tablebases, seed: int) -> list[Board]:
    """Return twenty drawn positions, two white pieces against one, with White to move."""
    rng = random.Random(seed)
    start = Board(tables.rules)
    found: list[Board] = []
    while len(found) < 20:
        pieces = ["."] * start.square_count
        places = rng.sample(range(4, start.square_count - 4), 3)
        for at, piece in zip(places, ("W", rng.choice("wW"), "B"), strict=True):
            pieces[at] = piece
        board = start.with_pieces("".join(pieces), "W")
        if tables.probe_wdl(board) == 0:
            found.append(board)
    return found


def test_with_contempt_the_better_side_avoids_a_drawn_ending(folder: Path) -> None:
    engine = Engine(1, tablebases=folder)
    positive = 0
    with Tablebases("dama64", folder) as tables:
        for board in drawn_endings(tables, 3):
            engine.clear()
            assert engine.search(board, depth=4).score == 0
            score = engine.search(board, depth=4, contempt=2).score
            assert 0 <= score < 2_000
            positive += score > 0
            # Its move keeps the draw.
            move = engine.search(board, depth=4, contempt=2).move
            assert move in {each for each, wdl, _ in tables.moves(board) if wdl == 0}
            # The worse side takes the draw.
            board.push(board.legal_moves[0])
            if tables.probe_wdl(board) == 0:
                assert engine.search(board, depth=4, contempt=2).score == 0
    assert positive >= 10


def test_a_handicapped_search_does_not_use_tables(folder: Path) -> None:
    board = Board("american", "W:WK18,K19:BK1")
    weak = Handicap(noise=50)
    plain = Engine(1).search(board, depth=1, handicap=weak)
    assert Engine(1, tablebases=folder).search(board, depth=1, handicap=weak).score == plain.score


def test_the_search_works_without_damaged_or_missing_tables(folder: Path, tmp_path: Path) -> None:
    rules = load("american")
    board = Board(rules, "W:WK18,K19:BK1")
    plain = Engine(1).search(board, depth=3)
    assert Engine(1, tablebases=tmp_path).search(board, depth=3).score == plain.score
    place = folder_of(rules, tmp_path)
    place.mkdir()
    for path in folder_of(rules, folder).iterdir():
        content = bytearray(path.read_bytes())
        content[-200:-8] = bytes(192)
        (place / path.name).write_bytes(content)
    damaged = Engine(1, tablebases=tmp_path).search(board, depth=3)
    assert damaged.move in board.legal_moves
