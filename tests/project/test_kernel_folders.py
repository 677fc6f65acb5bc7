"""The kernel's folders include each other one way only, as docs/architecture.md says."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
MAY_INCLUDE = {
    folder: set(others.split())
    for folder, others in re.findall(r"^(\w+) +→([ \w]*)$", PAGE, re.MULTILINE)
}


def test_every_folder_is_listed() -> None:
    folders = {path.parent.name for path in CORE.glob("*/*.?pp")} - {"tests"}
    assert folders == MAY_INCLUDE.keys()
    assert not list(CORE.glob("*.?pp"))


@pytest.mark.parametrize("folder", MAY_INCLUDE)
def test_a_folder_includes_only_those_below_it(folder: str) -> None:
    for path in CORE.glob(f"{folder}/*.?pp"):
        named = re.findall(r'^#include "(\w+)/', path.read_text("utf-8"), re.MULTILINE)
        assert set(named) <= MAY_INCLUDE[folder] | {folder}, path.name


def test_includes_go_one_way() -> None:
    TopologicalSorter(MAY_INCLUDE).prepare()


def test_python_is_known_to_the_bindings_alone() -> None:
    for path in CORE.glob("*/*.?pp"):
        if path.parent.name != "bindings":
            assert not re.search(r"#include <(nanobind|Python)", path.read_text("utf-8")), path


def test_nanobind_comes_by_one_header() -> None:
    """It brings what nanobind counts on and the stable ABI does not."""
    for path in CORE.glob("bindings/*.?pp"):
        if path.name != "python.hpp":
            text = path.read_text("utf-8")
            assert "#include <nanobind/nanobind.h>" not in text, path.name
            first = re.search(r"#include (.bindings/|<nanobind)", text)
            assert first is None or "bindings" in first[1], path.name
