"""The scenes of every topic: alternatives in order of preference.

`damka.rulebook.scene.stage` selects the first whose claims are all true under the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.rulebook.scene import Diagram, stage
from damka.rulebook.scenes import beginning, captures, endings, kings, men

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["diagram"]

_SCENES: Final = {
    **beginning.SCENES,
    **men.SCENES,
    **kings.SCENES,
    **captures.SCENES,
    **endings.SCENES,
}


def diagram(rules: Rules, topic: str) -> Diagram | None:
    """Return the picture for a topic under these rules, None without a valid one."""
    if topic not in _SCENES:
        return None
    staged = (stage(rules, scene) for scene in _SCENES[topic](rules))
    return next((picture for picture in staged if picture is not None), None)
