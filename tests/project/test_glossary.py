"""docs/architecture.md says where to find things, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| ([^|`]+) \| `([^`]+)` \| `([^`]+)` \|$",
    (ROOT / "docs" / "architecture.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("thing", "file", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_a_thing_is_in_the_file_named(thing: str, file: str, name: str) -> None:
    assert name in (ROOT / file).read_text("utf-8"), thing


def test_the_first_things_that_are_looked_for_are_listed() -> None:
    things = " ".join(thing for thing, _, _ in ROWS)
    for wanted in ("ProbCut", "jump masks", "result", "socket messages", "after a huff"):
        assert wanted in things
