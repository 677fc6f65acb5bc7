"""Comparison of the rule sets, at the end of `docs/rules/parameters.md`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from damka.rules import LOOKS, PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["HEADING", "differences", "table", "usual", "write"]

HEADING: Final = "## Who uses what"


def usual(every: Sequence[Rules]) -> dict[str, Any]:
    """Return the most common value of each parameter."""
    return {
        key: Counter(getattr(rules, key) for rules in every).most_common(1)[0][0]
        for key in PARAMETERS
        if key not in LOOKS
    }


def differences(rules: Rules, from_these: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the parameters with uncommon values, in order, with these values."""
    return [
        (key, getattr(rules, key))
        for key, value in from_these.items()
        if getattr(rules, key) != value
    ]


def table(every: Sequence[Rules]) -> str:
    """Return the section as Markdown: common values, and the differences of each rule set."""
    common = usual(every)
    shared = ", ".join(f"`{key}` {_shown(key, value)}" for key, value in common.items())
    rows = [
        f"| [`{rules.name}`]({rules.name}.md) | "
        + (", ".join(f"`{k}` {_shown(k, v)}" for k, v in differences(rules, common)) or "nothing")
        + " |"
        for rules in every
    ]
    return "\n".join(
        (
            HEADING,
            "",
            f"What most of the shipped rule sets have: {shared}.",
            "",
            "| rule set | what it has instead |",
            "|---|---|",
            *rows,
            "",
        )
    )


def write(path: Path, every: Sequence[Rules]) -> None:
    """Update the section at the end of the page; the text above it is handwritten."""
    before = path.read_text("utf-8").partition(HEADING)[0]
    path.write_text(before + table(every), "utf-8")


def _shown(key: str, value: Any) -> str:
    if key in ("material_draws", "ballots") and not isinstance(value, str):
        return str(len(value)) if value else "none"
    if isinstance(value, tuple):
        return (" / " if key == "colours" else ", then ").join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
