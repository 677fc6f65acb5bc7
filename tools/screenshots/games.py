"""Positions and whole games of the pictures. The games were played by the engine."""

from __future__ import annotations

from typing import Final

from damka import Game

CHAIN: Final = ("international", "W:W12,27,35,K36,44:B7,8,9,10,22,34,38,41,43")
"""The king on 36 captures eight pieces, along several routes."""
FOUR_WAYS: Final = ("american", "B:W6,7,8,14,15,16,22,23,24:BK2")
"""A king that captures along several routes to the same square."""
HUFF: Final = ("dama100", "W:W32,36,37,46,48,50:B1,2,3,4,5,28")
"""The man on 32 should capture; the man on 36 can move."""
OPENING: Final = "22-18 12-16 24-20 8-12 28-24 4-8 24-19 9-14 18x9 5x14 25-22 1-5 22-18 6-9"
MIDDLE: Final = f"{OPENING} 18-15 11x18 20x4 12-16 4x22 7-11 22x8 3x12 29-25 9-13"
WON: Final = (
    f"{MIDDLE} 25-22 14-18 22x6 2x9 19-15 9-14 15-10 16-19 23x16 12x19 10-6 5-9 6-1 14-17 1x24"
    " 17-22 26x17 13x22 24-15 22-26 30x23 9-14 23-18 14x23 27x18"
)
"""Czech draughts: White captures the last piece."""
LOST: Final = (
    "22-18 11-15 18x11 8x15 25-22 4-8 21-17 9-13 23-18 7-11 29-25 10-14 18x9 5x21 24-19 15x24"
    " 28x19 11-15 19x10 6x15 26-23 8-11 27-24 1-6 23-18 13-17 22x13 15x29 24-19 21-25 30x21 11-16"
    " 21-17 16x23 17-14 23-26 31x22 29x9 32-28 12-16 28-24 2-7 24-19 16x23"
)
"""Czech draughts: White has no move left. Black's last move was the only one."""
DRAWN: Final = (
    "9-13 22-18 6-9 24-19 11-15 18x11 8x24 28x19 2-6 25-22 9-14 22-18 14-17 21x14 10x17 18-14"
    " 17-21 14-9 5x14 30-25 21x30 19-16 12x19 23x16 30x23 27x2 7-10 32-27 10-15 16-12 15-18 2-6"
    " 1x10 29-25 13-17 25-21 3-7 21x14 10x17 31-26 18-22 26-23 22-26 27-24 26-31 23-18 31-27 18-14"
    " 27x20 14-9 17-21 9-6 20-16 6-1 7-10 1-6 16-20 6x15 20-16 15-18 16-11 18-23 11-7 23-19 21-25"
    " 19-23 25-30 23-18 7-3 12-8 4x11 18-14 30-26 14-9 26-22 9-5 11-15 5-9 15-19 9-5 19-24 5-1 3-7"
    " 1-5 22-17 5-1 17-14 1-5 14-17 5-1 7-2 1-5 2-7"
)
"""American: the position comes up for the third time."""
REFUSED: Final = (
    "12-16 24-19 8-12 28-24 9-14 22-17 5-9 26-22 11-15 22-18 15x22 25x18 4-8 24-20 8-11 18-15 11x18"
)
"""American: White must capture."""

COMMENTED: Final = """[White "Ana"][Black "Bruno"][Variant "dama64"]
1. 22-18 11-15 2. 18x11 {White must capture, and has a choice.} 8x15 $1 (2... 7x16 3. 21-17 {is
calmer.}) 3. 25-22 4-8 $6 4. 21-17 9-13 *"""
ENDGAME: Final = '[Variant "dama64"][FEN "W:WK32,K28:BK1"] *'


def position(rules: str, fen: str) -> str:
    """Return a saved game that begins with a position."""
    return Game(rules, fen=fen).to_json()


def played(rules: str, moves: str, *, unplayed: int = 0) -> str:
    """Return a saved game with these moves, without the last ones."""
    texts = moves.split()
    return _played(rules, texts[: len(texts) - unplayed]).to_json()


def messages(rules: str, moves: str) -> list[str]:
    """Return moves as a page sends them: captures name the captured squares."""
    return [move.hub() for move in _played(rules, moves.split()).moves]


def _played(rules: str, moves: list[str]) -> Game:
    game = Game(rules)
    for text in moves:
        game.play(text)
    return game
