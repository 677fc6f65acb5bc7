"""Generator of a large file of random Russian games, for measuring the reader.

It imitates the largest known collection, 109,616 games in 64 MB: tags that begin with White and
Black, results 1-1, 2-0, 0-2 and *, captures with only start and end, some games from positions with
numbered squares, some comments, variations and marks. The moves are random.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Final

import damka
from damka.notation import squares

if TYPE_CHECKING:
    from damka import Board, Move

__all__ = ["GAMES", "write"]

GAMES: Final = 109_616
PLIES: Final = (42, 84)
_RESULTS: Final = ("1-1", "2-0", "0-2", "*")
_WEIGHTS: Final = (69_026, 20_441, 19_238, 911)
_MARKS: Final = (" $1", " $2", " $5", "!", "?")
_START: Final = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def write(path: Path, games: int = GAMES, seed: int = 64) -> None:
    """Write a file with this number of games."""
    rng = random.Random(seed)
    rules = damka.rules.load("russian")
    names = [""] + [squares.algebraic(rules, square) for square in range(1, 33)]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(games):
            file.write(_game(rng, damka.Board(rules), names, number))


def _game(rng: random.Random, board: Board, names: list[str], number: int) -> str:
    result = rng.choices(_RESULTS, _WEIGHTS)[0]
    tags = {
        "White": f"Player Number {rng.randrange(4000)}",
        "Black": f"Player Number {rng.randrange(4000)}",
        "Event": f"Tournament {rng.randrange(900)}, the final of the men",
        "Site": "A town by the sea",
        "Date": f"{rng.randrange(1960, 2013)}.??.??",
        "Round": str(rng.randrange(1, 12)),
        "Result": result,
        "GameType": "25",
    }
    if number % 17 == 0:
        for _ in range(rng.randrange(1, 7)):
            board.push(rng.choice(board.legal_moves))
        tags["FEN"] = board.fen
    words: list[str] = []
    number = 1
    white = board.turn == "W"
    if not white:
        words.append("1...")
    for _ in range(rng.randint(*PLIES)):
        legal = board.legal_moves
        if not legal:
            break
        if white:
            words.append(f"{number}.")
        move = _unambiguous(rng, legal)
        text = _text(move, names)
        if rng.random() < 0.0006:
            text += rng.choice(_MARKS)
        words.append(text)
        if rng.random() < 0.002:
            words.append("{a comment on this move}")
        if rng.random() < 0.005:
            words.append(f"({number}{'.' if white else '...'} {_text(rng.choice(legal), names)})")
        board.push(move)
        number += not white
        white = not white
    words.append(result)
    lines = [f'[{name} "{value}"]' for name, value in tags.items()] + [""]
    line = ""
    for word in words:
        if len(line) + len(word) > 78:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line, "", ""])


def _unambiguous(rng: random.Random, legal: list[Move]) -> Move:
    """Return a random move, defined uniquely by its start and end if possible."""
    move = rng.choice(legal)
    if move.is_capture:
        ends = [(each.start, each.end) for each in legal]
        clear = [each for each in legal if ends.count((each.start, each.end)) == 1]
        return rng.choice(clear or legal)
    return move


def _text(move: Move, names: list[str]) -> str:
    return f"{names[move.start]}{'x' if move.is_capture else '-'}{names[move.end]}"
