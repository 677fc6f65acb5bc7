"""The layers and names of docs/internals/architecture.md, as far as no linter checks them."""

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


def test_the_page_shows_the_layers_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers, *_ = project["tool"]["importlinter"]["contracts"]
    assert "```text\n" + "\n".join(layers["layers"]) + "\n```" in PAGE


def test_the_library_alone_uses_the_bindings() -> None:
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
def test_a_package_has_the_names_that_it_exports(name: str) -> None:
    module = importlib.import_module(name)
    assert not [each for each in module.__all__ if not hasattr(module, each)]


@pytest.mark.parametrize(("thing", "file", "name"), NAMES, ids=[row[0] for row in NAMES])
def test_a_thing_is_in_the_file_named(thing: str, file: str, name: str) -> None:
    assert name in (ROOT / file).read_text("utf-8"), thing


def test_things_are_listed() -> None:
    assert len(NAMES) > 20
