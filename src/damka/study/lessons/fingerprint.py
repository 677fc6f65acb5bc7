"""A name for the rules on which a course depends."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from damka.rules.parameters import PARAMETERS

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["fingerprint"]


def fingerprint(rules: Rules) -> str:
    """Return a name for everything in these rules on which their course depends."""
    values = {
        key: rules.to_dict()[key]
        for key, parameter in PARAMETERS.items()
        if parameter.decides in ("start", "play", "draws")
    }
    values["dark_corner"] = rules.dark_corner
    return hashlib.sha256(msgspec.json.encode(values, order="sorted")).hexdigest()[:16]
