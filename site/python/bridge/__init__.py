"""`damka._core` over the flat interface of the kernel, in plain Python.

The browser has no native module for Python; there this package is installed as `damka._core`. It
has the same names and behaviour as the native module: the tests of `damka` run over it. Functions
that need threads or files (building tables, training, batches of games) raise UnsupportedError.
"""

from __future__ import annotations

from .board import Board
from .engine import Engine, Evaluation, Stop, Weights, drawish, evaluate, search_task
from .missing import (
    Boards,
    UnsupportedError,
    evaluate_records,
    network_inputs,
    play_games,
    position_features,
    table_materials,
    weights_layout,
)
from .move import Move
from .pdn import pdn_find, pdn_play
from .tables import Tables, table_fingerprint

__all__ = [
    "Board",
    "Boards",
    "Engine",
    "Evaluation",
    "Move",
    "Stop",
    "Tables",
    "UnsupportedError",
    "Weights",
    "drawish",
    "evaluate",
    "evaluate_records",
    "network_inputs",
    "pdn_find",
    "pdn_play",
    "play_games",
    "position_features",
    "search_task",
    "table_fingerprint",
    "table_materials",
    "weights_layout",
]
