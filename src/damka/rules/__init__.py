"""Rules as data: the `Rules` record, its checker, and the rule sets shipped with Damka."""

from damka.rules.check import LANGUAGES, PARAMETERS
from damka.rules.load import from_dict, load, names
from damka.rules.record import Rules, Side

__all__ = ["LANGUAGES", "PARAMETERS", "Rules", "Side", "from_dict", "load", "names"]
