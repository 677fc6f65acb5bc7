"""What is wrong with the file of a box, as lines for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.errors import RulesError

__all__ = ["trouble"]


def trouble(error: RulesError, file: Path, language: str) -> list[str]:
    """Return what is wrong, line by line: where, what stood there, what may, what was meant."""
    from damka import box, locales  # noqa: PLC0415

    try:
        text = file.read_text("utf-8-sig")
    except (OSError, ValueError):
        return [f"damka: {error}"]
    line = box.line_of(error.key, text)
    place = f"{file}:{line}" if line else str(file)
    key, words = box.said(error, language) if error.key else ("", "")
    shown = str(error).removeprefix(f"{error.source}: ")
    lines = [f"damka: {place}: {shown}"]
    if key and key in box.KEYS:
        lines.append(f"  {box.asked(language, key)} {words}".rstrip())
    if near := box.meant(error):
        lines.append("  " + locales.translate(language, "cli.box_meant", word=near))
    return lines
