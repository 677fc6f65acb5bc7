"""Board and Move in correct and incorrect use."""

from __future__ import annotations

import copy
import ctypes
import itertools
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damka
from damka import Board, Game, Move, reference
from damka.errors import FenError, IllegalMoveError, MoveError, UnknownRulesError
from tests.strategies import positions, rule_sets
from tests.support import RULE_SETS, write_fen

# A king with two routes, a man with a single jump, and a blocked piece.
CROWDED = ("international", "W:W28,K46:B10,19,22,23,37")
RING = ("international", "W:W28:B12,13,22,23")  # one man may capture in either direction


def pieces_of(board: Board) -> str:
    return "".join(board.piece_at(square) or "." for square in range(1, board.square_count + 1))


# Boards as values
def test_a_new_board_has_the_start_position() -> None:
    board = Board("american")
    assert (board.turn, board.square_count, board.move_count, board.stack) == ("B", 32, 0, ())
    assert board.fen == board.rules.start_fen
    assert board == Board(damka.rules.load("american")) == Board("american", board.fen)


def test_a_board_accepts_a_rule_set_or_its_name_and_nothing_else() -> None:
    with pytest.raises(UnknownRulesError):
        Board("chess")
    with pytest.raises(FenError):
        Board("dama64", "W:W33:B1")
    expected = r'expected a rule set: its name, such as "american".*names\(\) lists them all'
    kinds: tuple[Any, ...] = (Board, Game, damka.Boards)
    for kind in kinds:
        with pytest.raises(TypeError, match=expected):
            kind()
        with pytest.raises(TypeError, match=f"{expected}.*, not NoneType"):
            kind(None, *([2] if kind is damka.Boards else []))
    with pytest.raises(TypeError, match="a position must be a str, not int"):
        Board("dama64", 3)  # type: ignore[arg-type]
    assert Board(rules="dama64", fen="W:W22:B1").fen == "W:W22:B1"


def test_boards_are_equal_if_rules_pieces_and_turn_are_equal() -> None:
    fen = "W:W28:B1"
    board = Board("international", fen)
    assert board == Board("international", fen)
    assert hash(board) == hash(Board("international", fen))
    others = [
        Board("international", "B:W28:B1"),
        Board("international", "W:WK28:B1"),
        Board("international", "W:W28:B2"),
        Board("dama100", fen),
    ]
    for other in others:
        assert board != other
    assert len({board, Board("international", fen), *others}) == 5
    assert board != fen
    assert board != None  # noqa: E711  the comparison itself is tested


def test_equality_ignores_the_history() -> None:
    board = Board("international", "W:WK46:BK1")
    moved = board.copy()
    for text in ("46-41", "1-6", "41-46", "6-1"):
        moved.push(text)
    assert moved == board
    assert moved.key == board.key
    assert hash(moved) == hash(board)
    assert moved.move_count == 4


def test_a_copy_is_independent() -> None:
    board = Board("dama64")
    board.push("22-18")
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert type(twin) is Board
        assert twin == board
        assert twin.stack == board.stack
        twin.pop()
        assert twin != board
        assert board.move_count == 1


def test_a_copy_has_the_same_subclass() -> None:
    class Named(Board):
        pass

    board = Named("dama64")
    assert type(board.copy()) is Named
    assert type(board.remove(22)) is Named
    assert repr(board).startswith("Named(")


def test_a_board_survives_pickling_with_its_moves() -> None:
    board = Board(*RING)
    board.push(board.legal_moves[0])
    twin = pickle.loads(pickle.dumps(board))  # noqa: S301  our own bytes
    assert twin == board
    assert twin.stack == board.stack
    twin.pop()
    assert twin == Board(*RING)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_repr_evaluates_to_an_equal_board(name: str) -> None:
    board = Board(RULE_SETS[name])
    board.push(board.legal_moves[-1])
    names = {"Board": Board, "Rules": damka.Rules, "mappingproxy": dict}
    assert eval(repr(board), names) == board  # noqa: S307  our own text


def test_the_attributes_of_a_board_are_read_only() -> None:
    board = Board("dama64")
    for name in ("turn", "pieces", "legal_moves", "fen", "key", "stack", "colour"):
        with pytest.raises(AttributeError):
            setattr(board, name, None)


def test_changing_the_list_of_moves_does_not_change_the_board() -> None:
    board = Board("dama64")
    first = board.legal_moves
    first.clear()
    assert len(board.legal_moves) == 7
    assert board.legal_moves == board.legal_moves


# Moves on a board


def test_push_returns_the_move_and_pop_undoes_it() -> None:
    board = Board("dama64")
    move = board.push("22-18")
    assert (move.start, move.end, board.stack, board.turn) == (22, 18, (move,), "B")
    assert board.pop() == move
    assert board == Board("dama64")


def test_pop_at_the_start_raises_index_error() -> None:
    board = Board("dama64")
    with pytest.raises(IndexError):
        board.pop()
    board.push("22-18")
    board.pop()
    with pytest.raises(IndexError):
        board.pop()
    assert board == Board("dama64")


@pytest.mark.parametrize(
    "move",
    [
        Move(22, 13),
        Move(1, 5),
        Move(22, 18, [17]),
        Move(22, 18, crowns=True),
        Move(72, 71),
        Move(22, 22),
        Move(21, 17, [1, 2, 3]),
    ],
)
def test_an_illegal_move_is_refused_and_changes_nothing(move: Move) -> None:
    board = Board("dama64")
    with pytest.raises(IllegalMoveError) as caught:
        board.push(move)
    assert caught.value.refusal.sentence()
    assert board == Board("dama64")
    assert board.move_count == 0
    with pytest.raises(IllegalMoveError):
        board.push_unchecked(move)


@pytest.mark.parametrize("value", [None, 22, (22, 18), b"22-18", object(), ["22-18"], 1.5])
def test_pushing_another_type_raises_type_error(value: object) -> None:
    board = Board("dama64")
    for method in (board.push, board.push_unchecked):
        with pytest.raises(TypeError):
            method(value)  # type: ignore[arg-type]
    assert board.move_count == 0


@given(st.text(max_size=30) | st.from_regex(r"[0-9a-h x:-]{1,12}", fullmatch=True))
def test_any_text_is_a_move_or_raises_move_error(text: str) -> None:
    board = Board("dama64")
    refusal = None
    try:
        board.push(text)
    except MoveError as error:
        refusal = error.refusal
    if refusal is None:
        assert board.pop() in board.legal_moves
    else:
        assert refusal.sentence()
    assert board == Board("dama64")


@given(
    st.integers(-3, 300),
    st.integers(-3, 300),
    st.lists(st.integers(-3, 300), max_size=60),
    st.booleans(),
    st.booleans(),
)
def test_any_squares_are_a_move_or_raise_value_error(
    start: int, end: int, captures: list[int], crowns: bool, is_king: bool
) -> None:
    board = Board(*CROWDED)
    try:
        move = Move(start, end, captures, crowns=crowns, is_king=is_king)
    except ValueError:
        return
    assert (move.start, move.end, move.captures) == (start, end, tuple(sorted(captures)))
    if move in board.legal_moves:
        assert board.push(move) == move
    else:
        with pytest.raises(IllegalMoveError):
            board.push(move)


def test_an_equal_move_of_another_board_can_be_pushed() -> None:
    board = Board(*RING)
    (legal,) = board.legal_moves
    assert len(board.routes(legal)) == 2
    other = Move(legal.start, legal.end, legal.captures, route=board.routes(legal)[1])
    assert other == legal
    assert other.route != legal.route
    assert board.push(other).route == legal.route
    king = Board("international", "W:WK46:B5")
    assert king.push(Move(46, 41)).is_king


def test_a_quiet_move_instead_of_a_compulsory_capture_needs_push_unchecked() -> None:
    board = Board("dama100", "W:W28,38:B22")
    assert [move.hub() for move in board.legal_moves] == ["28x17x22"]
    quiet = {move.hub() for move in board.quiet_moves}
    assert quiet == {"28-23", "38-32", "38-33"}
    with pytest.raises(IllegalMoveError):
        board.push(Move(38, 32))
    board.push_unchecked(Move(38, 32))
    assert board.fen == "B:W28,32:B22"
    assert board.pop() == Move(38, 32)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_pushing_and_popping_any_move_restores_everything(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    position = data.draw(positions(rules))
    board = Board(rules, write_fen(position))
    before = (board.fen, board.key, board.pieces, board.legal_moves)
    for move in {*board.legal_moves, *board.quiet_moves}:
        board.push_unchecked(move)
        fresh = Board(rules, board.fen)
        assert (board.pieces, board.turn) == (fresh.pieces, fresh.turn)
        # The streak of a king is part of the position but not of the FEN.
        assert board.key == fresh.key or rules.king_streak
        assert pieces_of(board) == board.pieces
        assert board.pop() == move
        assert (board.fen, board.key, board.pieces, board.legal_moves) == before


def test_pieces_can_be_set_and_removed_on_a_new_board() -> None:
    board = Board("dama100", "W:W28:B22,K5")
    assert board.remove(22).fen == "W:W28:BK5"
    assert board.with_pieces("." * 49 + "W", "B").fen == "B:WK50:B"
    assert board.fen == "W:W28:BK5,22"
    for wrong in (0, 1, 51, -1):
        with pytest.raises(ValueError, match=r"is empty|not a square"):
            board.remove(wrong)
    for pieces in ("", "." * 49, "." * 51, "x" * 50):
        with pytest.raises(ValueError, match="pieces"):
            board.with_pieces(pieces, "W")
    with pytest.raises(ValueError, match="side"):
        board.with_pieces("." * 50, "white")  # type: ignore[arg-type]


@pytest.mark.parametrize("square", [0, -1, 33, 10**6])
def test_there_is_no_piece_off_the_board(square: int) -> None:
    with pytest.raises(ValueError, match="square"):
        Board("dama64").piece_at(square)


# Moves as values


def test_moves_are_equal_if_they_have_the_same_effect() -> None:
    move = Move(22, 15, [18])
    assert move == Move(22, 15, (18,), is_king=True)
    assert hash(move) == hash(Move(22, 15, (18,), is_king=True))
    others = [Move(22, 15), Move(22, 15, [19]), Move(21, 15, [18]), Move(22, 8, [18])]
    others.append(Move(22, 15, [18], crowns=True))
    for a, b in itertools.combinations([move, *others], 2):
        assert a != b
    assert len({move, *others}) == 6
    assert move != "22x15x18"


def test_a_move_has_start_end_and_captured_squares() -> None:
    board = Board("american", "B:W6,14:B1")
    (move,) = board.legal_moves
    assert (move.start, move.end, move.captures, move.route) == (1, 17, (6, 14), (1, 10, 17))
    assert (move.is_capture, move.is_king, move.crowns) == (True, False, False)
    assert (str(move), move.hub()) == ("1x17", "1x17x6x14")
    (crowning,) = Board("american", "W:W8:B").legal_moves[:1]
    assert crowning.crowns


def test_a_move_cannot_be_changed() -> None:
    move = Move(22, 18)
    for name in ("start", "captures", "route", "colour"):
        with pytest.raises(AttributeError):
            setattr(move, name, 1)


@pytest.mark.parametrize(
    "move",
    [
        Move(22, 18),
        Move(22, 15, [18]),
        Move(50, 5, [7, 8], route=[50, 11, 5], is_king=True),
        Move(7, 1, crowns=True),
        *Board(*CROWDED).legal_moves,
        *Board(*RING).legal_moves,
    ],
)
def test_moves_can_be_pickled_and_copied(move: Move) -> None:
    twins = (
        eval(repr(move), {"Move": Move}),  # noqa: S307  our own text
        pickle.loads(pickle.dumps(move)),  # noqa: S301  our own bytes
        copy.copy(move),
        copy.deepcopy(move),
    )
    for twin in twins:
        assert twin == move
        assert (twin.route, twin.crowns, twin.is_king) == (move.route, move.crowns, move.is_king)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": 0, "end": 1},
        {"start": 1, "end": 73},
        {"start": 1, "end": 2, "captures": [3, 3]},
        {"start": 1, "end": 2, "captures": [0]},
        {"start": 1, "end": 2, "captures": range(1, 72)},
        {"start": 1, "end": 2, "route": [1, 5, 2]},
        {"start": 1, "end": 2, "captures": [3, 4], "route": [1, 5, 6]},
        {"start": 1, "end": 2, "captures": [3, 4], "route": []},
        {"start": 1, "end": 2, "crowns": True, "is_king": True},
    ],
)
def test_an_impossible_move_raises_value_error(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"square|captured|captures|route|crowns"):
        Move(**arguments)  # type: ignore[arg-type]


# Routes and text


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_every_move_has_its_routes_and_a_unique_text(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    position = data.draw(positions(rules))
    board = Board(rules, write_fen(position))
    expected = {
        (move.start, move.end, move.captures, move.crowns): move.routes
        for move in reference.legal_moves(rules, position)
    }
    for move in board.legal_moves:
        routes = board.routes(move, 10**6)
        assert routes == expected[move.start, move.end, move.captures, move.crowns]
        assert routes[0] == move.route
        assert board.routes(move, 1) == routes[:1]
        assert board.routes(move, 0) == ()
        assert board.parse(board.text(move)) == move


def test_routes_of_a_move_from_another_position_raise_value_error() -> None:
    with pytest.raises(ValueError, match="position"):
        Board("dama64").routes(Move(1, 32))


# Counting


@pytest.mark.parametrize("depth", [-1, 61, 10**6])
def test_a_depth_out_of_range_raises_value_error(depth: int) -> None:
    board = Board("dama64")
    with pytest.raises(ValueError, match="depth"):
        board.perft(depth)
    with pytest.raises(ValueError, match="depth"):
        board.divide(depth)


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_a_number_of_threads_out_of_range_raises_value_error(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        Board("dama64").perft(3, threads=threads)


@pytest.mark.threads
def test_counting_does_not_change_the_board_or_block_other_threads() -> None:
    board = Board("international")
    done = threading.Event()
    ticks = 0

    def count() -> None:
        board.perft(9)
        done.set()

    thread = threading.Thread(target=count)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 3
    assert board == Board("international")


@pytest.mark.native
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_count(threads: int) -> None:
    # A real signal, sent by another thread just after the count starts.
    main = threading.get_ident()
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Board("international").perft(30, threads=threads)
    timer.join()
    assert time.monotonic() - started < 20


@pytest.mark.threads
def test_boards_in_several_threads_do_not_interfere() -> None:
    def walk(board: Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += walk(board, depth - 1)
            board.pop()
        return total

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _: walk(Board("dama64"), 4), range(8)))
    assert counts == [1469] * 8


def test_moves_are_not_leaked() -> None:
    board = Board(*CROWDED)
    (first, *_) = board.legal_moves
    shared = Board("dama64").legal_moves[0]
    count = ctypes.c_ssize_t.from_address(id(shared)).value
    for _ in range(1000):
        board.push(first)
        board.pop()
        assert Board("dama64").legal_moves[0] == shared
    assert ctypes.c_ssize_t.from_address(id(shared)).value <= count + 1


@pytest.mark.parametrize("attempt", [None, 22, 22.5, object()])
def test_a_type_error_names_the_type_of_an_attempt(attempt: object) -> None:
    kind = type(attempt).__name__
    with pytest.raises(TypeError, match=f"a Move, a str or a sequence of squares, not {kind}"):
        Board("dama64").why_not(attempt)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=f"not {kind}"):
        Game("dama64").play(attempt)  # type: ignore[arg-type]


@pytest.mark.parametrize("square", [0, 33, 99, -1, 10**30])
def test_an_error_names_the_unknown_square(square: int) -> None:
    board = Board("dama64")
    for method in (board.piece_at, board.remove):
        with pytest.raises(ValueError, match=f"{square} is not a square of this board"):
            method(square)


@pytest.mark.parametrize("square", [None, "22", 22.0])
def test_a_type_error_names_the_type_of_a_square(square: object) -> None:
    kind = type(square).__name__
    with pytest.raises(TypeError, match=f"a square must be an int, not {kind}"):
        Board("dama64").piece_at(square)  # type: ignore[arg-type]


def test_removing_from_an_empty_square_names_the_square() -> None:
    with pytest.raises(ValueError, match="square 18 is empty"):
        Board("dama64").remove(18)


@pytest.mark.parametrize("move", [None, 5, ("22", "18")])
def test_a_type_error_names_the_type_of_a_move(move: object) -> None:
    board = Board("dama64")
    for push in (board.push, board.push_unchecked):
        with pytest.raises(
            TypeError, match=f"a move must be a Move or a str, not {type(move).__name__}"
        ):
            push(move)  # type: ignore[arg-type]
