"""A rule set as a TOML file with a comment for each key, to start a box of one's own from."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final

from damka import Board, locales
from damka.box.questions import meaning, question
from damka.rules import PARAMETERS, Rules

__all__ = ["template", "toml"]

_TABLES: Final = ("title", "summary", "theme")
"""Written at the end: after a table's head all keys are the table's."""


def template(base: Rules, language: str, name: str, file: str, program: str = "damka") -> str:
    """Return a file for a box called `name` that plays like `base`.

    It has every key, each under a line that says what it means; `file` is what it will be called,
    and `program` what to type for Damka.
    """
    head = (
        locales.translate(language, "box.template.head"),
        locales.translate(language, "box.template.check", file=shlex.quote(file), program=program),
    )
    lines = [*(f"# {line}" for line in head), "", f"base = {_value(base.name)}", ""]
    values = base.replace(name=name).to_dict() | {"theme": dict(base.to_dict()["theme"])}
    for key in (*(key for key in PARAMETERS if key not in _TABLES), *_TABLES):
        lines += [f"# {_comment(base, language, key)}", *_entry(key, values[key])]
        if key == "title" and not values[key]:
            lines.append(f"# {language} = {_value(name)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def toml(table: Mapping[str, Any]) -> str:
    """Return plain values as TOML, in the order given, tables last."""
    order = sorted(table, key=lambda key: key in _TABLES)
    return "\n".join(line for key in order for line in _entry(key, table[key])) + "\n"


def _comment(base: Rules, language: str, key: str) -> str:
    if key == "ballots":
        return question(language, key).format(opening=_opening(base))
    values = "; ".join(f"{_value(value)}: {words}" for value, words in meaning(language, key))
    return f"{question(language, key)} {values}".rstrip()


def _opening(base: Rules) -> str:
    """Return an opening of three moves by these rules, as an example."""
    board = Board(base)
    moves = []
    for _ in range(3):
        move = board.legal_moves[len(board.legal_moves) // 2]
        moves.append(board.text(move))
        board.push(move)
    return " ".join(moves)


def _entry(key: str, value: Any) -> list[str]:
    if key in _TABLES:
        return [f"[{key}]", *(f"{name} = {_value(each)}" for name, each in value.items())]
    if key == "material_draws" or (isinstance(value, list) and len(value) > 6):
        if not value:
            return [f"{key} = []"]
        return [f"{key} = [", *(f"  {_value(each)}," for each in value), "]"]
    return [f"{key} = {_value(value)}"]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # A JSON text is a TOML text, but for the one control character that TOML forbids.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(map(_value, value)) + "]"
