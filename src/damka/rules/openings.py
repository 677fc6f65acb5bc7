"""The lists of openings that come with Damka, which a rule set names to draw its ballots from.

One opening a line: the squares in parentheses whose men are taken off the start position, then
moves, in the library's numbers. The page docs/rules/parameters.md of the documentation
tells where each list is from.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

__all__ = ["list_names", "read_list"]

_LISTS: Final = Path(__file__).parent / "ballots"


@functools.cache
def list_names() -> tuple[str, ...]:
    """Return the names of the lists."""
    return tuple(
        sorted(p.name.removesuffix(".txt") for p in _LISTS.iterdir() if p.name.endswith(".txt"))
    )


@functools.cache
def read_list(name: str) -> tuple[str, ...]:
    """Return the openings of a list that exists."""
    text = (_LISTS / f"{name}.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line)
