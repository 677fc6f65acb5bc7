"""The documentation site: links and the API reference."""

from __future__ import annotations

import doctest
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from tools.docs import links, reference

import damka

ROOT = Path(__file__).parents[2]

INSIDE = {"damka.boards", "damka.board", "damka.move", "damka.result", "damka.cli"}
"""Modules documented on another module's page; the commands have a separate page."""


@pytest.mark.parametrize("module", [links, reference], ids=lambda module: module.__name__)
def test_the_doctests_of_the_extension_pass(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried
    assert not failed


def test_every_public_package_is_in_the_reference() -> None:
    public = {
        f"damka.{module.name}"
        for module in pkgutil.iter_modules(damka.__path__)
        if not module.name.startswith("_")
    }
    assert public - INSIDE <= set(reference.MODULES)
    table = (ROOT / "docs" / "api" / "README.md").read_text("utf-8")
    sources = re.findall(r"^\| \[(.+?)\]\(\.\./\.\./(.+?)\)", table, re.MULTILINE)
    for module, source in sources:
        assert import_module(module).__file__ == str(ROOT / source)
    assert len(sources) == len(set(reference.MODULES))


@pytest.mark.parametrize("module", reference.MODULES)
def test_every_public_name_is_described_on_one_page(module: str) -> None:
    page = reference.page(module)
    assert f".. automodule:: {module}\n" in page
    for name in import_module(module).__all__:
        place = reference.owner(module, name)
        assert place in reference.MODULES
        if place != f"{module}.{name}":
            assert name in import_module(place).__all__
            assert reference.owner(place, name) == place
        assert (f":py:obj:`{name}`" in page) == (place != module)


def test_a_type_resolves_to_the_modules_import() -> None:
    assert reference.imports("damka.match.match")["MatchGame"] == "damka.match.store.MatchGame"


def test_a_function_can_shadow_a_module_of_the_same_name() -> None:
    assert reference.lookup("damka.refusal.explain") is damka.refusal.explain
    assert reference.lookup("damka.refusal.explain.Attempt") is damka.refusal.Attempt
    assert reference.lookup("damka.refusal.none") is None


def test_a_constant_of_a_package_has_the_docstring_of_its_module() -> None:
    doc = "The score of a won game; a win n plies away scores WIN - n."
    assert reference.value_doc("damka.engine", "WIN")[0] == doc
    assert reference.value_doc("damka.engine", "no_such_name") == []


def test_native_members_have_the_annotations_of_the_stub() -> None:
    """In a separate process, because the kernel does not work afterwards."""
    script = """
import inspect, damka
from tools.docs import reference
reference.annotate_native()
print(inspect.signature(damka.Board.push))
print(inspect.signature(damka.Board.legal_moves.fget))
print(inspect.signature(damka.Move.hub))
"""
    completed = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert completed.stdout.splitlines() == [
        "(self, move: 'Move | str') -> 'Move'",
        "(self, /) -> 'list[Move]'",
        "(self) -> 'str'",
    ]
