"""The Rules tag: house rules, as the differences from a shipped rule set.

The value is JSON: `[Rules "{\\"base\\":\\"dama64\\",\\"king_landing\\":\\"any\\"}"]`. Other
programs ignore the tag.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import msgspec

from damka import rules as rule_sets
from damka.errors import RulesError

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["is_own_format", "read", "write"]

MAX_LENGTH: Final = 16_000
_OMITTED: Final = frozenset({"theme", "readings", "sources", "summary"})
"""Parameters that affect neither play nor notation."""


def is_own_format(tag: str) -> bool:
    """Return whether a Rules tag is in our format; those of other programs contain a name."""
    return tag.lstrip()[:1] == "{"


def write(rules: Rules) -> str:
    """Format the value of the tag."""
    values = rules.to_dict()
    changes = (
        {"base": name, **{key: values[key] for key, value in base.items() if values[key] != value}}
        for name, base in _shipped().items()
    )
    return msgspec.json.encode(min(changes, key=len)).decode()


@functools.lru_cache(maxsize=64)
def read(tag: str) -> Rules:
    """Parse the value of a tag; raises RulesError."""
    if len(tag) > MAX_LENGTH:
        raise RulesError("", tag, f"at most {MAX_LENGTH} characters")
    try:
        values = msgspec.json.decode(tag.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RulesError("", tag, "rules as JSON") from error
    return rule_sets.from_dict(values)


@functools.cache
def _shipped() -> dict[str, dict[str, object]]:
    """Return the relevant parameters of every shipped rule set as plain values."""
    return {
        name: {
            key: value
            for key, value in rule_sets.load(name).to_dict().items()
            if key not in _OMITTED
        }
        for name in rule_sets.names()
    }
