"""What the site is made with: links, the reference, the look for what is loaded from elsewhere."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import pydoc
import re
from importlib import import_module
from pathlib import Path

import pytest
from tools.docs import links, names, offline, reference

import damka

ROOT = Path(__file__).parents[2]
API = ROOT / "docs" / "api"

INSIDE = {"damka.boards", "damka.board", "damka.move", "damka.result", "damka.cli"}
"""Modules whose names are on the page of another; the commands have a page themselves."""


@pytest.mark.parametrize("module", [links, names, offline], ids=lambda module: module.__name__)
def test_the_examples_hold(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried
    assert not failed


def test_every_public_package_is_in_the_reference() -> None:
    pages = {path.stem: path.read_text("utf-8") for path in API.glob("*.rst")}
    shown = set(re.findall(r"automodule:: (\S+)", "".join(pages.values())))
    public = {
        f"damka.{found.name}"
        for found in pkgutil.iter_modules(damka.__path__)
        if not found.name.startswith("_")
    }
    assert public - INSIDE <= shown
    assert all(import_module(name).__all__ for name in shown)
    contents = (API / "README.md").read_text("utf-8")
    assert set(pages) == set(re.findall(r"\]\((\S+)\.rst\)", contents))


def test_the_classes_of_the_package_are_in_the_reference() -> None:
    shown = re.findall(r"autoclass:: damka\.(\w+)", (API / "damka.rst").read_text("utf-8"))
    elsewhere = {"Game", "Rules", "__version__", "pdn", "rules"}
    assert set(shown) | elsewhere == set(damka.__all__)


def test_every_member_of_a_board_is_in_one_group() -> None:
    text = (API / "damka.rst").read_text("utf-8")
    shown = re.findall(r"auto(?:method|property):: damka\.Board\.(\w+)", text)
    assert sorted(shown) == [name for name in dir(damka.Board) if not name.startswith("_")]


def test_the_page_of_rules_has_all_of_the_package() -> None:
    text = (API / "damka.rules.rst").read_text("utf-8")
    shown = re.findall(r"auto(?:class|data|function):: (\w+)", text)
    assert sorted(shown) == sorted(damka.rules.__all__)


def test_a_type_is_the_one_that_the_module_imports() -> None:
    assert names.imports("damka.draw.replay")["Played"] == "damka.draw.record.Played"
    assert names.imports("damka.match.match")["Played"] == "damka.match.store.Played"


def test_a_constant_of_a_package_has_the_words_of_its_module() -> None:
    told = names.explained("damka.engine", "WIN")
    assert told == "The score of a won game; a win n plies away scores WIN - n."
    assert names.explained("damka.engine", "no_such_name") is None


def test_the_stub_tells_types() -> None:
    assert reference.stubs()["Board.push"].arguments == "(move: Move | str)"
    assert reference.stubs()["Board.legal_moves"].returns == "list[Move]"
    assert reference.stubs()["table_fingerprint"].returns == "int"


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
def test_a_class_is_shown_with_the_arguments_that_it_takes(name: str) -> None:
    """In the reference, where Python is asked for a signature, and in `help`."""
    of = names.found(name)
    try:
        taken = str(inspect.signature(of))
    except ValueError:
        taken = "()"  # a native class without any
        assert reference.stubs()[f"{of.__name__}.__init__"].arguments == taken
    assert _arguments(_shown(name, taken)) == _arguments(taken)
    helped = re.sub(".\b", "", pydoc.render_doc(of))
    assert taken.startswith("()") or f"{of.__name__}{taken}" in helped


def _shown(name: str, signature: str) -> str:
    """Return the arguments that the reference shows of a class for which Sphinx found these."""
    found = reference._signature(None, "class", name, names.found(name), None, signature, "")  # type: ignore[arg-type]
    assert found is not None
    return found[0]


def _arguments(signature: str) -> list[str]:
    """Return what can be given: names in order, "*", and "=" after what has a default."""
    taken, depth, part = [""], 0, "name"
    for sign in signature.partition(" -> ")[0].strip()[1:-1]:
        depth += (sign in "([{<") - (sign in ")]}>")
        if not depth and sign == ",":
            taken.append("")
            part = "name"
        elif not depth and sign == ":":
            part = "type"
        elif not depth and sign == "=":
            taken[-1] = taken[-1].strip() + "="
            part = "default"
        elif part == "name":
            taken[-1] += sign
    return [each.strip() for each in taken]


def test_arguments_are_told_apart() -> None:
    one = "(a: 'int', b: tuple[int, ...] = (), *, c: 'str' = <factory>) -> None"
    assert _arguments(one) == _arguments("(a, b=(1, 2), *, c = ...)") == ["a", "b=", "*", "c="]
    assert _arguments("(a, b=())") != _arguments("(a, b)") != _arguments("(a, *, b)")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("damka.Board", "(rules: Rules | str | Path, fen: str | None = None)"),
        ("damka.Boards", "(rules: Rules | str | Path, n: int, *, threads: int | None = None)"),
    ],
)
def test_a_class_over_a_native_one_has_its_own_arguments(name: str, shown: str) -> None:
    assert _shown(name, shown) == shown


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
