"""Bot that accepts every game offered to it, and plays with Damka's engine."""

import json
import os
import random
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

from damka import Game
from damka.engine import Engine, levels

engine, rng = Engine(hash_mb=16), random.Random()
level = int(os.environ.get("DAMKA_LEVEL", "4"))


def ask(path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    header = {"Authorization": f"Bearer {os.environ['DAMKA_TOKEN']}"}
    return urlopen(Request(os.environ["DAMKA"] + path, data, header))


def play(path: str, mine: list[str]) -> None:
    is_on = True
    while is_on:  # a stream ends early when the server is restarted
        for _ in filter(bytes.strip, ask(f"{path}/stream")):
            game = Game.from_json(ask(f"{path}/file").read())
            is_on = game.result is None
            if is_on and game.turn in mine:
                choice = levels.choose(engine, game, level, rng)
                if choice.huff is not None:
                    ask(f"{path}/huff", {"square": choice.huff})
                elif choice.move is not None:
                    ask(f"{path}/move", {"move": choice.move.hub()})


for line in filter(bytes.strip, ask("/api/stream/events")):
    event = json.loads(line)
    if event["t"] == "challenge":
        ask(f"/api/games/{event['id']}/join", {})
    elif event["t"] == "game_start":
        game_path, mine = f"/api/games/{event['game']['id']}", event["game"]["you"]
        Thread(target=play, args=[game_path, mine]).start()
    elif event["t"] == "game_over":
        print(event["game"]["result"]["sentence"], flush=True)
