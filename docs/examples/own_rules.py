"""Play by your own rules."""

import damka
from damka.rules import load

mine = load("dama64").replace(name="kitchen-table", king_landing="any", precedence=())
for rules in (load("dama64"), mine):
    board = damka.Board(rules, "W:WK32:B18")
    print(rules.name, [move.hub() for move in board.legal_moves])
