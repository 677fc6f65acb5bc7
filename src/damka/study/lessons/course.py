"""The course of a rule set."""

from __future__ import annotations

import functools
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from damka.rules import from_dict
from damka.study.lessons import shipped
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.level import Course

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["course", "is_known"]

_MAX_FOUND: Final = 256
_found: Final[dict[str, Course]] = {}
"""Courses that were searched for, by fingerprint, the oldest first."""
# Searches side by side would only wait for each other, and may be for the same course.
_search: Final = threading.Lock()


def course(rules: Rules) -> Course:
    """Return the course of these rules, which is the same in every run.

    The first call for house rules searches for its positions, which takes about a second.
    """
    return _course(msgspec.json.encode(rules.to_dict()))


def is_known(rules: Rules) -> bool:
    """Whether the course of these rules takes no search, as it is shipped or was found already."""
    name = fingerprint(rules)
    return name in _found or name in shipped.fingerprints()


# Rules are equal without their notation, which a course has in its sentences.
@functools.lru_cache(32)
def _course(written: bytes) -> Course:
    rules = from_dict(msgspec.json.decode(written))
    return shipped.read(rules) or _searched(rules)


def _searched(rules: Rules) -> Course:
    """Return a course that is not shipped; only its names and labels are those of the rules."""
    from damka.study.lessons.generate import generate  # noqa: PLC0415  seldom needed

    name = fingerprint(rules)
    with _search:
        found = _found.get(name)
        if found is None:
            found = _found[name] = generate(rules)
            if len(_found) > _MAX_FOUND:
                del _found[next(iter(_found))]
    return Course.of(rules, [replace(level, rules=rules) for level in found.levels])
