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

__all__ = ["STANDARD", "find", "hub_name", "name_of", "names"]

STANDARD: Final = "normal"
"""The protocol's original game, international draughts."""

_RULES_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        STANDARD: "international",
        "killer": "killer",
        "bt": "breakthrough",
        "frisian": "frisian",
        "losing": "antidraughts",
    }
)
_HUB_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {rules_name: hub for hub, rules_name in _RULES_NAMES.items()}
)


def name_of(rules: Rules) -> str:
    """Return a rule set's name in the protocol."""
    return hub_name(rules.name)


def hub_name(name: str) -> str:
    """Translate a rule set's name to the protocol's."""
    return _HUB_NAMES.get(name, name)


def names(own: Rules) -> tuple[str, ...]:
    """Return the supported names: the protocol's games, the other shipped ones, and `own`."""
    shipped = (_HUB_NAMES.get(name, name) for name in rule_sets.names())
    return tuple(dict.fromkeys((*_RULES_NAMES, *shipped, name_of(own))))


def find(name: str, own: Rules) -> Rules:
    """Look up a rule set by name, among `own` and the shipped ones. Raises HubError."""
    if name in (own.name, name_of(own)):
        return own
    rules_name = _RULES_NAMES.get(name, name)
    if rules_name not in rule_sets.names():
        raise HubError(f"unknown variant {name[:40]!r}; expected one of {' '.join(names(own))}")
    return rule_sets.load(rules_name)
