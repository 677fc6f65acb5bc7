"""The names of rule sets in the Hub protocol.

The protocol names five games; every other rule set has Damka's name, which is also accepted for
these five.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka import rules as rule_sets
from damka.engine.hub.line import HubError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.rules import Rules

__all__ = ["STANDARD", "find", "known_as", "name_of", "names"]

STANDARD: Final = "normal"
"""The protocol's original game, international draughts."""

_OURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        STANDARD: "international",
        "killer": "killer",
        "bt": "breakthrough",
        "frisian": "frisian",
        "losing": "antidraughts",
    }
)
_THEIRS: Final[Mapping[str, str]] = MappingProxyType({ours: hub for hub, ours in _OURS.items()})


def name_of(rules: Rules) -> str:
    """Return a rule set's name in the protocol."""
    return known_as(rules.name)


def known_as(name: str) -> str:
    """Translate a rule set's name to the protocol's."""
    return _THEIRS.get(name, name)


def names(own: Rules) -> tuple[str, ...]:
    """Return the supported names: the protocol's own games first, then ours, then `own`."""
    shipped = (_THEIRS.get(name, name) for name in rule_sets.names())
    return tuple(dict.fromkeys((*_OURS, *shipped, name_of(own))))


def find(name: str, own: Rules) -> Rules:
    """Look up a rule set by name; `own` need not be shipped. Raises HubError."""
    if name in (own.name, name_of(own)):
        return own
    wanted = _OURS.get(name, name)
    if wanted not in rule_sets.names():
        raise HubError(f"no variant is called {name[:40]!r}; there are {' '.join(names(own))}")
    return rule_sets.load(wanted)
