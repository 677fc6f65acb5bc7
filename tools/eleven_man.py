"""Make the openings of the 11-man ballot: `python -m tools.eleven_man > LIST`.

An opening removes a red man on 5 to 12 and a white man on 21 to 28. Then each side makes one of the
seven first moves of the start position. If the man that would move is gone, the man behind it makes
the move in the same direction. Openings that lose a man at once are left out.
Source: American Checker Federation, 11-man ballot checkers, 2008 and 2012.
"""

from __future__ import annotations

import sys
from itertools import product

from damka import Board, Rules, rules
from damka.engine import Engine
from damka.errors import MoveError

DEPTH = 7
LOST = 70
"""Hundredths of a man: a side that is this far behind has lost a man."""


def main() -> None:
    """Print the openings, one a line."""
    american = rules.load("american")
    engine = Engine(hash_mb=4)
    red_moves, white_moves = (
        [(move.start, move.end) for move in board.legal_moves]
        for board in (Board(american), Board(american, "W" + american.start_fen[1:]))
    )
    for red, white in product(range(5, 13), range(21, 29)):
        for red_move, white_move in product(red_moves, white_moves):
            moves = [_replaced(american, red_move, red), _replaced(american, white_move, white)]
            board = Board(american).remove(red).remove(white)
            try:
                for start, end in moves:
                    board.push(f"{start}-{end}")
            except MoveError:
                continue
            if abs(engine.search(board, depth=DEPTH).score) < LOST:
                texts = " ".join(f"{start}-{end}" for start, end in moves)
                sys.stdout.write(f"({red}) ({white}) {texts}\n")


def _replaced(american: Rules, move: tuple[int, int], gone: int) -> tuple[int, int]:
    """Return the move, or that of the man behind if the mover is gone."""
    start, end = move
    if start != gone:
        return move
    (row, column), (ahead, beside) = american.cell(start), american.cell(end)
    behind = american.square_at(2 * row - ahead, 2 * column - beside)
    return behind or 0, start


if __name__ == "__main__":
    main()
