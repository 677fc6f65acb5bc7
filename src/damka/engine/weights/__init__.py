"""What the evaluation has learned: weight files, and which of those shipped serves which rules.

The files beside this one are named by their hash; `index.toml` says which rule sets each serves,
SOURCE.md how they came to be. Rules that none of them fits are judged by the general evaluation.
"""

from damka.engine.weights.file import Margins, WeightsFile, play_of, read, write
from damka.engine.weights.shipped import GENERAL, SHIPPED, choose, folder, index, shipped_file

__all__ = [
    "GENERAL",
    "SHIPPED",
    "Margins",
    "WeightsFile",
    "choose",
    "folder",
    "index",
    "play_of",
    "read",
    "shipped_file",
    "write",
]


def __dir__() -> list[str]:
    return __all__
