"""List the legal moves of a position."""

import damka

board = damka.Board("american", "W:W22,26,K10:B7,17,18")
print(board)
for move in board.legal_moves:
    print(board.text(move), "takes", move.captures)
