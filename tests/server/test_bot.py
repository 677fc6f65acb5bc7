"""The documentation's example bot plays complete games in a separate process."""

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


def test_the_bot_has_at_most_thirty_lines() -> None:
    lines = [line for line in BOT.read_text("utf-8").splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("import ", "from "))]) <= 30


@pytest.mark.timeout(120)
def test_the_bot_plays_whole_games(server: Server) -> None:
    rng, results = random.Random(5), []
    with server.browser() as bot, server.browser() as person:
        name = register(bot)
        become_bot(bot)
        token = new_token(bot, "read", "challenge", "play")
        register(person)
        opponent = Program(server, new_token(person))
        environment = {**os.environ, "DAMKA": server.url, "DAMKA_TOKEN": token, "DAMKA_LEVEL": "2"}
        with (
            subprocess.Popen(
                [sys.executable, str(BOT)], env=environment, stdout=subprocess.PIPE, text=True
            ) as process,
            killed_at_exit(process),
        ):
            assert process.stdout is not None
            streams = server.app.state.damka.streams
            while not streams.count:
                assert process.poll() is None
                with opponent.http.stream("GET", "/livez"):
                    pass
            for rules, colour in (("dama64", "second"), ("dama100", "first")):
                game = opponent.game(rules=rules, opponent="invite", colour=colour)
                opponent.post(f"/api/games/{game}/offer/{name}")
                with opponent.stream(f"/api/games/{game}/stream") as states:
                    for line in states:
                        state = line.get("state", line)
                        if state["result"] is None:
                            _move(opponent, game, rng)
                results.append(
                    (process.stdout.readline().strip(), _result(Program(server, token), game))
                )
            process.terminate()
        assert [each for each, _ in results] == [each for _, each in results]
        data = opponent.get(f"/api/games/{game}").json()["game"]
        assert f"BOT {name}" in {data["white"]["name"], data["black"]["name"]}


@contextmanager
def killed_at_exit(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill the process at the end, in any case."""
    try:
        yield
    finally:
        process.kill()


def _move(player: Program, game: str, rng: random.Random) -> None:
    """Play any legal move, if it is this player's turn."""
    game_data = player.get(f"/api/games/{game}").json()
    if (
        game_data["state"]["result"] is None
        and game_data["state"]["turn"] in game_data["game"]["you"]
    ):
        move = rng.choice(game_data["state"]["legal"])
        response = player.post(f"/api/games/{game}/move", {"move": move})
        if response.status_code == 409 and response.json()["error"] == "waiting":
            return  # The bot has not joined yet; its joining sends another state.
        assert response.status_code == 200, response.text


def _result(player: Program, game: str) -> str:
    file = Game.from_json(player.get(f"/api/games/{game}/file").text)
    assert file.result is not None
    result = player.get(f"/api/games/{game}").json()["game"]["result"]
    assert result["reason"] == file.result.reason
    sentence: str = result["sentence"]
    return sentence
