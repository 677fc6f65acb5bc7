"""The documentation's example bot in a separate process: complete games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from damka import Game
from tests.server.accounts.support import register
from tests.server.programs import Program, become_bot, new_token
from tests.server.support import Server

BOT = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"


def test_the_bot_is_short() -> None:
    lines = [line for line in BOT.read_text("utf-8").splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("import ", "from "))]) <= 30


@pytest.mark.timeout(120)
def test_the_bot_plays_whole_games(server: Server) -> None:
    rng, said = random.Random(5), []
    with server.browser() as bot, server.browser() as person:
        name = register(bot)
        become_bot(bot)
        token = new_token(bot, "read", "challenge", "play")
        register(person)
        me = Program(server, new_token(person))
        environment = {**os.environ, "DAMKA": server.url, "DAMKA_TOKEN": token, "DAMKA_LEVEL": "2"}
        with (
            subprocess.Popen(
                [sys.executable, str(BOT)], env=environment, stdout=subprocess.PIPE, text=True
            ) as process,
            killed_late(process),
        ):
            assert process.stdout is not None
            streams = server.app.state.damka.streams
            while not streams.count:
                assert process.poll() is None
                with me.http.stream("GET", "/livez"):
                    pass
            for rules, colour in (("dama64", "second"), ("dama100", "first")):
                game = me.game(rules=rules, opponent="invite", colour=colour)
                me.post(f"/api/games/{game}/offer/{name}")
                with me.stream(f"/api/games/{game}/stream") as states:
                    for line in states:
                        state = line.get("state", line)
                        if state["result"] is None:
                            _move(me, game, rng)
                said.append(
                    (process.stdout.readline().strip(), _result(Program(server, token), game))
                )
            process.terminate()
        assert [each for each, _ in said] == [each for _, each in said]
        data = me.get(f"/api/games/{game}").json()["game"]
        assert f"BOT {name}" in {data["white"]["name"], data["black"]["name"]}


@contextmanager
def killed_late(process: subprocess.Popen[str]) -> Iterator[None]:
    """The process ends in any case."""
    try:
        yield
    finally:
        process.kill()


def _move(me: Program, game: str, rng: random.Random) -> None:
    """Play any legal move, if it is this player's turn."""
    now = me.get(f"/api/games/{game}").json()
    if now["state"]["result"] is None and now["state"]["turn"] in now["game"]["you"]:
        move = rng.choice(now["state"]["legal"])
        answer = me.post(f"/api/games/{game}/move", {"move": move})
        if answer.status_code == 409 and answer.json()["error"] == "waiting":
            return  # The bot has not joined yet; another state follows when it has.
        assert answer.status_code == 200, answer.text


def _result(me: Program, game: str) -> str:
    file = Game.from_json(me.get(f"/api/games/{game}/file").text)
    assert file.result is not None
    result = me.get(f"/api/games/{game}").json()["game"]["result"]
    assert result["reason"] == file.result.reason
    sentence: str = result["sentence"]
    return sentence
