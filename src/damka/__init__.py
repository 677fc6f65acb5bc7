"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from importlib import import_module
from typing import TYPE_CHECKING

from damka import rules
from damka.board import Board
from damka.boards import Boards
from damka.errors import TrainingError
from damka.move import Move
from damka.rules import Rules

__all__ = ["Board", "Boards", "Game", "Move", "Rules", "__version__", "pdn", "rules"]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from damka import box as box
    from damka import draw as draw
    from damka import engine as engine
    from damka import errors as errors
    from damka import game as game
    from damka import locales as locales
    from damka import match as match
    from damka import notation as notation
    from damka import pdn
    from damka import refusal as refusal
    from damka import rulebook as rulebook
    from damka import tablebase as tablebase
    from damka import training as training
    from damka.game import Game

_PACKAGES = frozenset(
    (
        "box",
        "draw",
        "engine",
        "errors",
        "game",
        "locales",
        "match",
        "notation",
        "pdn",
        "refusal",
        "rulebook",
        "tablebase",
        "training",
    )
)
"""What is loaded when it is first used; other packages are imported by name."""


def __getattr__(name: str) -> object:
    """Load a package, or `damka.Game`, when it is first used."""
    if name in _PACKAGES:
        try:
            return import_module(f"damka.{name}")
        except TrainingError as error:
            # What needs an extra is not there without it; to import it says the same.
            raise AttributeError(str(error)) from error
    if name == "Game":
        found = globals()[name] = import_module("damka.game").Game
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
