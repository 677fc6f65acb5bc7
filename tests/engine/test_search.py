"""Results and limits of the search."""

from __future__ import annotations

import _thread
import itertools
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game
from damka.engine import WIN, Analysis, Engine, SearchLimits, Stop
from damka.rules import load, names
from tests.strategies import rule_sets
from tests.support import play

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.rules import Rules

BLOCKS = "W:WK18,30:B21"
"""18-25 leaves the black man without a move."""


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=4)


def fastest_win(board: Board, plies: int) -> int | None:
    """Return the plies in which the side to move can force a win, by exhaustive search."""
    return next((n for n in range(1, plies + 1, 2) if _wins(board, n)), None)


def _wins(board: Board, plies: int) -> bool:
    for move in board.legal_moves:
        board.push(move)
        replies = board.legal_moves
        won = not replies or (plies > 2 and all(_loses(board, r, plies - 1) for r in replies))
        board.pop()
        if won:
            return True
    return False


def _loses(board: Board, reply: object, plies: int) -> bool:
    board.push(reply)  # type: ignore[arg-type]
    lost = _wins(board, plies - 1)
    board.pop()
    return lost


# Tactics


@pytest.mark.parametrize(
    ("rules", "fen", "plies"),
    [
        ("dama64", BLOCKS, 1),
        ("dama64", "W:W17,K1:B20", 3),
        ("dama64", "B:W31,K15:BK5,K17,22", 5),
        ("american", "W:WK2,18,26,14,12:BK13", 3),
        ("american", "B:W31:BK15,11", 5),
        ("dama100", "B:W21:B7,34,2,35,K25", 3),
        ("dama100", "W:WK6,K17,K26,21,9:BK46", 5),
        ("italian", "B:W25:B15,4,K19", 5),
        ("russian", "W:W6,29:B7", 5),
    ],
)
def test_finds_the_fastest_win(engine: Engine, rules: str, fen: str, plies: int) -> None:
    board = Board(rules, fen)
    assert fastest_win(board, plies) == plies
    analysis = engine.search(board, depth=plies + 2)
    assert analysis.mate == plies
    assert analysis.score == WIN - plies
    for move in analysis.pv:
        board.push(move)
    assert board.move_count == plies
    assert not board.legal_moves


@pytest.mark.parametrize(
    ("rules", "fen", "move"),
    [("dama64", "B:WK1,K4:B10", "10-14"), ("american", "B:WK15,26,K1,17:B8", "8-12")],
)
def test_delays_a_loss_as_long_as_possible(engine: Engine, rules: str, fen: str, move: str) -> None:
    analysis = engine.search(Board(rules, fen), depth=7)
    assert analysis.mate == -4
    assert analysis.pv[0].hub() == move


@pytest.mark.parametrize(("fen", "reason"), [("W:W21:B17,14", "blocked"), ("W:W:B1", "no piece")])
def test_a_side_without_moves_has_lost(engine: Engine, fen: str, reason: str) -> None:
    board = Board("dama64", fen)
    assert not board.legal_moves, reason
    analysis = engine.search(board, depth=3)
    assert analysis == Analysis(None, -WIN, 0, 0, analysis.seconds, ())


def test_an_only_move_has_a_score(engine: Engine) -> None:
    analysis = engine.search(Board("american", "W:W22:B18"), depth=3)
    assert analysis.move is not None
    assert analysis.move.hub() == "22x15x18"
    assert analysis.score == WIN - 1


# Draws


KINGS = "W:WK32,K30,29,31:BK5,4"
"""White is ahead but needs many moves to make progress."""


def repeat(game: Game) -> Game:
    """Move back and forth, to the same position."""
    return play(game, "30-26", "5-1", "26-30", "1-5")


def score_of(engine: Engine, game: Game, move: str) -> int:
    only = [m for m in game.legal_moves if m.hub() == move]
    return engine.search(game, depth=6, moves=only).score


def test_the_third_occurrence_of_a_position_is_a_draw(engine: Engine) -> None:
    game = repeat(Game("dama64", KINGS))
    assert score_of(engine, game, "30-26") > 0
    play(game, "30-26", "5-1", "26-30")
    assert score_of(engine, game, "1-5") == 0
    play(game, "1-5")
    assert game.result is not None
    assert game.result.reason == "repetition"


def test_the_side_ahead_avoids_a_repetition_and_the_side_behind_seeks_it(engine: Engine) -> None:
    game = play(repeat(Game("dama64", KINGS)), "30-26", "5-1")
    white = engine.search(game, depth=6)
    assert white.score > 0
    assert white.move is not None
    assert white.move.hub() != "26-30"
    play(game, "26-30")
    black = engine.search(game, depth=6)
    assert black.score == 0
    assert black.move is not None
    assert black.move.hub() == "1-5"


def test_the_same_move_for_the_third_time_is_a_draw(engine: Engine) -> None:
    game = Game("dama100", "W:WK50,K48,K49,46,47:BK5,4")
    for _ in range(2):
        play(game, "48-42", "5-10", "42-48", "10-5")
    assert score_of(engine, game, "48-42") == 0
    assert score_of(engine, game, "48-43") > 0
    assert engine.search(game, depth=6).score > 0
    play(game, "48-42")
    assert game.result is not None
    assert game.result.reason == "same_move"


def brief(rules: str) -> Rules:
    """Return rules by which the second ply without progress draws the game."""
    return load(rules).replace(name="brief", no_progress_moves=1)


def test_no_progress_is_a_draw_on_the_ply_that_reaches_the_limit(engine: Engine) -> None:
    game = play(Game(brief("dama64"), "B:WK32,29,30,31:BK3"), "3-8")
    assert score_of(engine, game, "32-28") == 0
    assert score_of(engine, game, "29-25") > 0
    assert engine.search(game, depth=6).score > 0
    play(game, "32-28")
    assert game.result is not None
    assert game.result.reason == "no_progress"


def test_a_win_takes_precedence_over_the_draw(engine: Engine) -> None:
    game = play(Game(brief("american"), "B:WK30,22,18:BK25"), "25-29")
    assert score_of(engine, game, "30-26") == 0
    assert engine.search(game, depth=4).mate == 1
    play(game, "30-25")
    assert game.result is not None
    assert game.result.winner == "W"


def test_a_score_shrinks_as_the_draw_limit_nears(engine: Engine) -> None:
    fen = "W:WK32,29,30,31:BK3"
    free = engine.search(Board("dama64", fen), depth=1).score
    tight = engine.search(Board(brief("dama64"), fen), depth=1).score
    assert 0 < tight < free / 2


def test_a_drawish_advantage_has_a_small_score(engine: Engine) -> None:
    promising = engine.search(Board("russian", "W:WK32,K12,K30:BK13"), depth=4).score
    drawish = engine.search(Board("russian", "W:WK32,K12:BK13"), depth=4).score
    assert 0 < drawish < promising / 4


def test_one_table_serves_several_rule_sets() -> None:
    shared = Engine(hash_mb=4)
    for name in (*names(), *reversed(names())):
        board = Board(name)
        separate = Engine(hash_mb=4).search(board, depth=6)
        assert shared.search(board, depth=6).score == separate.score, name
        shared.clear()
    # A flying king blocks the man immediately; a short king cannot reach the square.
    for _ in range(2):
        assert shared.search(Board("dama64", BLOCKS), depth=6).mate == 1
        assert shared.search(Board("american", BLOCKS), depth=6).mate != 1


# SearchLimits


def best_of_five(measure: Callable[[], float]) -> float:
    """Return the smallest of five measurements, because other programs use the processors too."""
    return min(measure() for _ in range(5))


@pytest.mark.parametrize("nodes", [1, 50, 12_345])
def test_nodes_limit_the_search(engine: Engine, nodes: int) -> None:
    analysis = engine.search(Board("dama100"), nodes=nodes)
    assert analysis.nodes <= nodes
    assert analysis.move in Board("dama100").legal_moves


def test_depth_limits_the_search(engine: Engine) -> None:
    analysis = engine.search(Board("american"), depth=5)
    assert analysis.depth == 5
    assert len(analysis.pv) >= 5


def test_seconds_limit_the_search(engine: Engine) -> None:
    def overrun() -> float:
        started = time.perf_counter()
        engine.search(Board("dama100"), seconds=0.1)
        spent = time.perf_counter() - started
        assert spent >= 0.1
        return spent - 0.1

    assert best_of_five(overrun) < 0.05


@pytest.mark.threads
def test_another_thread_stops_the_search_within_a_tenth_of_a_second(engine: Engine) -> None:
    def delay() -> float:
        stop = Stop()
        done: list[Analysis] = []
        thread = threading.Thread(
            target=lambda: done.append(engine.search(Board("dama100"), stop=stop))
        )
        thread.start()
        time.sleep(0.05)
        assert not done
        stop.set()
        requested_at = time.perf_counter()
        thread.join()
        assert done[0].move is not None
        return time.perf_counter() - requested_at

    assert best_of_five(delay) < 0.1


def test_a_stop_set_beforehand_ends_the_search_immediately(engine: Engine) -> None:
    stop = Stop()
    stop.set()
    assert stop.is_set
    analysis = engine.search(Board("dama64"), stop=stop)
    assert analysis.move in Board("dama64").legal_moves
    assert analysis.nodes < 10_000
    stop.clear()
    assert engine.search(Board("dama64"), depth=4, stop=stop).depth == 4


@pytest.mark.threads
def test_other_python_threads_run_during_a_search(engine: Engine) -> None:
    stop = Stop()
    thread = threading.Thread(target=lambda: engine.search(Board("dama100"), stop=stop))
    thread.start()
    # If the search held the lock, this thread would not run before its end.
    counted = sum(1 for _ in range(200_000))
    assert thread.is_alive()
    stop.set()
    thread.join()
    assert counted == 200_000


@pytest.mark.native
def test_ctrl_c_interrupts_a_search(engine: Engine) -> None:
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        engine.search(Board("dama100"), seconds=20)


def test_on_info_receives_every_iteration(engine: Engine) -> None:
    infos: list[Analysis] = []
    last = engine.search(Board("dama64"), depth=6, on_info=infos.append)
    assert [info.depth for info in infos] == [1, 2, 3, 4, 5, 6]
    assert (infos[-1].move, infos[-1].score, infos[-1].pv) == (last.move, last.score, last.pv)
    assert all(a.nodes < b.nodes for a, b in itertools.pairwise(infos))


def test_an_exception_in_on_info_is_raised(engine: Engine) -> None:
    def fail(_: Analysis) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.search(Board("dama64"), depth=6, on_info=fail)
    assert engine.search(Board("dama64"), depth=2).depth == 2


def test_a_search_ends_when_the_position_is_solved(engine: Engine) -> None:
    assert engine.search(Board("dama64", BLOCKS), seconds=20).seconds < 5


# Determinism and side effects


@pytest.mark.parametrize("name", ["dama64", "american", "dama100"])
def test_equal_searches_have_equal_results(name: str) -> None:
    def line() -> tuple[object, ...]:
        engine = Engine(hash_mb=1)
        game = Game(name)
        answers = []
        for _ in range(6):
            analysis = engine.search(game, nodes=20_000)
            answers.append((analysis.pv, analysis.score, analysis.depth, analysis.nodes))
            assert analysis.move is not None
            game.play(analysis.move)
        return tuple(answers)

    assert line() == line()


def test_a_cleared_table_is_empty(engine: Engine) -> None:
    first = engine.search(Board("dama64"), depth=8)
    assert engine.search(Board("dama64"), depth=8).nodes < first.nodes
    engine.clear()
    assert engine.search(Board("dama64"), depth=8).nodes == first.nodes


def test_the_board_is_not_changed(engine: Engine) -> None:
    board = Board("dama64")
    board.push("22-18")
    before = (board.fen, board.stack)
    engine.search(board, depth=6)
    assert (board.fen, board.stack) == before


@settings(max_examples=60, deadline=None)
@given(rule_sets(), st.integers(0, 2**32))
def test_moves_are_legal_by_any_rules(rules: Rules, seed: int) -> None:
    engine = Engine(hash_mb=1)
    board = Board(rules)
    for ply in range(40):
        legal = board.legal_moves
        if not legal:
            break
        analysis = engine.search(board, nodes=100 + seed % 300)
        assert analysis.move in legal
        line = board.copy()
        for move in analysis.pv:
            line.push(move)
        board.push(legal[(seed >> ply) % len(legal)] if ply % 3 == 0 else analysis.move)


# Invalid arguments


@pytest.mark.parametrize(
    "limits",
    [{}, {"depth": 0}, {"depth": 101}, {"nodes": 0}, {"seconds": 0.0}, {"seconds": -1.0}],
)
def test_limits_out_of_range_are_errors(engine: Engine, limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"depth|nodes|seconds"):
        engine.search(Board("dama64"), **limits)  # type: ignore[arg-type]


def test_nan_seconds_are_refused() -> None:
    with pytest.raises(ValueError, match="seconds"):
        SearchLimits(seconds=float("nan"))


# Contempt


def pieces_after(engine: Engine, contempt: int, plies: int = 40) -> int:
    """Return the remaining pieces of six games in which White has this contempt."""
    remaining = 0
    for first in Board("international").legal_moves[:6]:
        engine.clear()
        board = Board("international")
        board.push(first)
        while len(board.stack) < plies and board.legal_moves:
            mine = contempt if board.turn == "W" else 0
            move = engine.search(board, depth=4, contempt=mine).move
            assert move is not None
            board.push(move)
        remaining += sum(piece in "wWbB" for piece in board.pieces)
    return remaining


def test_contempt_avoids_exchanges() -> None:
    engine = Engine(4, weights="general")  # independent of the shipped weights
    assert pieces_after(engine, 20) > pieces_after(engine, 0) + 10


def test_reported_scores_exclude_contempt(engine: Engine) -> None:
    board = Board("international")
    for contempt in (0, 2, 5):
        engine.clear()
        assert abs(engine.search(board, nodes=100_000, contempt=contempt).score) < 20


@pytest.mark.parametrize(
    ("rules", "position", "score"),
    [("american", "W:W22:B3,18", None), ("international", "W:WK1:BK50", 0)],
)
def test_contempt_does_not_change_proved_results(
    engine: Engine, rules: str, position: str, score: int | None
) -> None:
    board = Board(rules, position)
    scores = [engine.search(board, depth=12, contempt=contempt).score for contempt in (0, 20)]
    assert scores[0] == scores[1]
    assert score is None or scores[0] == score


@pytest.mark.parametrize("rules", ["antidraughts", "breakthrough"])
def test_contempt_is_ignored_with_other_objectives(engine: Engine, rules: str) -> None:
    nodes = []
    for contempt in (0, 20):
        engine.clear()
        nodes.append(engine.search(Board(rules), depth=8, contempt=contempt).nodes)
    assert nodes[0] == nodes[1]


def test_table_entries_with_contempt_belong_to_one_side(engine: Engine) -> None:
    board, after = Board("american"), Board("american")
    after.push(after.legal_moves[0])
    fresh = engine.search(after, depth=9, contempt=10)
    engine.clear()
    engine.search(board, depth=10, contempt=10)
    again = engine.search(after, depth=9, contempt=10)
    assert (again.score, again.nodes) == (fresh.score, fresh.nodes)


@pytest.mark.parametrize("contempt", [-1, 21])
def test_contempt_out_of_range_is_refused(engine: Engine, contempt: int) -> None:
    with pytest.raises(ValueError, match="contempt: 0 to 20"):
        engine.search(Board("dama64"), depth=2, contempt=contempt)


@pytest.mark.parametrize("hash_mb", [0, -1, 65_537])
def test_a_table_size_out_of_range_is_refused(hash_mb: int) -> None:
    with pytest.raises(ValueError, match="hash_mb"):
        Engine(hash_mb=hash_mb)


def test_moves_to_search_must_be_legal(engine: Engine) -> None:
    board = Board("dama64")
    foreign = Board("dama64", "W:WK1:BK32").legal_moves
    with pytest.raises(ValueError, match="not a move of this position"):
        engine.search(board, depth=2, moves=foreign)
    with pytest.raises(ValueError, match="at least one"):
        engine.search(board, depth=2, moves=[])


@pytest.mark.parametrize("use", ["search", "clear"])
def test_using_the_engine_in_on_info_is_an_error(engine: Engine, use: str) -> None:
    def use_engine(_: Analysis) -> None:
        if use == "clear":
            engine.clear()
        else:
            engine.search(Board("dama64"), depth=1)

    with pytest.raises(RuntimeError, match="on_info"):
        engine.search(Board("dama64"), depth=6, on_info=use_engine)
    assert engine.search(Board("dama64"), depth=2).move is not None


@pytest.mark.threads
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_forked_during_a_search_raises_an_error(engine: Engine) -> None:
    stop = Stop()
    thread = threading.Thread(target=lambda: engine.search(Board("dama100"), stop=stop))
    thread.start()
    while not engine._busy:
        time.sleep(0.001)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            engine.search(Board("dama64"), depth=1)
        except RuntimeError as error:
            os._exit(0 if "forked" in str(error) else 1)
        os._exit(2)
    _, status = os.waitpid(child, 0)
    stop.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
    assert engine.search(Board("dama64"), depth=2).move is not None


@pytest.mark.threads
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_may_use_an_idle_engine(engine: Engine) -> None:
    engine.search(Board("dama64"), depth=2)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if engine.search(Board("dama64"), depth=2).move else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("value", ["russian", 64.0, None])
def test_arguments_of_wrong_types_are_refused(value: object) -> None:
    with pytest.raises(
        TypeError, match=r"hash_mb: an int, not .*; the rules are those of the board"
    ):
        Engine(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="threads: an int"):
        Engine(1, value)  # type: ignore[arg-type]
