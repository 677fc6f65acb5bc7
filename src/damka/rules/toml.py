"""A rule set as TOML text, which `damka.rules.load` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["TABLES", "entry", "toml", "written"]

TABLES: Final = ("title", "summary", "theme")
"""Written at the end: after a table's head all keys are the table's."""


def toml(table: Mapping[str, Any]) -> str:
    """Return plain values as TOML, in the order given, tables last."""
    order = sorted(table, key=lambda key: key in TABLES)
    return "\n".join(line for key in order for line in entry(key, table[key])) + "\n"


def entry(key: str, value: Any) -> list[str]:
    """Return the lines of one key."""
    if key in TABLES:
        return [f"[{key}]", *(f"{name} = {written(each)}" for name, each in value.items())]
    if key == "material_draws" or (isinstance(value, list) and len(value) > 6):
        if not value:
            return [f"{key} = []"]
        return [f"{key} = [", *(f"  {written(each)}," for each in value), "]"]
    return [f"{key} = {written(value)}"]


def written(value: Any) -> str:
    """Return a plain value as it stands after the equals sign."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # A JSON text is a TOML text, but for the one control character that TOML forbids.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {written(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(map(written, value)) + "]"
