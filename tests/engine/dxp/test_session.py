"""Replies of both sides of a DXP session to each message, without a connection."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Game, rules
from damka.engine.clock import Clock
from damka.engine.dxp.effects import (
    Bye,
    ChatReceived,
    Effect,
    Ended,
    Problem,
    Refused,
    Send,
    Started,
    Think,
    Wait,
)
from damka.engine.dxp.message import DxpError, GameRequest, Setup, parse, write
from damka.engine.dxp.session import Session
from damka.engine.protocol_moves import parse_move
from damka.errors import FenError
from tests.engine.dxp.test_messages import MESSAGES

REQUEST = f"R01{'Guest':32}W005000A"  # the follower plays White
REQUEST_BLACK = f"R01{'Guest':32}Z005000A"
ACCEPTED = f"A{'Host':32}0"


def session(name: str = "international", **options: bool) -> Session:
    return Session(rules.load(name), "Damka", **options)


def sent(effects: list[Effect]) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Send)]


@pytest.mark.parametrize("text", ["M00003299", "M0000329900", "M00003228", "M000032280112345"])
def test_a_malformed_move_is_answered(text: str) -> None:
    """Without an answer the sender would wait forever."""
    talk = session()
    talk.receive(REQUEST_BLACK)
    effects = talk.receive(text)
    assert isinstance(effects[0], Problem)
    chat, end = sent(effects)
    assert chat.startswith("C")
    assert end == "E00"
    assert talk.receive("E00") == [Ended(talk.game, "unknown")]


def think_effect(effects: list[Effect]) -> Think:
    (think,) = (effect for effect in effects if isinstance(effect, Think))
    return think


def play(talk: Session, text: str) -> list[Effect]:
    return talk.play_move(parse_move(talk.game.board, text), 2.5)


def test_a_follower_with_white_accepts_and_moves() -> None:
    talk = session()
    effects = talk.receive(REQUEST)
    assert sent(effects) == [f"A{'Damka':32}0"]
    assert Started(talk.game, "Guest", "W") in effects
    assert think_effect(effects).clock == Clock(300)
    assert sent(play(talk, "32-28")) == ["M0002322800"]


def test_a_follower_with_black_waits_for_a_move() -> None:
    talk = session()
    assert not [e for e in talk.receive(REQUEST_BLACK) if isinstance(e, Think)]
    assert think_effect(talk.receive("M0001322800")).game.moves[0].hub() == "32-28"


def test_an_initiator_requests_a_game_and_moves_when_accepted() -> None:
    talk = session()
    effects = talk.request_game(GameRequest("Damka", "B", 5, 65))
    assert sent(effects) == [f"R01{'Damka':32}Z005065A"]
    effects = talk.receive(ACCEPTED)
    assert Started(talk.game, "Host", "W") in effects
    assert think_effect(effects).clock == Clock(300, moves=65)


def test_captured_squares_are_accepted_in_any_order() -> None:
    talk = session()
    talk.receive(f"R01{'Guest':32}W005000BZ" + _pieces("B:W32,33:B14,20"))
    assert talk.state == "theirs"
    talk = session()
    setup = _pieces("W:W50:B44,34,3")
    effects = talk.receive(f"R01{'Guest':32}W005000BW{setup}")
    think = think_effect(effects)
    assert [move.hub() for move in think.game.legal_moves] == ["50x30x34x44"]
    assert sent(play(talk, "50x30x44x34")) == ["M00025030023444"]


def _pieces(fen: str) -> str:
    board = Game("international", fen).board
    return board.pieces.translate(str.maketrans("bB.", "zZe"))


def test_the_clock_decreases_with_every_move() -> None:
    talk = session()
    talk.receive(REQUEST)
    play(talk, "32-28")
    think = think_effect(talk.receive("M0099192300"))
    assert think.clock == Clock(297.5)


def test_the_loser_announces_the_end_and_the_winner_confirms() -> None:
    """Only the side to move announces the end."""
    talk = session()
    talk.receive(f"R01{'Guest':32}Z005000BW" + _pieces("W:W32:B28,3"))
    effects = talk.receive("M0000322301" + "28")
    assert think_effect(effects)
    talk = session()
    talk.receive(f"R01{'Guest':32}Z005000BW" + _pieces("W:W32:B28"))
    effects = talk.receive("M000032230128")
    assert sent(effects) == ["E10"]
    assert talk.receive("E00") == [Ended(talk.game, "lost")]
    assert think_effect(talk.receive(REQUEST))


def test_the_winner_waits_for_the_announcement() -> None:
    talk = session()
    talk.receive(f"R01{'Guest':32}W005000BW" + _pieces("W:W32:B28"))
    assert sent(play(talk, "32x23x28")) == ["M000232230128"]
    effects = talk.receive("E01")
    assert sent(effects) == ["E00"]
    assert Ended(talk.game, "won") in effects
    assert effects[-1] == Bye()


@pytest.mark.parametrize(("reason", "outcome"), [(0, "unknown"), (1, "won"), (2, "drawn")])
def test_an_early_game_end_counts_as_announced(reason: int, outcome: str) -> None:
    talk = session()
    talk.receive(REQUEST_BLACK)
    effects = talk.receive(f"E{reason}0")
    assert isinstance(effects[0], Wait)
    assert isinstance(effects[-1], Ended)
    assert effects[-1].outcome == outcome


def test_the_game_ends_after_the_agreed_number_of_moves() -> None:
    talk = session()
    talk.receive(f"R01{'Guest':32}W005001A")
    play(talk, "32-28")
    assert sent(talk.receive("M0000192300")) == ["E00"]
    assert talk.receive("E00") == [Ended(talk.game, "unknown")]


def test_a_drawn_game_is_ended_even_if_the_peer_continues() -> None:
    """A threefold repetition draws the game; the side to move must announce it."""
    talk = session()
    talk.receive(f"R01{'Guest':32}W005000BW" + _pieces("W:WK47,35:BK4,16"))
    for ours, theirs in 2 * [("47-36", "0410"), ("36-47", "1004")]:
        play(talk, ours)
        effects = talk.receive(f"M0000{theirs}00")
    assert talk.game.result is not None
    assert sent(effects) == ["E20"]


def test_an_illegal_move_ends_the_game() -> None:
    talk = session()
    talk.receive(REQUEST_BLACK)
    effects = talk.receive("M0000323700")
    assert isinstance(effects[0], Problem)
    assert effects[0].illegal
    assert sent(effects)[-1] == "E00"
    assert sent(effects)[0].startswith("C32-37 cannot be played")


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        (f"R02{'Guest':32}W005000A", 1),
        (f"R01{'Guest':32}W005000BW{'e' * 50}", 2),
        (f"R01{'Guest':32}W005000BWw{'e' * 49}", 2),
    ],
)
def test_games_that_cannot_be_played_are_refused(request_text: str, code: int) -> None:
    talk = session()
    assert sent(talk.receive(request_text))[0] == f"A{'Damka':32}{code}"
    assert talk.state == "idle"
    assert think_effect(talk.receive(REQUEST))


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        ("R", 2),
        ("R01", 2),
        (f"R01{'Guest':32}Q005000A", 2),
        (f"R01{'Guest':32}Wabc000A", 2),
        (f"R01{'Guest':32}W005000C", 2),
        (f"R01{'Guest':32}W005000BW{'w' * 49}", 2),
        (f"R01{'Guest':32}W005000BW{'?' * 50}", 2),
        (f"R02{'Guest':32}W005000 in another form", 1),
    ],
)
def test_an_unreadable_request_is_refused(request_text: str, code: int) -> None:
    """The initiator is waiting for an answer."""
    talk = session()
    effects = talk.receive(request_text)
    assert isinstance(effects[0], Problem)
    assert sent(effects)[0] == f"A{'Damka':32}{code}"
    assert talk.state == "idle"
    assert think_effect(talk.receive(REQUEST))
    if code == 2:
        assert isinstance(talk.receive(request_text)[2], Ended)
        assert talk.state == "idle"


def test_an_unreadable_request_does_not_answer_ours() -> None:
    talk = session()
    talk.request_game(GameRequest("Damka", "B", 5, 0))
    assert sent(talk.receive("R01")) == []
    assert talk.state == "requested"


def test_an_unreadable_takeback_is_declined() -> None:
    talk = session()
    talk.receive(REQUEST_BLACK)
    assert sent(talk.receive("B01W")) == ["K1"]


def test_no_request_is_accepted_after_the_last_game() -> None:
    talk = session()
    talk.last = True
    assert sent(talk.receive(REQUEST)) == [f"A{'Damka':32}3"]
    assert sent(talk.receive("R01")) == [f"A{'Damka':32}3"]


def test_a_refusal_is_reported() -> None:
    talk = session()
    talk.request_game(GameRequest("Damka", "B", 5, 0))
    assert talk.receive(f"A{'Host':32}2") == [Refused("Host", 2)]
    talk.request_game(GameRequest("Damka", "B", 5, 0))
    assert talk.receive(f"A{'Host':32}3") == [Refused("Host", 3), Bye()]


def test_a_new_request_ends_the_game() -> None:
    talk = session()
    talk.receive(REQUEST_BLACK)
    old = talk.game
    effects = talk.receive(REQUEST)
    assert effects[:2] == [Wait(), Ended(old, "unknown")]
    assert think_effect(effects).game.moves == ()


def test_takebacks_are_granted() -> None:
    talk = session()
    talk.receive(REQUEST_BLACK)
    for theirs, ours in [("3228", "19-23"), ("2819", "14x23x19"), ("3732", "10-14")]:
        captures = "0123" if theirs == "2819" else "00"
        talk.receive(f"M0000{theirs}{captures}")
        play(talk, ours)
    effects = talk.receive("B002W")
    assert sent(effects) == ["K0"]
    assert [move.hub() for move in talk.game.moves] == ["32-28", "19-23"]
    assert talk.state == "theirs"
    assert sent(talk.receive("B009W")) == ["K2"]
    assert sent(talk.receive("B000W")) == ["K2"]
    assert think_effect(talk.receive("B001Z")).game.moves[-1].hub() == "32-28"


def test_takebacks_may_be_declined() -> None:
    talk = session(takebacks=False)
    talk.receive(REQUEST)
    assert talk.receive("B001W") == [Send("K2")]


@pytest.mark.parametrize("text", ["M0000322800", "K3", ACCEPTED, "nonsense"])
def test_messages_out_of_turn_are_reported_and_ignored(text: str) -> None:
    talk = session()
    (problem,) = talk.receive(text)
    assert isinstance(problem, Problem)
    assert talk.receive("Chello") == [ChatReceived("hello")]
    assert think_effect(talk.receive(REQUEST))


@pytest.mark.parametrize(
    ("text", "answer"),
    [("", []), ("K0", []), ("E00", []), ("E01", [Bye()]), ("B001W", [Send("K1")])],
)
def test_harmless_messages_of_other_programs_are_tolerated(text: str, answer: list[Effect]) -> None:
    """Empty messages, stray answers, a second end, a takeback without a game."""
    talk = session()
    for _ in range(2):
        assert talk.receive(text) == answer
        talk.receive(REQUEST_BLACK)
        talk.receive("E00")


def test_earlier_protocol_versions_are_accepted_and_later_ones_refused() -> None:
    talk = session()
    assert sent(talk.receive(REQUEST.replace("R01", "R00")))[0] == f"A{'Damka':32}0"
    assert sent(talk.receive(REQUEST.replace("R01", "R02")))[0] == f"A{'Damka':32}1"


def test_our_own_invalid_actions_raise_errors() -> None:
    talk = session()
    for action in (talk.end, lambda: play(talk, "32-28")):
        with pytest.raises(ValueError, match=r"turn|side to move"):
            action()
    with pytest.raises(FenError):
        talk.request_game(GameRequest("Damka", "W", 5, 0, Setup("w" + 49 * ".", "W")))
    with pytest.raises(DxpError, match="has no legal moves"):
        talk.request_game(GameRequest("Damka", "W", 5, 0, Setup(50 * ".", "W")))
    talk.receive(REQUEST)
    with pytest.raises(ValueError, match="a game is in progress"):
        talk.request_game(GameRequest("Damka", "W", 5, 0))


def test_other_rules_use_their_start_position_and_square_numbers() -> None:
    talk = session("american")
    effects = talk.receive(f"R01{'Guest':32}Z005000A")
    assert think_effect(effects).game.turn == "B"
    assert sent(play(talk, "11-15")) == ["M0002111500"]


def test_captures_are_compulsory_in_huffing_games() -> None:
    talk = session("dama100")
    talk.receive(f"R01{'Guest':32}W005000A")
    assert talk.game.rules.obligation == "forced"


@settings(deadline=None)
@given(st.lists(MESSAGES.map(write) | st.text(max_size=40), max_size=12))
def test_any_sequence_of_messages_is_answered(texts: list[str]) -> None:
    """No order of messages breaks a session, and every answer follows the protocol."""
    talk = session()
    for text in [*texts, f"R01{'Guest':32}W005000A"]:
        effects = talk.receive(text)
        for answer in sent(effects):
            assert parse(answer, talk.rules.square_count)
        if talk.state == "ours":
            think_effect(effects)
            talk.play_move(talk.game.legal_moves[0], 1.0)
    assert talk.state == "theirs"


@pytest.mark.parametrize("name", ["international", "brazilian", "turkish", "canadian"])
def test_two_sessions_play_a_game_to_its_end(name: str) -> None:
    host, guest = session(name), session(name)
    waiting: list[tuple[Session, str]] = []
    endings = {}

    def do(who: Session, other: Session, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text):
                    waiting.append((other, text))
                case Think(game, _):
                    do(who, other, who.play_move(game.legal_moves[len(game.moves) % 2 - 1], 0))
                case Ended(_, outcome):
                    endings[who] = outcome
                case Problem(what):
                    raise AssertionError(what)

    request = GameRequest("guest", "W", 0, 0)
    assert write(request)
    do(guest, host, guest.request_game(request))
    while waiting:
        to, text = waiting.pop(0)
        do(to, guest if to is host else host, to.receive(text))
    assert guest.game == host.game
    assert host.game.result is not None
    assert set(endings.values()) in ({"won", "lost"}, {"drawn"})
