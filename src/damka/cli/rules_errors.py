"""Error messages about rule files, as lines for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.errors import RulesError

__all__ = ["error_lines", "with_source"]


def error_lines(error: RulesError, file: Path, language: str) -> list[str]:
    """Return the lines for every error, in the order of the file's lines.

    They contain the location of the error, the invalid text, the valid values, and a suggestion.
    """
    # An error with a key means that the file was parsed, so its size is within the limit.
    text = file.read_text("utf-8-sig") if any(each.key for each in error.all) else ""
    described = [_describe(each, file, text, language) for each in error.all]
    return [line for _, lines in sorted(described, key=lambda each: each[0]) for line in lines]


def _describe(error: RulesError, file: Path, text: str, language: str) -> tuple[int, list[str]]:
    """Return the number of the line in the file, 0 if unknown, and the lines to print."""
    from damka import box, locales  # noqa: PLC0415

    key, sentence = box.explain_error(error, language)
    error = with_source(error, file, text)
    number = error.line or 0
    lines = [f"damka: {error.sentence}"]
    if error.key and error.line is None:
        number = box.line_of(error.key, text) or 0
        message = error.sentence.removeprefix(f"{error.source}: ")
        lines = [f"damka: {file}:{number}: {message}" if number else f"damka: {file}: {message}"]
    if key in box.KEYS:
        lines.append(f"  {box.prompt(language, key)} {sentence}".rstrip())
    elif sentence and key in ("", "base"):
        lines.append(f"  {sentence}")
    # The English error text already contains the suggestion.
    if (suggestion := box.suggestion(error)) and not (
        language == "en" and f"such as {suggestion}" in lines[0]
    ):
        lines.append("  " + locales.translate(language, "cli.box_meant", word=suggestion))
    return number, lines


def with_source(error: RulesError, file: Path, text: str) -> RulesError:
    """Return an error, located in the openings file if the rules have a separate one."""
    from damka.errors import RulesError  # noqa: PLC0415
    from damka.rules.openings import file_beside, read_file  # noqa: PLC0415

    openings_file = file_beside(file, text) if error.key.startswith("ballots[") else None
    if openings_file is None:
        return error
    try:
        line = [*read_file(openings_file)][int(error.key[len("ballots[") : -1])]
    except (RulesError, IndexError, ValueError):  # the file has changed since
        return error
    return RulesError(error.key, error.value, error.expected, source=str(openings_file), line=line)
