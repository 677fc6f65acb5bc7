"""Play a random game to its end."""

import random

import damka

rng = random.Random(7)
board = damka.Board("russian")
while not board.is_over:
    board.push(rng.choice(board.legal_moves))

match board.result:
    case (None, reason):
        print(f"a draw after {board.move_count} plies: {reason}")
    case (winner, reason):
        print(f"{winner} wins after {board.move_count} plies: {reason}")
