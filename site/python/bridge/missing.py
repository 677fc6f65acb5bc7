"""Functions that a browser does not support."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = [
    "Boards",
    "UnsupportedError",
    "evaluate_records",
    "network_inputs",
    "play_games",
    "position_features",
    "table_materials",
    "weights_layout",
]


class UnsupportedError(RuntimeError):
    """The function needs the native kernel."""

    def __init__(self, feature: str) -> None:
        super().__init__(f"{feature} needs the native kernel, which a browser does not have")


def missing(feature: str) -> Any:
    """Return a function that raises UnsupportedError."""

    def raising(*args: object, **options: object) -> NoReturn:
        raise UnsupportedError(feature)

    return raising


class Boards:
    """Batch of games on several threads."""

    def __init__(self, rules: object, n: object, threads: object) -> None:
        raise UnsupportedError("playing batches of games")


evaluate_records = missing("evaluating records of games")
network_inputs = missing("training")
play_games = missing("self-play")
position_features = missing("training")
table_materials = missing("building endgame tables")
weights_layout = missing("training")
