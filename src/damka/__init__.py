"""Damka: play and study dama, the draughts family of games. Any box's rules, exactly."""

from damka import rules
from damka.rules import Rules

__all__ = ["Rules", "rules"]
