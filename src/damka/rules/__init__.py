"""Rules as data: the `Rules` record, its validation, and the shipped rule sets."""

from damka.rules.load import from_dict, load, names
from damka.rules.load import required as required
from damka.rules.material import Force, MaterialDraw
from damka.rules.parameters import DEFAULTS, LOOKS, PARAMETERS, Parameter
from damka.rules.record import Rules
from damka.rules.side import SIDES, Side, other

__all__ = [
    "DEFAULTS",
    "LOOKS",
    "PARAMETERS",
    "SIDES",
    "Force",
    "MaterialDraw",
    "Parameter",
    "Rules",
    "Side",
    "from_dict",
    "load",
    "names",
    "other",
]


def __dir__() -> list[str]:
    return __all__
