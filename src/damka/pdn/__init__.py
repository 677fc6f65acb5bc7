"""Games in Portable Draughts Notation: reading files of any size, editing game trees, writing.

>>> from damka import pdn
>>> [game] = pdn.read('[White "Ana"][GameType "20"] 1. 32-28 19-23 2. 28x19 14x23 (2. 13x24) *')
>>> game.headers["White"], game.rules.name, game.result
('Ana', 'international', '*')
>>> [str(node.move) for node in game.mainline()]
['32-28', '19-23', '28x19', '14x23']

The page docs/reference/pdn.md of the documentation describes the accepted and the written syntax.
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.pdn.annotations import Evaluation, Mark
from damka.pdn.game_type import rules_of
from damka.pdn.playback import Playback
from damka.pdn.reader import FAULTS, MAX_GAME_BYTES, read
from damka.pdn.tree import Node, PdnGame
from damka.pdn.writer import MAX_NESTING, format, to_dict, write  # noqa: A004  as in json

__all__ = [
    "FAULTS",
    "MAX_GAME_BYTES",
    "MAX_NESTING",
    "Evaluation",
    "Mark",
    "Node",
    "PdnGame",
    "Playback",
    "format",
    "read",
    "rules_of",
    "to_dict",
    "write",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Drawn": "Playback"})
