"""Explain why a move is not allowed."""

import damka

board = damka.Board("american", "W:W22,27:B6,18")
refusal = board.why_not("27-23")
if refusal is not None:
    print(refusal.code)
    for language in ("en", "it"):
        print(refusal.sentence(language))

try:
    board.push("27-23")
except damka.errors.IllegalMoveError as error:
    print("push:", error)
