"""What the site is made with: links, the reference, the look for what is loaded from elsewhere."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import pydoc
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from tools.docs import links, offline, reference

import damka

ROOT = Path(__file__).parents[2]

INSIDE = {"damka.boards", "damka.board", "damka.move", "damka.result", "damka.cli"}
"""Modules whose names are on the page of another; the commands have a page themselves."""


@pytest.mark.parametrize("module", [links, offline, reference], ids=lambda module: module.__name__)
def test_the_examples_hold(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried
    assert not failed


def test_every_public_package_is_in_the_reference() -> None:
    public = {
        f"damka.{found.name}"
        for found in pkgutil.iter_modules(damka.__path__)
        if not found.name.startswith("_")
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


def test_a_type_is_the_one_that_the_module_imports() -> None:
    assert reference.imports("damka.draw.replay")["Played"] == "damka.draw.record.Played"
    assert reference.imports("damka.match.match")["Played"] == "damka.match.store.Played"


def test_a_constant_of_a_package_has_the_docstring_of_its_module() -> None:
    doc = "The score of a won game; a win n plies away scores WIN - n."
    assert reference.value_doc("damka.engine", "WIN")[0] == doc
    assert reference.value_doc("damka.engine", "no_such_name") == []


def test_native_members_have_the_annotations_of_the_stub() -> None:
    """In a process of its own, because the kernel does not work any more."""
    script = """
import inspect, damka
from tools.docs import reference
reference.annotate_native()
print(inspect.signature(damka.Board.push))
print(inspect.signature(damka.Board.legal_moves.fget))
print(inspect.signature(damka.Move.hub))
"""
    shown = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert shown.stdout.splitlines() == [
        "(self, move: 'Move | str') -> 'Move'",
        "(self, /) -> 'list[Move]'",
        "(self) -> 'str'",
    ]


CLASSES = sorted(
    {
        f"{package}.{name}"
        for package in ("damka", *(f"damka.{each}" for each in damka._PACKAGES))
        for name in import_module(package).__all__
        if inspect.isclass(getattr(import_module(package), name))
        and not issubclass(getattr(import_module(package), name), BaseException)
    }
)
"""The public classes that a program makes or is given."""


@pytest.mark.parametrize("name", CLASSES)
def test_help_shows_the_arguments_of_a_class(name: str) -> None:
    of = reference.lookup(name)
    try:
        taken = str(inspect.signature(of))
    except ValueError:
        of()  # a native class that takes none
        return
    helped = re.sub(".\b", "", pydoc.render_doc(of))
    assert taken.startswith("()") or f"{of.__name__}{taken}" in helped


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("damka.Board", "(rules: 'Rules | str | Path', fen: 'str | None' = None)"),
        (
            "damka.Boards",
            "(rules: 'Rules | str | Path', n: 'int', *, threads: 'int | None' = None)",
        ),
    ],
)
def test_a_class_over_a_native_one_has_its_own_arguments(name: str, shown: str) -> None:
    assert str(inspect.signature(reference.lookup(name))).removesuffix(" -> 'None'") == shown


def test_pages_that_load_something_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.html").write_text('<a href="https://a.org"><img src="b.png">', "utf-8")
    assert offline.main(tmp_path) == 0
    (tmp_path / "bad.css").write_text('@import "https://fonts.org/a.css";', "utf-8")
    (tmp_path / "bad.html").write_text('<link rel="x" href="//cdn.org/b.css">', "utf-8")
    assert offline.main(tmp_path) == 2
    assert "bad.css loads https://fonts.org/a.css" in capsys.readouterr().err


def test_no_pages_are_a_mistake(tmp_path: Path) -> None:
    assert offline.main(tmp_path) == 1
