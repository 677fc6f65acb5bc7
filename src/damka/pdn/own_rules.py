"""The Rules tag: rules that no GameType and no name tells, as what differs from a shipped rule set.

`[Rules "{\\"base\\":\\"dama64\\",\\"king_landing\\":\\"any\\"}"]` is JSON. Other programs pass over
it, as over every tag that they do not know.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import msgspec

from damka import rules as rule_sets
from damka.errors import RulesError

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["is_written", "read", "write"]

MAX_LENGTH: Final = 16_000
_LEFT_OUT: Final = frozenset({"theme", "readings", "sources", "summary"})
"""What is told of a rule set and changes neither play nor how it is written."""


def is_written(tag: str) -> bool:
    """Return whether the value of a Rules tag is one of ours: others have names there."""
    return tag.lstrip()[:1] == "{"


def write(rules: Rules) -> str:
    """Return the value of the tag."""
    ours = rules.to_dict()
    changes = (
        {"base": name, **{key: ours[key] for key, value in base.items() if ours[key] != value}}
        for name, base in _shipped().items()
    )
    return msgspec.json.encode(min(changes, key=len)).decode()


@functools.lru_cache(maxsize=64)
def read(tag: str) -> Rules:
    """Return the rules that the value of a tag tells; raises RulesError for one that tells none."""
    if len(tag) > MAX_LENGTH:
        raise RulesError("", tag, f"at most {MAX_LENGTH} characters")
    try:
        told = msgspec.json.decode(tag.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RulesError("", tag, "rules as JSON") from error
    return rule_sets.from_dict(told)


@functools.cache
def _shipped() -> dict[str, dict[str, object]]:
    """Every shipped rule set as plain values, as far as they count."""
    return {
        name: {
            key: value
            for key, value in rule_sets.load(name).to_dict().items()
            if key not in _LEFT_OUT
        }
        for name in rule_sets.names()
    }
