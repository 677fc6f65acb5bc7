"""Arrays of positions and moves, and many games at once."""

from __future__ import annotations

import pickle
import random
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from damka import Board, Boards, Move
from damka.errors import FenError
from damka.rules import load, names

if TYPE_CHECKING:
    import numpy.typing as npt


def any_action(mask: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a random legal action for each game."""
    weights = rng.random(mask.shape, dtype=np.float32) * mask
    actions: npt.NDArray[np.int64] = weights.argmax(axis=1)
    return actions


@pytest.mark.parametrize("name", names())
def test_indices_represent_the_legal_moves(name: str) -> None:
    rng = random.Random(name)
    board = Board(name)
    for _ in range(120):
        if board.is_over:
            board = Board(name)
        moves = board.legal_moves
        indices = [board.move_to_index(move) for move in moves]
        mask = board.legal_mask()
        assert sorted(indices) == np.flatnonzero(mask).tolist()
        assert [board.index_to_move(index) for index in indices] == moves
        assert mask.shape == (board.square_count**2 + 128,)
        board.push(rng.choice(moves))


def test_captures_with_the_same_ends_have_distinct_indices() -> None:
    board = Board("international", "W:WK22:B6,7,9,13,14,17,20,28,34,43")
    moves = board.legal_moves
    ends = [(move.start, move.end) for move in moves]
    assert len(set(ends)) < len(ends)
    by_index = {board.move_to_index(move): move for move in moves}
    assert len(by_index) == len(moves)
    first, *further = sorted(by_index)
    usual = [index for index in by_index if index < 2500]
    assert len(usual) == len(set(ends))
    rest = [by_index[index] for index in sorted(by_index) if index >= 2500]
    assert sorted(index for index in by_index if index >= 2500) == list(
        range(2500, 2500 + len(rest))
    )
    assert rest == sorted(rest, key=lambda move: (move.start, move.end, move.captures))
    for index in usual:
        same = [
            m for m in moves if (m.start, m.end) == (by_index[index].start, by_index[index].end)
        ]
        assert by_index[index].captures == min(move.captures for move in same)
    assert first < len(further) + 2500 + 128


@pytest.mark.parametrize("name", ["american", "turkish", "spanish", "canadian", "spantsiretti"])
def test_a_tensor_has_the_pieces_on_their_squares(name: str) -> None:
    rules = load(name)
    board = Board(rules)
    rng = random.Random(7)
    for _ in range(30):
        board.push(rng.choice(board.legal_moves))
    planes = dict(zip(rules.planes, board.tensor(), strict=True))
    assert board.tensor().shape == (len(rules.planes), rules.height, rules.width)
    assert board.tensor().dtype == np.uint8
    letters = {"white_men": "w", "white_kings": "W", "black_men": "b", "black_kings": "B"}
    for plane, letter in letters.items():
        cells = {
            rules.cell(square)
            for square in range(1, board.square_count + 1)
            if board.piece_at(square) == letter
        }
        assert {(int(r), int(c)) for r, c in zip(*np.nonzero(planes[plane]), strict=True)} == cells
    assert planes["white_to_move"].min() == planes["white_to_move"].max() == (board.turn == "W")


def test_a_tensor_has_counts_and_huffable_pieces() -> None:
    board = Board("american", "W:WK1:BK32")
    for move in ("1-6", "32-27", "6-1", "27-32", "1-5"):
        board.push(move)
    planes = dict(zip(board.rules.planes, board.tensor(), strict=True))
    assert (planes["no_progress"] == 5).all()
    assert (planes["repetition"] == 0).all()
    board.pop()
    assert (board.tensor()[board.rules.planes.index("repetition")] == 1).all()
    offended = Board("dama100", "W:W32,33,47:B27,8,9")
    offended.push_unchecked(Move(33, 29))
    huffable = offended.tensor()[offended.rules.planes.index("huffable")]
    assert [tuple(map(int, cell)) for cell in np.argwhere(huffable)] == [offended.rules.cell(32)]


def check_afterstates(games: Boards, boards: list[Board]) -> None:
    numbers, actions, observations = games.afterstates()
    assert len(numbers) == len(actions) == len(observations) == games.legal_mask().sum()
    assert (np.diff(numbers) >= 0).all()
    for i, board in enumerate(boards):
        own = numbers == i
        assert sorted(actions[own]) == np.flatnonzero(games.legal_mask()[i]).tolist()
        for action, observation in zip(actions[own], observations[own], strict=True):
            board.push(board.index_to_move(int(action)))
            assert (observation == board.tensor()).all()
            board.pop()


@pytest.mark.native
@pytest.mark.parametrize("name", ["american", "international", "turkish", "frisian", "canadian"])
def test_parallel_games_equal_sequential_games(name: str) -> None:
    rng = np.random.default_rng(3)
    games = Boards(name, 70, threads=2)
    boards = [Board(name) for _ in range(len(games))]
    ends = 0
    for step in range(150):
        mask = games.legal_mask()
        if step % 10 == 0:
            observations = games.observations()
            for i, board in enumerate(boards):
                assert (mask[i] == board.legal_mask()).all()
                assert games.board(i).fen == board.fen
                assert (observations[i] == board.tensor()).all()
                assert games.white_to_move[i] == (board.turn == "W")
        if step % 30 == 0:
            check_afterstates(games, boards)
        actions = any_action(mask, rng)
        rewards, ended = games.step(actions)
        for i, board in enumerate(boards):
            mover = board.turn
            board.push(board.index_to_move(int(actions[i])))
            result = board.result
            assert ended[i] == (result is not None)
            winner = None if result is None else result.winner
            assert rewards[i] == (0 if winner is None else 1 if winner == mover else -1)
            if result is not None:
                boards[i] = Board(name)
                ends += 1
    assert ends > 20 or name in ("frisian", "canadian")
    assert (games.legal_mask().sum(axis=1) > 0).all()
    games.reset()
    assert all(games.board(i) == Board(name) for i in range(len(games)))


@pytest.mark.native
def test_a_wrong_action_changes_nothing() -> None:
    games = Boards("russian", 5)
    before = games.legal_mask().copy()
    actions = before.argmax(axis=1)
    for wrong in (-1, 0, games.actions, 2**40):
        bad = actions.copy()
        bad[3] = wrong
        with pytest.raises(ValueError, match=r"actions\[3\] is"):
            games.step(bad)
        assert (games.legal_mask() == before).all()
    with pytest.raises(ValueError, match="one for each of the 5 games, not 4"):
        games.step(actions[:4])
    with pytest.raises(IndexError):
        games.board(5)
    for n, threads in ((0, 1), (2**21, 1), (1, 0)):
        with pytest.raises(ValueError, match="from 1 to"):
            Boards("russian", n, threads=threads)
    with pytest.raises(ValueError, match="not a legal move"):
        Board("russian").move_to_index(Move(1, 5))
    with pytest.raises(ValueError, match="legal_mask"):
        Board("russian").index_to_move(0)


@pytest.mark.native
def test_writing_to_a_mask_does_not_make_an_action_legal() -> None:
    games = Boards("russian", 5)
    games.legal_mask()[2, 1] = True
    actions = np.array([np.flatnonzero(row)[-1] for row in games.legal_mask()])
    actions[2] = 1
    with pytest.raises(ValueError, match=r"actions\[2\] is 1,"):
        games.step(actions)


@pytest.mark.native
@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], "not list"),
        (5, "not int"),
        (np.zeros((2, 1), dtype=np.int64), r"not ndarray of int64, shape \(2, 1\)"),
        (np.zeros(2), r"not ndarray of float64, shape \(2,\)"),
        (np.zeros(2, dtype=bool), r"not ndarray of bool, shape \(2,\)"),
    ],
)
def test_actions_of_another_type_are_refused(actions: object, message: str) -> None:
    games = Boards("american", 2)
    with pytest.raises(TypeError, match=message):
        games.step(actions)  # type: ignore[arg-type]


def test_boards_without_numpy_report_the_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match="pip install numpy"):
        Boards("american", 2)


@pytest.mark.native
def test_games_begin_at_random_start_positions() -> None:
    starts: list[Board | str] = ["W:W18:B9", "B:W27,K30:B5", Board("american")]
    games = Boards("american", 60, starts=starts, seed=4)
    boards = [Board("american", start) if isinstance(start, str) else start for start in starts]
    drawn = [boards.index(games.board(i)) for i in range(60)]
    assert set(drawn) == {0, 1, 2}
    again = Boards("american", 60, starts=starts, seed=4, threads=1)
    assert [boards.index(again.board(i)) for i in range(60)] == drawn
    other = Boards("american", 60, starts=starts, seed=5)
    assert [boards.index(other.board(i)) for i in range(60)] != drawn
    games.reset()
    assert [boards.index(games.board(i)) for i in range(60)] != drawn
    games.reset(seed=4)
    assert [boards.index(games.board(i)) for i in range(60)] == drawn
    assert games.starts == tuple(boards)


@pytest.mark.native
def test_a_finished_game_restarts_at_a_random_start_position() -> None:
    starts = [f"W:W{square}:B5" for square in (25, 26, 27, 28)]
    games = Boards("american", 40, starts=starts, max_plies=2)
    boards = [Board("american", start) for start in starts]
    restarts = set()
    for _ in range(12):
        _, ended = games.step(games.legal_mask().argmax(axis=1))
        restarts |= {boards.index(games.board(int(i))) for i in np.flatnonzero(ended)}
    assert restarts == {0, 1, 2, 3}


@pytest.mark.native
def test_a_start_position_must_be_playable_and_have_the_same_rules() -> None:
    with pytest.raises(ValueError, match=r"starts\[1\]: the game is over in this position"):
        Boards("american", 2, starts=["W:W18:B9", "W:W:B9"])
    with pytest.raises(ValueError, match=r"starts\[0\] has other rules: russian"):
        Boards("american", 2, starts=[Board("russian")])
    with pytest.raises(FenError):
        Boards("american", 2, starts=["W:W99:B9"])
    with pytest.raises(TypeError, match="an iterable of boards or FENs"):
        Boards("american", 2, starts="W:W18:B9")
    for most in (0, -1, 2**32):
        with pytest.raises(ValueError, match="max_plies: 1 or more"):
            Boards("american", 2, max_plies=most)


@pytest.mark.native
@pytest.mark.parametrize("name", ["american", "international", "turkish", "frisian"])
def test_ends_have_reasons_and_last_observations(name: str) -> None:
    """Every game ends like a board with the same moves."""
    rng = np.random.default_rng(8)
    games = Boards(name, 50, threads=2, max_plies=70)
    boards = [Board(name) for _ in range(len(games))]
    reasons = set()
    for _ in range(180):
        actions = any_action(games.legal_mask(), rng)
        rewards, ended = games.step(actions)
        truncated = games.truncated
        which, last = games.final_observations()
        assert which.tolist() == np.flatnonzero(ended).tolist()
        finals = dict(zip(which.tolist(), last, strict=True))
        for i, board in enumerate(boards):
            board.push(board.index_to_move(int(actions[i])))
            result = board.result
            reason = Boards.REASONS[games.reasons[i]]
            if result is not None:
                assert reason == result.reason
            elif board.move_count == 70:
                assert reason == "truncated"
                assert rewards[i] == 0
            else:
                assert reason == ""
                assert not ended[i]
            assert truncated[i] == (reason == "truncated")
            if ended[i]:
                reasons.add(reason)
                assert (finals[i] == board.tensor()).all()
                boards[i] = Board(name)
            assert games.plies[i] == boards[i].move_count
    assert "truncated" in reasons
    assert len(reasons) > 1 or name in ("frisian", "international")
    games.reset()
    assert not games.reasons.any()
    assert len(games.final_observations()[0]) == 0


@pytest.mark.native
def test_the_last_observation_has_the_final_repetition() -> None:
    games = Boards("russian", 1, starts=["W:WK1:BK32"])
    board = Board("russian", "W:WK1:BK32")
    for text in ["1-5", "32-28", "5-1", "28-32"] * 3:
        move = board.push(text)
        board.pop()
        _, ended = games.step(np.array([board.move_to_index(move)]))
        board.push(move)
        if ended[0]:
            break
    assert Boards.REASONS[games.reasons[0]] == "repetition"
    _, last = games.final_observations()
    assert (last[0][board.rules.planes.index("repetition")] == 2).all()
    assert (last[0] == board.tensor()).all()


@pytest.mark.native
def test_only_marked_games_are_stepped_or_reset() -> None:
    games = Boards("russian", 6)
    where = np.array([True, False, True, False, False, False])
    actions = np.where(where, games.legal_mask().argmax(axis=1), -1)
    rewards, ended = games.step(actions, where)
    assert games.plies.tolist() == where.astype(int).tolist()
    assert not rewards.any()
    assert not ended.any()
    games.step(games.legal_mask().argmax(axis=1))
    games.reset(where)
    assert games.plies.tolist() == [0, 1, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="where: one for each of the 6 games, not 2"):
        games.step(actions, where[:2])
    with pytest.raises(ValueError, match="where: one for each of the 6 games, not 2"):
        games.reset(where[:2])
    for wrong, message in (
        (where.astype(int), "int64"),
        ([True] * 6, "list"),
        (where[None], "shape"),
    ):
        with pytest.raises(TypeError, match=f"where must be a NumPy array of bool.*{message}"):
            games.step(actions, wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=f"where must be a NumPy array of bool.*{message}"):
            games.reset(wrong)  # type: ignore[arg-type]


@pytest.mark.native
def test_copies_draw_the_same_starts_and_are_truncated_alike() -> None:
    starts = [f"W:W{square}:B5" for square in (25, 26, 27, 28)]
    games = Boards("american", 20, starts=starts, seed=3, max_plies=5)
    for _ in range(3):
        games.step(games.legal_mask().argmax(axis=1))
    for twin in (games.copy(), pickle.loads(pickle.dumps(games))):  # noqa: S301  our own bytes
        model = games.copy()
        assert (twin.max_plies, twin.starts) == (5, games.starts)
        for _ in range(20):
            actions = model.legal_mask().argmax(axis=1)
            assert twin.legal_mask().argmax(axis=1).tolist() == actions.tolist()
            assert model.step(actions)[1].tolist() == twin.step(actions)[1].tolist()
            assert (model.reasons == twin.reasons).all()


@pytest.mark.native
def test_a_pickle_of_version_0_1_is_read() -> None:
    games = Boards("american", 3)
    games.step(games.legal_mask().argmax(axis=1))
    words = 2 * 3 + 1
    rebuild: Any
    parts: Any
    rebuild, parts = games.__reduce__()
    twin = rebuild(*parts[:4], parts[4][: -8 * words])
    assert (twin.legal_mask() == games.legal_mask()).all()
