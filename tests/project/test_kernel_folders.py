"""The kernel's folders include each other in the order of docs/internals/architecture.md."""

from __future__ import annotations

import re
from pathlib import Path

CORE = Path(__file__).parents[2] / "core"
PAGE = (CORE.parent / "docs" / "internals" / "architecture.md").read_text("utf-8")
LAYERS = re.findall(r"^bindings \|(?:.+\n)+", PAGE, re.MULTILINE)[0].partition("```")[0].split("\n")
LEVELS = {name: level for level, line in enumerate(LAYERS) for name in re.findall(r"\w+", line)}


def test_a_folder_includes_only_lower_folders() -> None:
    paths = [path for path in CORE.rglob("*.?pp") if path.parent.name != "tests"]
    assert {path.parent.name for path in paths} == LEVELS.keys()
    for path in paths:
        text, folder = path.read_text("utf-8"), path.parent.name
        included = set(re.findall(r'^#include "(\w+)/', text, re.MULTILINE)) - {folder}
        assert all(LEVELS[each] > LEVELS[folder] for each in included), path
        assert folder == "bindings" or not re.search(r"#include <(nanobind|Python)", text), path


def test_nanobind_is_included_through_one_header() -> None:
    """The header defines what nanobind needs but the stable ABI lacks."""
    for path in set(CORE.glob("bindings/*.?pp")) - {CORE / "bindings" / "python.hpp"}:
        text = path.read_text("utf-8")
        first = re.search(r"#include (.bindings/|<nanobind)", text)
        assert first is None or "bindings" in first[1], path
        assert "#include <nanobind/nanobind.h>" not in text, path
