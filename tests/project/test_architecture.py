"""The layers and names in docs/internals/architecture.md that no linter checks."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "damka"
PAGE = (ROOT / "docs" / "internals" / "architecture.md").read_text("utf-8")
NAMES = re.findall(r"^\| ([^|`]+) \| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)


def test_the_page_shows_the_layers_of_the_import_linter() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers, *_ = project["tool"]["importlinter"]["contracts"]
    assert "```text\n" + "\n".join(layers["layers"]) + "\n```" in PAGE


def test_only_the_library_and_engine_use_the_bindings() -> None:
    users = {
        path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for path in SOURCE.rglob("*.py")
        if re.search(r"import .*\b_core\b|damka\._core", path.read_text("utf-8"))
    }
    library = {"board", "boards", "move", "notation", "pdn", "refusal"}
    assert users <= library | {"engine", "tablebase", "training"}


@pytest.mark.parametrize(
    "name",
    ["damka", *sorted(f"damka.{path.parent.name}" for path in SOURCE.glob("*/__init__.py"))],
)
def test_packages_define_the_names_in_all(name: str) -> None:
    module = importlib.import_module(name)
    assert not [each for each in module.__all__ if not hasattr(module, each)]


@pytest.mark.parametrize(("thing", "file", "name"), NAMES, ids=[row[0] for row in NAMES])
def test_names_on_the_page_exist_in_their_files(thing: str, file: str, name: str) -> None:
    assert name in (ROOT / file).read_text("utf-8"), thing


def test_the_page_lists_names() -> None:
    assert len(NAMES) > 20
