"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from importlib import import_module
from typing import TYPE_CHECKING

from damka import rules
from damka.board import Board
from damka.boards import Boards
from damka.move import Move
from damka.rules import Rules

__all__ = ["Board", "Boards", "Game", "Move", "Rules", "__version__", "pdn", "rules"]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from damka import pdn
    from damka.game import Game


def __getattr__(name: str) -> object:
    """Load `damka.pdn` and `damka.Game` when they are first used."""
    if name == "pdn":
        return import_module("damka.pdn")
    if name == "Game":
        found = globals()[name] = import_module("damka.game").Game
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
