"""Behaviour of various DXP programs, scripted at the other end of a connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from damka import Board, Game, rules
from damka.engine import Analysis, Engine
from damka.engine.dxp import MARK, MAX_LENGTH, Service, Session
from damka.engine.dxp.message import MoveMessage, parse, write
from damka.engine.external import EngineDeadError
from damka.engine.protocol_moves import parse_move
from damka.engine.transport import Connection, Link
from tests.engine.dxp.hosts import PATIENCE

ONE_MINUTE = f"R01{'Guest':32}W001000A"  # we play White


class Slow(Engine):
    """An engine that uses all its time on a simulated clock."""

    def __init__(self) -> None:
        super().__init__(hash_mb=1)
        self.now = 0.0
        self.spent: list[float] = []

    def clock(self) -> float:
        return self.now

    def search(self, game: Game | Board, **limits: Any) -> Analysis:
        clock = limits["clock"]
        spent = limits["seconds"] if clock is None else clock.budget().limit
        self.now += spent
        self.spent.append(spent)
        move = limits["moves"][0]
        return Analysis(move, 0, 1, 1, spent, (move,))


class Guest:
    """The other program: sends messages and reads ours."""

    def __init__(self) -> None:
        self.engine = Slow()
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._socket = socket.create_connection(server.getsockname())
            ours = server.accept()[0]
        self._socket.settimeout(PATIENCE)
        self._rest = b""
        link = Link("guest", Connection(ours), MARK, MAX_LENGTH)
        session = Session(rules.load("international"), "Damka")
        service = Service(
            link, session, self.engine, patience=PATIENCE, now=self.engine.clock, seconds=2.5
        )

        def follow() -> None:
            try:
                service.follow()
            except EngineDeadError:
                pass  # The test ends in the middle of a game.
            finally:
                link.close()

        self._thread = threading.Thread(target=follow)
        self._thread.start()

    def send(self, *messages: str) -> None:
        self._socket.sendall(b"".join(text.encode() + MARK for text in messages))

    def receive(self) -> str:
        while MARK not in self._rest:
            data = self._socket.recv(1000)
            assert data, "the connection is closed"
            self._rest += data
        text, _, self._rest = self._rest.partition(MARK)
        return text.decode()

    def expect(self, first: str) -> str:
        """Return the next message; assert that it begins with `first`."""
        text = self.receive()
        assert text.startswith(first), text
        return text

    def reply(self, game: Game) -> None:
        """Play our move in the game and send the last legal reply."""
        message = parse(self.expect("M"))
        assert isinstance(message, MoveMessage)
        game.play(parse_move(game.board, message.hub()))
        if game.result is None:
            answer = game.legal_moves[-1]
            game.play(answer)
            self.send(write(MoveMessage(0, answer.start, answer.end, answer.captures)))

    def leave(self) -> None:
        self._socket.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture
def guest() -> Iterator[Guest]:
    guest = Guest()
    yield guest
    guest.leave()


def test_a_move_takes_at_most_a_tenth_of_the_time_left(guest: Guest) -> None:
    """In a game of one minute no move takes more than six seconds."""
    guest.send(ONE_MINUTE)
    guest.expect("A")
    game, left = Game("international"), 60.0
    while game.result is None and len(game.moves) < 60:
        guest.reply(game)
        spent = guest.engine.spent[len(game.moves) // 2 - 1]
        if left >= 1:
            assert 0 < spent <= left / 10
        left -= spent
    assert len(game.moves) > 20
    assert left > 0


def test_the_last_moves_before_the_limit_may_take_more(guest: Guest) -> None:
    guest.send(ONE_MINUTE.replace("W001000A", "W001015A"))
    guest.expect("A")
    game, left = Game("international"), 60.0
    for moves in range(15, 0, -1):
        guest.reply(game)
        spent = guest.engine.spent[15 - moves]
        assert moves <= 10 or spent <= left / 10
        left -= spent
    assert 0 < left < 10
    guest.expect("E0")


@pytest.mark.parametrize("colour", ["W", "Z"])
def test_an_illegal_move_is_answered_with_chat_and_the_end_of_the_game(
    guest: Guest, colour: str
) -> None:
    guest.send(f"R01{'Guest':32}{colour}001000A")
    guest.expect("A")
    if colour == "W":
        guest.expect("M")
    guest.send("M0000324600")
    chat = guest.expect("C32-46 cannot be played")
    assert "?s" not in chat
    guest.expect("E00")
    guest.send("E00", ONE_MINUTE)
    guest.expect("A")


def test_an_unreadable_request_is_refused(guest: Guest) -> None:
    guest.send(f"R01{'Guest':32}Q001000A")
    guest.expect(f"A{'Damka':32}2")
    guest.expect("C")
    guest.send(ONE_MINUTE)
    guest.expect(f"A{'Damka':32}0")


def test_without_a_time_limit_a_move_takes_the_configured_seconds(guest: Guest) -> None:
    guest.send(ONE_MINUTE.replace("W001", "W000"))
    guest.expect("A")
    assert guest.expect("M").startswith("M0002")
    assert guest.engine.spent == [2.5]


def test_several_games_are_played_on_one_connection(guest: Guest) -> None:
    for _ in range(2):
        guest.send(ONE_MINUTE)
        guest.expect(f"A{'Damka':32}0")
        game = Game("international")
        for _ in range(3):
            guest.reply(game)
        guest.expect("M")
        guest.send("E20")
        guest.expect("E0")


def test_a_new_request_restarts_the_game(guest: Guest) -> None:
    guest.send(ONE_MINUTE)
    guest.expect("A")
    guest.expect("M")
    guest.send(ONE_MINUTE)
    guest.expect("A")
    guest.expect("M")


def test_empty_messages_chat_and_stray_answers_change_nothing(guest: Guest) -> None:
    guest.send(*20 * [""], "Chello", "C", "K0", "K2", "E00")
    guest.send(ONE_MINUTE)
    guest.expect("A")
    game = Game("international")
    guest.reply(game)
    guest.send("", "Chow are you?", *20 * [""])
    guest.expect("M")


def test_takebacks_are_answered_at_any_time(guest: Guest) -> None:
    guest.send("B001W")
    guest.expect("K1")
    guest.send(ONE_MINUTE)
    guest.expect("A")
    game = Game("international")
    guest.reply(game)
    guest.expect("M")
    guest.send("B001Z")
    guest.expect("K0")
    guest.send("B002W", "B001W")
    assert guest.receive() == "K2"
    assert guest.receive() == "K0"
    guest.expect("M")
