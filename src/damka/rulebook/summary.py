"""The comparison of the rule sets at the end of `docs/rules/parameters.md`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from damka.rules import LOOKS, PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["HEADING", "TABLES", "differences", "table", "usual", "write"]

HEADING: Final = "## Rule sets compared"
TABLES: Final = {
    "Board": (
        "squares",
        "width",
        "height",
        "dark_corner",
        "rows",
        "rows_behind",
        "first",
        "objective",
    ),
    "Lines and men": (
        "move_lines",
        "capture_lines",
        "man_capture",
        "man_takes_king",
        "promotion",
    ),
    "Kings": ("king_range", "king_landing", "u_turn", "king_streak"),
    "Captures": ("obligation", "precedence", "removal"),
    "Draws and rematches": (
        "repetition",
        "repetition_of",
        "same_move",
        "same_move_in",
        "no_progress_moves",
        "move_limit",
        "moves_by",
        "material_draws",
        "rematch",
    ),
    "Openings and notation": ("ballots", "colours", "notation", "capture_sign"),
}
"""Parameters of each table, by its title."""


def usual(all_rules: Sequence[Rules]) -> dict[str, Any]:
    """Return the most common value of each parameter."""
    return {
        key: Counter(getattr(rules, key) for rules in all_rules).most_common(1)[0][0]
        for key in PARAMETERS
        if key not in LOOKS
    }


def differences(rules: Rules, common: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return (key, value) of the parameters that differ from the common values."""
    return [
        (key, getattr(rules, key)) for key, value in common.items() if getattr(rules, key) != value
    ]


def table(all_rules: Sequence[Rules]) -> str:
    """Return the section as Markdown: for each topic a table of rule sets and parameters."""
    common = usual(all_rules)
    lines = [
        HEADING,
        "",
        "The first row has the most common values. A rule set is listed where it differs.",
        "",
    ]
    for title, keys in TABLES.items():
        lines += [f"### {title}", "", _row("", [f"`{key}`" for key in keys])]
        lines.append("|---" * (len(keys) + 1) + "|")
        lines.append(_row("*most*", [_cell(key, common[key]) for key in keys]))
        for rules in all_rules:
            values = {k: _cell(k, v) for k, v in differences(rules, common) if k in keys}
            if values:
                link = f"[`{rules.name}`]({rules.name}.md)"
                lines.append(_row(link, [values.get(key, "") for key in keys]))
        lines.append("")
    return "\n".join(lines)


def _row(first: str, cells: Sequence[str]) -> str:
    return f"| {' | '.join((first, *cells))} |"


def write(path: Path, all_rules: Sequence[Rules]) -> None:
    """Update the section at the end of a page; the text above it is preserved."""
    before = path.read_text("utf-8").partition(HEADING)[0]
    path.write_text(before + table(all_rules), "utf-8")


def _cell(key: str, value: Any) -> str:
    if key in ("material_draws", "ballots") and not isinstance(value, str):
        return str(len(value)) if value else "none"
    if isinstance(value, tuple):
        return (" / " if key == "colours" else ", ").join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
