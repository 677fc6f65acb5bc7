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


def request(path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    header = {"Authorization": f"Bearer {os.environ['DAMKA_TOKEN']}"}
    return urlopen(Request(os.environ["DAMKA"] + path, data, header))


def play(path: str, my_sides: list[str]) -> None:
    running = True
    while running:  # a stream ends early when the server is restarted
        for _ in filter(bytes.strip, request(f"{path}/stream")):
            game = Game.from_json(request(f"{path}/file").read())
            running = game.result is None
            if running and game.turn in my_sides:
                choice = levels.choose(engine, game, level, rng)
                if choice.huff is not None:
                    request(f"{path}/huff", {"square": choice.huff})
                elif choice.move is not None:
                    request(f"{path}/move", {"move": choice.move.hub()})


for line in filter(bytes.strip, request("/api/stream/events")):
    event = json.loads(line)
    if event["t"] == "challenge":
        request(f"/api/games/{event['id']}/join", {})
    elif event["t"] == "game_start":
        game_path, my_sides = f"/api/games/{event['game']['id']}", event["game"]["you"]
        Thread(target=play, args=[game_path, my_sides]).start()
    elif event["t"] == "game_over":
        print(event["game"]["result"]["sentence"], flush=True)
