"""Formatting of a rule set as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["TABLES", "format_entry", "format_table", "format_value"]

TABLES: Final = ("title", "summary", "theme")
"""Keys to write last, since all keys after a table's header belong to the table."""


def format_table(table: Mapping[str, Any]) -> str:
    """Format plain values as TOML, in the given order, tables last."""
    order = sorted(table, key=lambda key: key in TABLES)
    return "\n".join(line for key in order for line in format_entry(key, table[key])) + "\n"


def format_entry(key: str, value: Any) -> list[str]:
    """Format one key as lines."""
    if key in TABLES:
        return [f"[{key}]", *(f"{name} = {format_value(item)}" for name, item in value.items())]
    if key == "material_draws" or (isinstance(value, list) and len(value) > 6):
        if not value:
            return [f"{key} = []"]
        return [f"{key} = [", *(f"  {format_value(item)}," for item in value), "]"]
    return [f"{key} = {format_value(value)}"]


def format_value(value: Any) -> str:
    """Format a plain value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # JSON strings are TOML strings, except for one control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{key} = {format_value(item)}" for key, item in value.items()) + " }"
        )
    return "[" + ", ".join(map(format_value, value)) + "]"
