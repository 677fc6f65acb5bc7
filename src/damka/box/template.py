"""A rule set as a commented TOML file, a template for house rules."""

from __future__ import annotations

import shlex

from damka import locales
from damka.board import Board
from damka.box.questions import meaning, question
from damka.rules import PARAMETERS, Rules
from damka.rules.toml import TABLES, format_entry, format_value

__all__ = ["template"]


def template(base: Rules, language: str, name: str, file: str, program: str = "damka") -> str:
    """Return a file for a rule set called `name` with the rules of `base`.

    A comment above each key explains it. `file` is the file's name, and `program` the command that
    runs Damka.
    """
    head = (
        locales.translate(language, "box.template.head"),
        locales.translate(language, "box.template.check", file=shlex.quote(file), program=program),
    )
    lines = [*(f"# {line}" for line in head), "", f"base = {format_value(base.name)}", ""]
    values = base.replace(name=name).to_dict() | {"theme": dict(base.to_dict()["theme"])}
    for key in (*(key for key in PARAMETERS if key not in TABLES), *TABLES):
        lines += [f"# {_comment(base, language, key)}", *format_entry(key, values[key])]
        if key == "title" and not values[key]:
            lines.append(f"# {language} = {format_value(name)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _comment(base: Rules, language: str, key: str) -> str:
    if key == "ballots":
        return question(language, key).format(opening=_opening(base))
    values = "; ".join(f"{format_value(value)}: {words}" for value, words in meaning(language, key))
    return f"{question(language, key)} {values}".rstrip()


def _opening(base: Rules) -> str:
    """Return an example of a three-move opening by these rules."""
    board = Board(base)
    moves = []
    for _ in range(3):
        move = board.legal_moves[len(board.legal_moves) // 2]
        moves.append(board.text(move))
        board.push(move)
    return " ".join(moves)
