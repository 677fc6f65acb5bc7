"""Looks for positions whose captures take the kernel longest to list, by hill climbing.

Start from random positions in which one side has few kings and the other many pieces, change a few
squares at a time, and keep what takes longer. `tests/data/complex-positions.jsonl` holds positions
found in this way; a new one is a line to add there.

    python -m tools.complex_positions frisian --seconds 60
    python -m tools.complex_positions frisian --change width=12 height=12
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from typing import Any, Final

from damka import Board
from damka.errors import FenError, PositionTooComplexError
from damka.rules import Rules, load

EMPTY: Final = ""


class Climber:
    """One climb by `rules`: the pieces of White, who is to move, and of Black, by square."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.squares = range(1, Board(self.rules).square_count + 1)
        self.pieces = self._random()
        self.cost, self.moves = 0.0, 0

    def _random(self) -> dict[int, str]:
        squares = list(self.squares)
        self.rng.shuffle(squares)
        share = self.rng.uniform(0.2, 0.6)
        pieces = {square: "k" for square in squares if self.rng.random() < share}
        return pieces | dict.fromkeys(squares[: self.rng.choice([1, 1, 2])], "K")

    def step(self) -> bool:
        """Change one to three squares; return whether that costs more and was kept."""
        pieces = dict(self.pieces)
        for square in self.rng.sample(self.squares, self.rng.choice([1, 1, 2, 3])):
            piece = self.rng.choice([EMPTY, "k", "k", "K"])
            if self.rng.random() < 0.3:  # move a piece
                pieces[self.rng.choice(self.squares)] = pieces.pop(square, EMPTY)
            else:
                pieces[square] = piece
        pieces = {square: piece for square, piece in pieces.items() if piece}
        found = measure(self.fen(pieces), self.rules)
        if found is None or found[0] <= self.cost:
            return False
        self.pieces, (self.cost, self.moves) = pieces, found
        return True

    def fen(self, pieces: dict[int, str] | None = None) -> str:
        """The position as FEN, White to move."""
        placed = sorted((self.pieces if pieces is None else pieces).items())
        white, black = (
            ",".join(f"K{square}" for square, piece in placed if piece == side) for side in "Kk"
        )
        return f"W:W{white}:B{black}"


def measure(fen: str, rules: Rules) -> tuple[float, int] | None:
    """Return the seconds that listing the moves took, and their number: -1 where it was given up.

    Returns None for a position that the rules do not know.
    """
    try:
        board = Board(rules, fen)
    except FenError:
        return None
    start = time.process_time()
    try:
        moves = len(board.legal_moves)
    except PositionTooComplexError:
        moves = -1
    return time.process_time() - start, moves


def climb(rules: Rules, seconds: float, seed: int) -> None:
    """Climb from new starts until the time is over; print each best position as it is found."""
    rng = random.Random(seed)
    end, best = time.monotonic() + seconds, 0.0
    while time.monotonic() < end:
        climber, idle = Climber(rules, rng), 0
        while idle < 300 and time.monotonic() < end:
            idle = 0 if climber.step() else idle + 1
            if climber.cost > best * 1.1:
                best = climber.cost
                moves = "too many" if climber.moves < 0 else climber.moves
                print(f"{best * 1000:8.1f} ms  {moves} moves  {climber.fen()}", flush=True)


def main() -> None:
    """Read the command line."""
    summary, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", help="a rule set, or a rule file")
    parser.add_argument("--seconds", type=float, default=60, help="how long to climb (60)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (1)")
    parser.add_argument(
        "--change",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="parameters other than the set's",
    )
    given = parser.parse_args()
    values: dict[str, Any] = {}
    for pair in given.change:
        key, _, value = pair.partition("=")
        values[key] = int(value) if value.isdigit() else value
    climb(replace(load(given.rules), **values), given.seconds, given.seed)


if __name__ == "__main__":
    main()
