"""A rule set as a commented TOML file, a template for house rules."""

from __future__ import annotations

import shlex
import textwrap
from typing import Final

from damka import locales
from damka.board import Board
from damka.box.questions import meaning, question
from damka.rules import PARAMETERS, Rules
from damka.rules.toml import TABLES, format_entry, format_value

__all__ = ["template"]

_WIDTH: Final = 100
"""Maximum width of a comment line."""


def template(base: Rules, language: str, name: str, file: str, program: str = "damka") -> str:
    """Return a file for a rule set called `name` with the rules of `base`.

    A comment above each key explains it. `file` is the file's name, and `program` the command that
    runs Damka.
    """
    head = (
        locales.translate(language, "box.template.head"),
        locales.translate(language, "box.template.check", file=shlex.quote(file), program=program),
    )
    lines = [line for text in head for line in _wrap(text)]
    lines += ["", f"base = {format_value(base.name)}", ""]
    values = base.replace(name=name).to_dict() | {"theme": dict(base.to_dict()["theme"])}
    for key in (*(key for key in PARAMETERS if key not in TABLES), *TABLES):
        lines += [*_comment(base, language, key), *format_entry(key, values[key])]
        if key == "title" and not values[key]:
            lines.append(f"# {language} = {format_value(name)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _comment(base: Rules, language: str, key: str) -> list[str]:
    """Return the comment on a key: its question, and a list of the possible values."""
    text = question(language, key)
    if key == "ballots":
        return _wrap(text.format(opening=_opening(base)))
    lines = _wrap(text)
    for value, words in meaning(language, key):
        lines += _wrap(f"{format_value(value)}: {words}", indent="  ")
    return lines


def _wrap(text: str, indent: str = "") -> list[str]:
    """Return text as comment lines."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"# {indent}",
        subsequent_indent=f"# {indent}{indent}",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _opening(base: Rules) -> str:
    """Return an example of a three-move opening by these rules."""
    board = Board(base)
    moves = []
    for _ in range(3):
        move = board.legal_moves[len(board.legal_moves) // 2]
        moves.append(board.text(move))
        board.push(move)
    return " ".join(moves)
