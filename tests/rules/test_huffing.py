"""Huffing, sentence by sentence; the rule sheet leaves all details to interpretation."""

from __future__ import annotations

import pytest

from damka import Board, Game, locales
from damka.errors import IllegalActionError, IllegalMoveError, MoveError
from damka.game import Counter, RepetitionKey, Result

# White's man on 32 must capture 27. Black has no capture.
CAPTURE_DUE = "W:W32,33,38,47:B27,8,9"


def due() -> Game:
    return Game("dama100", CAPTURE_DUE)


def offended(move: str = "33-29") -> Game:
    game = due()
    game.play(move)
    return game


def texts(game: Game) -> list[str]:
    return [str(ply) for ply in game.history]


# Offences


def test_legal_moves_are_the_compulsory_moves() -> None:
    assert [move.hub() for move in due().legal_moves] == ["32x21x27"]
    assert Board("dama100", CAPTURE_DUE).perft(1) == 1


def test_any_quiet_move_is_possible_despite_a_compulsory_capture() -> None:
    offences = {move.hub() for move in due().offence_moves}
    assert offences == {"32-28", "33-28", "33-29", "47-41", "47-42"}
    assert offended("47-42").history[-1].offence


def test_without_a_capture_there_is_no_offence() -> None:
    game = Game("dama100", "W:W33,47:B8,9")
    assert game.offence_moves == []
    game.play("33-29")
    assert not game.history[-1].offence
    assert game.offences == ()


def test_a_capture_is_not_an_offence() -> None:
    game = offended("32x21")
    assert not game.history[-1].offence
    assert game.offences == ()


def test_captures_that_the_precedence_forbids_are_refused() -> None:
    game = Game("dama100", "W:W32,36:B18,28,31")
    refusal = game.why_not("36x27")
    assert refusal is not None
    assert refusal.code == "must_take_most"
    with pytest.raises(IllegalMoveError):
        game.play("36x27")


def test_incomplete_captures_are_refused() -> None:
    game = Game("dama100", "W:W32,36:B18,28")
    refusal = game.why_not("32x23")
    assert refusal is not None
    assert refusal.code == "must_continue"
    assert game.play("36-31") is not None  # A quiet move is allowed.


def test_with_forced_captures_there_are_no_offences() -> None:
    game = Game("dama100", CAPTURE_DUE, obligation="forced")
    assert game.offence_moves == []
    refusal = game.why_not("33-29")
    assert refusal is not None
    assert refusal.code == "must_capture"


# Offending pieces


def test_pieces_with_a_compulsory_capture_are_offending() -> None:
    game = Game("dama100", "W:W32,34,47:B27,29,8")
    game.play("47-41")
    assert game.offences == (32, 34)


def test_a_piece_whose_capture_was_too_small_is_not_offending() -> None:
    game = Game("dama100", "W:W32,36,50:B18,28,31")
    game.play("50-45")
    assert game.offences == (32,)


def test_a_moved_piece_is_huffed_on_its_new_square() -> None:
    game = offended("32-28")
    assert game.offences == (28,)
    game.huff(28)
    assert game.board.piece_at(28) is None


def test_a_king_that_did_not_capture_is_huffed_too() -> None:
    game = Game("dama100", "W:WK46,38:B32,8")
    game.play("46-41")
    assert game.offences == (41,)
    game.huff(41)
    assert game.board.fen == "B:W38:B8,32"


# The opponent's choice


def test_the_opponent_may_huff_before_moving() -> None:
    game = offended()
    assert game.offences == (32,)
    game.huff(32)
    turns = [game.turn]  # After a huff the same side still has to move.
    assert game.pending_huff == 32
    game.play("8-12")
    turns.append(game.turn)
    assert turns == ["B", "W"]
    assert game.history[-1].huff == 32


def test_only_one_piece_may_be_huffed() -> None:
    game = Game("dama100", "W:W32,34,47:B27,29,8")
    game.play("47-41")
    game.huff(32)
    assert game.offences == ()
    with pytest.raises(IllegalActionError):
        game.huff(34)


def test_only_an_offending_piece_may_be_huffed() -> None:
    game = offended()
    for square in (29, 38, 8, 1, 0, 99, -1):
        with pytest.raises(IllegalActionError):
            game.huff(square)


def test_a_move_without_a_huff_waives_the_right() -> None:
    game = offended()
    game.play("8-12")
    assert game.offences == ()
    assert game.history[-1].waived == (32,)
    game.play("32x21")
    assert game.offences == ()
    with pytest.raises(IllegalActionError):
        game.huff(21)


def test_after_a_huff_the_obligation_is_computed_on_the_new_board() -> None:
    # Black's 27 must capture 32 while it is there.
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    assert [move.hub() for move in game.legal_moves] == ["27x38x32"]
    game.huff(32)
    assert {move.hub() for move in game.legal_moves} >= {"27-31", "27-32", "8-12"}
    assert game.offence_moves == []


def test_a_huff_may_make_a_capture_compulsory() -> None:
    # 38 is behind 32: without 38, 27 must capture 32.
    game = Game("dama100", "W:W32,38,47:B27,43,8")
    game.play("47-41")
    assert game.offences == (32, 38)
    assert all(not move.is_capture for move in game.legal_moves)
    game.huff(38)
    assert [move.hub() for move in game.legal_moves] == ["27x38x32"]


def test_a_huff_of_the_last_piece_wins() -> None:
    game = Game("dama100", "W:W32:B27,8")
    game.play("32-28")
    game.huff(28)
    assert game.result == Result("B", "no_pieces")
    assert game.legal_moves == []


def test_a_huff_that_leaves_the_huffer_without_a_move_loses() -> None:
    # Black's 37 is blocked, and could only capture the man that is huffed.
    game = Game("dama100", "W:W32,42,46,47,48:B37")
    game.play("47-41")
    assert [move.hub() for move in game.legal_moves] == ["37x28x32"]
    game.huff(32)
    assert game.result == Result("W", "no_moves")


def test_a_blocked_player_may_huff_and_then_move() -> None:
    """The huff precedes the move, so a blocked player has not lost yet."""
    game = Game("dama100", "W:W41,42,46,48,50:B37")
    game.play("50-45")
    assert game.result is None
    assert game.legal_moves == []
    assert game.offences == (41, 42)
    game.huff(41)
    assert [move.hub() for move in game.legal_moves] == ["37-41"]


def test_a_blocked_player_without_a_helpful_huff_has_lost() -> None:
    game = Game("dama100", "W:W26,28,31,32,42,46,47,48:B37")
    game.play("47-41")
    assert game.history[-1].offences == (32,)
    assert game.result == Result("W", "no_moves")
    assert game.offences == ()


# Huffs and the state of the game


def test_a_pending_right_to_huff_distinguishes_positions() -> None:
    offence = offended()
    other = Game("dama100", offence.board.fen)
    assert offence.board == other.board
    assert offence.key() != other.key()
    assert (offence.offences, other.offences) == ((32,), ())
    offence.huff(32)
    assert offence.key() == RepetitionKey(offence.board.pieces, "B")


def test_a_huff_restarts_the_no_progress_count() -> None:
    game = Game("dama100", "W:WK1,K2:BK49,K50")
    for move in ("1-34", "49-40", "34-23"):  # Blue should have captured 40.
        game.play(move)
    assert game.counters[0] == Counter("no_progress", 3, 40)
    game.huff(23)
    assert game.counters[0] == Counter("no_progress", 0, 40)
    game.undo()
    assert game.counters[0] == Counter("no_progress", 3, 40)


# Notation


def test_the_huffed_square_is_written_in_parentheses_before_the_move() -> None:
    game = offended()
    game.huff(32)
    game.play("8-12")
    assert texts(game) == ["33-29", "(32) 8-12"]


def test_a_written_huff_can_be_played() -> None:
    game = due()
    for text in ("33-29", "(32) 8-12"):
        game.play(text)
    assert texts(game) == ["33-29", "(32) 8-12"]
    assert game.events[1].kind == "huff"


def test_a_written_huff_and_move_are_atomic() -> None:
    game = offended()
    before = game.copy()
    for text in ("(32) 8-18", "(29) 8-12", "(99) 8-12", "(32)", "(32) (32) 8-12"):
        assert game.why_not(text) is not None
        with pytest.raises(MoveError):
            game.play(text)
        assert game == before
        assert game.key() == before.key()


def test_a_huff_round_trips_through_a_saved_game() -> None:
    game = offended()
    game.huff(32)
    unfinished = Game.from_json(game.to_json())
    assert unfinished == game
    assert unfinished.pending_huff == 32
    game.play("8-12")
    assert '"(32) 8-12"' in game.to_json()
    assert texts(Game.from_json(game.to_json())) == texts(game)


@pytest.mark.parametrize("about", ["man", "king", "many"])
def test_the_italian_interface_has_the_traditional_phrase(about: str) -> None:
    text = locales.catalogue("it", "game.status.huff_")[f"game.status.huff_{about}"]
    assert text.startswith("Chi non mangia è fuori!")
