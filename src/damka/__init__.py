"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from importlib import import_module
from typing import TYPE_CHECKING

from damka import rules
from damka.board import Board
from damka.boards import Boards
from damka.game import Game
from damka.move import Move
from damka.rules import Rules

__all__ = ["Board", "Boards", "Game", "Move", "Rules", "__version__", "pdn", "rules"]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from damka import pdn


def __getattr__(name: str) -> object:
    """Load `damka.pdn` when it is first used."""
    if name == "pdn":
        return import_module("damka.pdn")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
