"""Learned evaluation weights: weights files, and the selection of the shipped file for some rules.

The names of the files in this folder contain their hash; `index.toml` maps them to rule sets, and
SOURCE.md describes their training. Rules without a matching file use the general evaluation.
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
