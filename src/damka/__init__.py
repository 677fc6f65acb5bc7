"""Damka: play and study draughts (checkers, dama) by the exact rules of any variant."""

from importlib import import_module
from typing import TYPE_CHECKING

from damka import rules
from damka.board import Board
from damka.boards import Boards
from damka.move import Move
from damka.rules import Rules

__all__ = [
    "Board",
    "Boards",
    "Engine",
    "Game",
    "Move",
    "Rules",
    "__version__",
    "pdn",
    "review",
    "rules",
]

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
    from damka import rating as rating
    from damka import refusal as refusal
    from damka import rl as rl
    from damka import rulebook as rulebook
    from damka import study as study
    from damka import tablebase as tablebase
    from damka import tournament as tournament
    from damka import training as training
    from damka.engine import Engine
    from damka.game import Game
    from damka.study.review import review as review

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
        "rating",
        "refusal",
        "rl",
        "rulebook",
        "study",
        "tablebase",
        "tournament",
        "training",
    )
)
"""Packages that are loaded on first use; the others must be imported."""

_NAMES = {"Engine": "damka.engine", "Game": "damka.game", "review": "damka.study.review"}
"""Classes and functions that are loaded on first use, and their packages."""


def __getattr__(name: str) -> object:
    """Load a package, or a name such as `damka.Game`, on first use."""
    from damka.errors import MissingExtraError, TrainingError  # noqa: PLC0415

    if name in _PACKAGES:
        try:
            return import_module(f"damka.{name}")
        except (MissingExtraError, TrainingError) as error:
            # hasattr() returns False for a package whose extra is not installed.
            raise AttributeError(str(error)) from error
    if name in _NAMES:
        value = globals()[name] = getattr(import_module(_NAMES[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*__all__, *_PACKAGES})
