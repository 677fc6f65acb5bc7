"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from damka import rules
from damka.board import Board
from damka.move import Move
from damka.rules import Rules

__all__ = ["Board", "Move", "Rules", "rules"]
