"""Let your own player play a game against level 3."""

import random

import damka
from damka.engine import Engine, levels


def mine(game: damka.Game) -> damka.Move:
    """Take as much as possible, else any move."""
    most = max(len(move.captures) for move in game.legal_moves)
    return rng.choice([move for move in game.legal_moves if len(move.captures) == most])


rng = random.Random(1)
engine = Engine(hash_mb=16)
game = damka.Game("american")
while game.result is None:
    if game.turn == "W":
        game.play(mine(game))
    else:
        game.apply(levels.choose(engine, game, 3, rng))
print(game.result.winner, game.result.reason)
