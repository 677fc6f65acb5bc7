"""Selection of the shipped weights for some rules."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from damka import rules as rule_sets
from damka.engine.weights.file import WeightsFile, play_of, read

if TYPE_CHECKING:
    from damka import _core
    from damka.rules import Rules

__all__ = ["GENERAL", "SHIPPED", "choose", "folder", "index", "shipped_file"]

SHIPPED: Final = "shipped"
GENERAL: Final = "general"


def folder() -> Path:
    """Return the folder of the shipped files."""
    return Path(__file__).parent


@functools.cache
def index() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the names of the files, each with its rule sets; its training rules come first."""
    table = tomllib.loads((folder() / "index.toml").read_text("utf-8"))
    return tuple(
        (entry["file"], (entry["rules"], *entry["serves"])) for entry in table.get("weights", [])
    )


def shipped_file(rules: Rules) -> Path | None:
    """Return the file for games by `rules`, or None.

    Only the parameters that affect play matter: house rules that differ from a shipped rule set
    only in draw rules and names use its file.
    """
    return _file(play_of(rules))


@functools.lru_cache(256)
def _file(play: tuple[tuple[str, Any], ...]) -> Path | None:
    for name, rules_names in index():
        if any(play_of(rule_sets.load(rules_name)) == play for rules_name in rules_names):
            return folder() / name
    return None


def choose(rules: Rules, choice: str | Path | WeightsFile = SHIPPED) -> _core.Weights | None:
    """Return the weights for searches by `rules`, None for the general evaluation.

    `choice` is "shipped" for the weights of Damka, "general" for none, or custom weights:
    a file's path or its contents. Raises WeightsError if these are damaged or for another board.
    """
    if isinstance(choice, WeightsFile):
        return choice.native(rules)
    if choice == GENERAL:
        return None
    if choice != SHIPPED:
        return read(Path(choice)).native(rules)
    path = shipped_file(rules)
    if path is None:
        return None
    if path not in _loaded:
        _loaded[path] = read(path).native(rules)
    return _loaded[path]


_loaded: Final[dict[Path, _core.Weights]] = {}
"""Cache of loaded weights, shared by all searches."""
