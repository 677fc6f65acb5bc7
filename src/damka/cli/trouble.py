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

    key, words = box.said(error, language)
    lines = [f"damka: {error}"]
    if error.key:
        # It was read, so it is a text of bounded size.
        line = box.line_of(error.key, file.read_text("utf-8-sig"))
        shown = str(error).removeprefix(f"{error.source}: ")
        lines = [f"damka: {file}:{line}: {shown}" if line else f"damka: {file}: {shown}"]
    if key in box.KEYS:
        lines.append(f"  {box.asked(language, key)} {words}".rstrip())
    elif words and key in ("", "base"):
        lines.append(f"  {words}")
    if near := box.meant(error):
        lines.append("  " + locales.translate(language, "cli.box_meant", word=near))
    return lines
