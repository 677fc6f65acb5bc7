"""Text notation of positions and moves: FEN, square names, move text and Hub notation.

This package only parses and formats. `damka.refusal` decides which move the text means on a board,
or why it is refused.
"""

from damka.notation import fen, hub, squares, text
from damka.notation.labels import Labels, labels, lettered, numbered, pdn_game_type

__all__ = [
    "Labels",
    "fen",
    "hub",
    "labels",
    "lettered",
    "numbered",
    "pdn_game_type",
    "squares",
    "text",
]


def __dir__() -> list[str]:
    return __all__
