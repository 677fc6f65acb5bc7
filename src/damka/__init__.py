"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from damka import pdn, rules
from damka.board import Board
from damka.game import Game
from damka.move import Move
from damka.rules import Rules

__all__ = ["Board", "Game", "Move", "Rules", "__version__", "pdn", "rules"]

__version__ = "0.1.0"
