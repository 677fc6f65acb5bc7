"""Writing a run's files atomically, and its JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from damka.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["plain", "read_json", "write_atomically", "write_json"]


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON atomically."""
    write_atomically(path, (json.dumps(value, indent=1) + "\n").encode())


def read_json(path: Path) -> Any:
    """Return the value in a JSON file.

    Raises TrainingError for an unreadable file or invalid JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise TrainingError(f"{path}: damaged: {error}; delete it to create it again") from error


def plain(value: dict[str, Any]) -> dict[str, Any]:
    """Convert a value to plain JSON types."""
    result: dict[str, Any] = json.loads(json.dumps(value, default=dict))
    return result
