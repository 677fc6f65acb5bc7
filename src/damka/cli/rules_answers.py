"""What `damka rules --json` answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from damka.errors import RulesError
    from damka.rules import Rules

__all__ = ["all_rules", "errors", "one"]


def all_rules(language: str) -> list[dict[str, object]]:
    """Return the rule sets there are, for a program."""
    from damka import box  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    return [
        {**_head(load(name), language), "group": group}
        for group, names in box.grouped()
        for name in names
    ]


def one(rules: Rules, language: str) -> dict[str, object]:
    """Return what a rule set says, for a program."""
    from damka import rulebook  # noqa: PLC0415

    text = [
        {"number": each.number, "topic": each.topic, "text": each.text, "items": each.items}
        for each in rulebook.paragraphs(rules, language)
    ]
    told = {"text": text, "sources": rules.sources, "parameters": rules.to_dict()}
    return _head(rules, language) | told


def _head(rules: Rules, language: str) -> dict[str, object]:
    return {
        "name": rules.name,
        "title": rules.title_in(language),
        "summary": rules.summary_in(language),
        "width": rules.width,
        "height": rules.height,
        "squares": rules.square_count,
    }


def errors(error: RulesError, file: Path) -> list[dict[str, object]]:
    """Return all that is wrong in a file of rules, by line, for a program."""
    from damka import box  # noqa: PLC0415
    from damka.cli.rules_errors import placed  # noqa: PLC0415

    # Where there are keys, the file was read, so it is a text of bounded size.
    text = file.read_text("utf-8-sig") if any(each.key for each in error.all) else ""
    every = [placed(each, file, text) for each in error.all]
    found = [
        (each.line or (box.line_of(each.key, text) if each.key else None), each) for each in every
    ]
    return [
        {
            "key": each.key or None,
            "line": line,
            "expected": each.expected,
            "message": each.sentence,
        }
        for line, each in sorted(found, key=lambda one: one[0] or 0)
    ]
