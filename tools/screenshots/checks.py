"""Layout faults of a page: overflow, overlaps, cut texts, hidden buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from tools.screenshots.looks import Look

_SCRIPT: Final = (Path(__file__).parent / "faults.js").read_text("utf-8").rstrip().rstrip(";")


@dataclass(frozen=True)
class Fault:
    """A fault: its kind ("overflow", "overlap", "cut", "out of view", "error"), element, detail."""

    kind: str
    element: str
    detail: str


def find_faults(
    page: Page,
    *,
    in_view: Sequence[str] = (),
    may_be_cut: Sequence[str] = (),
    layers: Sequence[str] = (),
) -> list[Fault]:
    """Return the layout faults of a page as it is now; faults.js documents the arguments."""
    size = page.viewport_size
    if size is None:
        raise ValueError("the page has no window of a fixed size")
    faults = page.evaluate(
        _SCRIPT,
        {
            "width": size["width"],
            "inView": list(in_view),
            "mayBeCut": list(may_be_cut),
            "layers": list(layers),
        },
    )
    return [Fault(**each) for each in faults]


@dataclass(frozen=True)
class Finding:
    """A fault in a picture."""

    state: str
    look: Look
    fault: Fault


def report(findings: Iterable[Finding]) -> str:
    """Return the findings as text; a fault of several pictures is listed once."""
    looks: dict[tuple[str, str, str], list[Finding]] = {}
    for each in findings:
        looks.setdefault((each.state, each.fault.kind, each.fault.element), []).append(each)
    lines = []
    for (state, kind, element), same in looks.items():
        lines.append(f"{state}: {kind}: {element}: {same[0].fault.detail}")
        parts = (
            dict.fromkeys(each.look.size for each in same),
            dict.fromkeys(each.look.language for each in same),
            dict.fromkeys(each.look.theme for each in same),
        )
        lines.append("    " + " · ".join(" ".join(part) for part in parts))
    return "\n".join(lines)
