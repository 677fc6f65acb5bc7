"""Copies and pickles of moves, boards, games and batches are equal, complete and independent."""

from __future__ import annotations

import copy
import pickle
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from damka import Board, Boards, Game
from damka.rules import names

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

HUFFED = ("dama100", "W:W32,33,47:B27,8,9")


def pickled(value: Any, protocol: int = pickle.DEFAULT_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301  our own bytes


COPIERS: list[Callable[[Any], Any]] = [
    pickled,
    copy.copy,
    copy.deepcopy,
    lambda value: value.copy(),
]


def pop_all(board: Board) -> list[tuple[str, int | None, Any, Any]]:
    """Pop all moves; return the board's properties at each point, latest first."""
    states = []
    while True:
        states.append((board.fen, board.pending_huff, board.result, board.counters))
        if not board.stack:
            return states
        board.pop()


@pytest.mark.parametrize("copied", COPIERS)
@pytest.mark.parametrize("name", names())
def test_a_copied_board_has_the_same_history(name: str, copied: Callable[[Any], Any]) -> None:
    rng = random.Random(name)
    board = Board(name)
    while len(board.stack) < 60 and not board.is_over:
        if board.offences and rng.random() < 0.5:
            board.huff(rng.choice(board.offences))
        moves = board.quiet_moves if rng.random() < 0.3 else board.legal_moves
        board.push_unchecked(rng.choice(moves or board.legal_moves))
    twin = copied(board)
    assert (twin, hash(twin), twin.steps) == (board, hash(board), board.steps)
    assert pop_all(twin) == pop_all(board.copy())
    assert not twin.stack
    assert board.stack, "the copy is independent"


def test_a_copied_board_keeps_its_pending_huff() -> None:
    board = Board(*HUFFED)
    board.push_unchecked(board.quiet_moves[0])
    board.huff(board.offences[0])
    for copied in COPIERS:
        twin = copied(board)
        assert twin.pending_huff == board.pending_huff
        assert twin.steps == board.steps
        twin.unhuff()
        assert twin.offences
        assert board.pending_huff


def test_removing_a_piece_clears_its_move_history() -> None:
    board = Board("frisian", "W:WK46,30:BK1,9")
    for text in ("46-41", "1-6"):
        board.push(text)
    assert board.streaks
    rest = board.remove(9)
    assert rest.streaks == ()
    assert rest == pickled(rest) == Board("frisian", rest.fen)
    assert rest.key == Board("frisian", rest.fen).key
    assert board != board.with_pieces(board.pieces, board.turn)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_equal_moves_and_boards_are_one_set_element(protocol: int) -> None:
    board = Board("international", "W:WK22:B6,7,9,13,14,17,20,28,34,43")
    moves = board.legal_moves
    assert len({*moves, *pickled(moves, protocol)}) == len(moves)
    assert len({board, pickled(board, protocol), board.copy()}) == 1


@pytest.mark.parametrize("copied", COPIERS)
def test_a_copied_game_is_independent(copied: Callable[[Any], Any]) -> None:
    game = Game(*HUFFED, players={"W": "Ann", "B": "Ivo"})
    game.play("33-29")
    game.huff(32)
    twin = copied(game)
    assert twin == game
    assert (twin.pending_huff, twin.players) == (32, game.players)
    twin.play("8-13")
    twin.offer_draw("B")
    assert ([str(ply) for ply in twin.history], twin.draw_offer) == (["33-29", "(32) 8-13"], "B")
    assert ([str(ply) for ply in game.history], game.draw_offer) == (["33-29"], None)
    assert (game.pending_huff, twin == game) == (32, False)
    again = copied(twin)
    assert (again, again.draw_offer, again.events) == (twin, "B", twin.events)
    again.undo()
    assert (again.offences, again.pending_huff, len(again.moves)) == ((32,), None, 1)
    ended = copied(twin)
    ended.resign("W")
    assert copied(ended).result == ended.result
    assert twin.result is None
    with pytest.raises(TypeError, match="unhashable"):
        hash(twin)


def any_actions(games: Boards, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    mask = games.legal_mask()
    actions: npt.NDArray[np.int64] = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(1)
    return actions


@pytest.mark.native
@pytest.mark.parametrize("copied", COPIERS)
@pytest.mark.parametrize("name", ["american", "frisian", "canadian", "spantsiretti"])
def test_copied_batches_continue_alike(name: str, copied: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(5)
    games = Boards(name, 40, threads=2)
    for _ in range(160):
        games.step(any_actions(games, rng))
    twin = copied(games)
    assert (type(twin), len(twin), twin.threads, twin.rules) == (Boards, 40, 2, games.rules)
    assert twin != games
    ends = 0
    for _ in range(120):
        assert (twin.legal_mask() == games.legal_mask()).all()
        assert (twin.observations() == games.observations()).all()
        actions = any_actions(games, rng)
        for ours, theirs in zip(games.step(actions), twin.step(actions), strict=True):
            assert (ours == theirs).all()
        ends += int(games.step(any_actions(games, rng))[1].sum())
        twin = copied(games)
    assert ends or name == "canadian"


@pytest.mark.native
def test_an_invalid_batch_state_is_refused() -> None:
    games = Boards("american", 3)
    other = Boards("american", 3)
    rng = np.random.default_rng(5)
    for _ in range(60):
        other.step(any_actions(other, rng))
    start = games.legal_mask().copy()
    good = other._state()
    words = np.frombuffer(good, np.uint64)
    bad = [b"", b"x", good[:-8], good + bytes(8), good + b"x", bytes(len(good))]
    for i in range(min(len(words), 40)):
        changed = words.copy()
        changed[i] = 2**64 - 1
        bad.append(changed.tobytes())
    for state in bad:
        with pytest.raises(ValueError, match="not a state"):
            games._set_state(state)
        assert (games.legal_mask() == start).all()
    with pytest.raises(ValueError, match="not a state"):
        Boards("international", 3)._set_state(good + bytes(8))
    games._set_state(good)
    assert (games.legal_mask() == other.legal_mask()).all()
