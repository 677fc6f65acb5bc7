"""py-draughts' TurboEngine as a Hub engine, for `bench.strength`.

It runs in py-draughts' own environment, without Damka: `python bench/turbo_hub.py`.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from draughts import Board  # type: ignore[import-not-found]
from draughts.engines.turbo import TurboEngine  # type: ignore[import-not-found]

SECONDS = 1.0
VALUE = re.compile(r'([\w-]+)=(?:"([^"]*)"|(\S*))')


def start(position: str) -> Any:
    """Return the board of a Hub position: the side to move and a letter for each square."""
    groups = {}
    for side, letters in (("W", "wW"), ("B", "bB")):
        groups[side] = ",".join(
            ("K" if piece.isupper() else "") + str(square)
            for square, piece in enumerate(position[1:], 1)
            if piece in letters
        )
    return Board.from_fen(f"{position[0]}:W{groups['W']}:B{groups['B']}")


def hub(move: Any) -> str:
    """Return a move in Hub notation: from, to and the captured squares."""
    squares = [move.square_list[0] + 1, move.square_list[-1] + 1]
    captured = sorted(square + 1 for square in move.captured_list)
    return ("x" if captured else "-").join(map(str, squares + captured))


def same(text: str, move: Any) -> bool:
    """Whether a Hub text means a move; captured squares may be in any order."""
    mine, theirs = (re.split("[x-]", each) for each in (text, hub(move)))
    return mine[:2] == theirs[:2] and sorted(mine[2:]) == sorted(theirs[2:])


def main() -> None:
    """Process commands until `quit` or the end of input."""
    board, seconds = Board(), SECONDS
    engine = TurboEngine(depth_limit=None, time_limit=seconds)
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        values = {name: quoted or bare for name, quoted, bare in VALUE.findall(rest)}
        match command:
            case "hub":
                print("id name=TurboEngine\nwait", flush=True)
            case "init":
                print("ready", flush=True)
            case "new-game":
                engine = TurboEngine(depth_limit=None, time_limit=seconds)
            case "level":
                seconds = engine.time_limit = float(values["move-time"])
            case "pos":
                board = start(values["pos"])
                for text in values.get("moves", "").split():
                    board.push(next(move for move in board.legal_moves if same(text, move)))
            case "go":
                move, score = engine.get_best_move(board, with_evaluation=True)
                print(f"info score={score:.2f}\ndone move={hub(move)}", flush=True)
            case "ping":
                print("pong", flush=True)
            case "quit":
                return


if __name__ == "__main__":
    main()
