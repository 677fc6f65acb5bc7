"""Rules as data: the `Rules` record, its checker, and the rule sets shipped with Damka."""

from damka.rules.check import DEFAULTS, PARAMETERS
from damka.rules.load import from_dict, load, names
from damka.rules.material import Force, MaterialDraw
from damka.rules.record import Rules, Side

__all__ = [
    "DEFAULTS",
    "PARAMETERS",
    "Force",
    "MaterialDraw",
    "Rules",
    "Side",
    "from_dict",
    "load",
    "names",
]
