"""Games with mistakes, huffs and offences, played by a weak engine."""

from __future__ import annotations

import random

from damka import Engine, Game, rules
from damka.rules import Rules

NODES = 4_000
HOUSE = (
    rules.load("dama64").replace(name="house", man_capture="all", notation="A0"),
    rules.load("international").replace(name="house", rows=3, first="B", notation="N1"),
    rules.load("american").replace(name="house", obligation="huff", colours=("green", "tartan")),
    rules.load("russian").replace(name="house", objective="breakthrough"),
)
"""House boxes: other captures, labels, colours and aims."""


def weak_game(of: Rules | str, seed: int, plies: int = 60, nodes: int = 800) -> Game:
    """Return a game in which both sides err, now and then break rules, and huff."""
    game, rng = Game(of), random.Random(f"{seed}")
    with Engine(hash_mb=1) as engine:
        while game.result is None and game.ply_count < plies:
            if game.offences and game.pending_huff is None and rng.random() < 0.5:
                game.huff(rng.choice(game.offences))
                continue
            chance = rng.random()
            if game.offence_moves and chance < 0.2:
                game.play(rng.choice(game.offence_moves))
            elif game.ply_count < 4 or chance < 0.15:
                game.play(rng.choice(game.legal_moves))
            else:
                game.play(engine.search(game, nodes=nodes).move or game.legal_moves[0])
    return game
