"""What several commands share: naming a rule set, and choosing a language."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from damka.locales import LANGUAGES
from damka.rules import Rules, load, names

if TYPE_CHECKING:
    from damka import Board

__all__ = [
    "CONTEMPT_HELP",
    "LANG_HELP",
    "NAME_HELP",
    "board_of",
    "complete_language",
    "complete_rules",
    "language_of",
    "load_rules",
]

NAME_HELP = "A rule set: a name (see `damka rules`) or the path of a TOML file."
LANG_HELP = f"The language: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}."
CONTEMPT_HELP = (
    "What it gives for every piece kept on the board, in hundredths of a man, for more"
    " winning chances against weaker players. 0 for none."
)


def load_rules(name: str) -> Rules:
    """Return the rule set a command line names; a text with a slash is always a path.

    TOML text itself is not taken from the command line, so a stray `=` is an unknown name.
    """
    if "/" in name or name.endswith(".toml") or "=" in name or "\n" in name:
        return load(Path(name))
    return load(name)


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Return the names of rule sets that the shell may complete a word to, with their titles."""
    return [(name, load(name).title_in("en")) for name in names() if name.startswith(incomplete)]


def complete_language(incomplete: str) -> list[str]:
    """Return the languages that the shell may complete a word to."""
    return [language for language in LANGUAGES if language.startswith(incomplete)]


def board_of(rules: Rules, fen: str | None) -> Board:
    """Return the board of a position typed with the labels that the federation prints.

    Without one the board is at the start. Raises FenError, which speaks in labels too.
    """
    from damka import Board  # noqa: PLC0415
    from damka.notation import fen as notation  # noqa: PLC0415

    if fen is None:
        return Board(rules)
    return Board(rules, notation.format(rules, *notation.parse(rules, fen, labels=True)))


def language_of(chosen: str | None) -> str:
    """Return the language asked for, else the terminal's, else English.

    Raises typer.BadParameter for a language asked for that Damka does not speak.
    """
    if chosen is not None:
        if chosen not in LANGUAGES:
            raise typer.BadParameter(f"{chosen!r} is none of {', '.join(LANGUAGES)}")
        return chosen
    # The order in which POSIX reads them.
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
