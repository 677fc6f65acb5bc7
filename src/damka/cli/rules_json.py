"""JSON output of `damka rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from damka.errors import RulesError
    from damka.rules import Rules

__all__ = ["all_rules", "errors", "rule_set"]


def all_rules(language: str) -> list[dict[str, object]]:
    """Return all rule sets as plain values."""
    from damka import box  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    return [
        {**_head(load(name), language), "group": group}
        for group, names in box.rule_groups()
        for name in names
    ]


def rule_set(rules: Rules, language: str) -> dict[str, object]:
    """Return a rule set and its rule book as plain values."""
    from damka import rulebook  # noqa: PLC0415

    text = [
        {"number": each.number, "topic": each.topic, "text": each.text, "items": each.items}
        for each in rulebook.paragraphs(rules, language)
    ]
    details = {"text": text, "sources": rules.sources, "parameters": rules.to_dict()}
    return _head(rules, language) | details


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
    """Return the errors of a rule file, by line, as plain values."""
    from damka import box  # noqa: PLC0415
    from damka.cli.rules_errors import with_source  # noqa: PLC0415

    # An error with a key means that the file was parsed, so its size is within the limit.
    text = file.read_text("utf-8-sig") if any(each.key for each in error.all) else ""
    located = [with_source(each, file, text) for each in error.all]
    numbered = [
        (each.line or (box.line_of(each.key, text) if each.key else None), each) for each in located
    ]
    return [
        {
            "key": each.key or None,
            "line": line,
            "expected": each.expected,
            "message": each.sentence,
        }
        for line, each in sorted(numbered, key=lambda pair: pair[0] or 0)
    ]
