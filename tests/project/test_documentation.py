"""Every public name has a docstring, and the kernel's stub says what the kernel says."""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import inspect
import pkgutil
import re
from functools import cached_property
from pathlib import Path

import pytest
from tools import kernel_stub

import damka
from damka import _core

API = Path(__file__).parents[2] / "docs" / "api"


def test_the_stub_of_the_kernel_is_the_one_it_tells() -> None:
    assert kernel_stub.FILE.read_text("utf-8") == kernel_stub.stub(), (
        "run .venv/bin/python -m tools.kernel_stub"
    )


def modules() -> list[str]:
    found = pkgutil.walk_packages(damka.__path__, "damka.")
    hidden = ("damka._", "damka.server.store.migrations")
    return ["damka", *(each.name for each in found if not each.name.startswith(hidden))]


@pytest.mark.parametrize("name", modules())
def test_a_module_and_all_its_public_names_have_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert inspect.getdoc(module), f"{name} has none"
    missing = [
        f"{name}.{each}"
        for public in getattr(module, "__all__", ())
        for each in undocumented(public, getattr(module, public, None))
    ]
    assert not missing


def undocumented(name: str, value: object) -> list[str]:
    """Return what of a public value has no words of its own: the value, or members of a class."""
    if inspect.isclass(value):
        members = {
            member: each
            for owner in value.__mro__
            if owner.__module__.startswith("damka")
            for member, each in vars(owner).items()
            if not member.startswith("_") and is_code(each)
        }
        own = [name] if not words(value) else []
        return own + [f"{name}.{member}" for member, each in members.items() if not words(each)]
    return [name] if is_code(value) and not words(value) else []


def is_code(value: object) -> bool:
    kinds = (property, cached_property, staticmethod, classmethod)
    return isinstance(value, kinds) or inspect.isroutine(value) or is_native(value)


def is_native(value: object) -> bool:
    return type(value).__module__ == "nanobind"


def words(value: object) -> str:
    """Return a docstring without what Python or the bindings write there by themselves."""
    text = getattr(value, "__doc__", None) or ""
    if is_native(value) and not inspect.isclass(value):
        return text.partition("\n\n")[2]  # below the signature
    if inspect.isclass(value) and text.startswith(f"{value.__name__}("):
        return ""  # a dataclass's own signature
    return text


def test_names_without_words_are_found() -> None:
    class Bare:
        def method(self) -> None: ...

    Bare.__module__ = "damka.example"
    assert undocumented("Bare", Bare) == ["Bare", "Bare.method"]
    assert undocumented("push", _core.Board.push) == []
    assert undocumented("repr", _core.Move.__repr__) == ["repr"]


NATIVE = [
    (f"{owner.__name__}.{name}", value)
    for owner in (_core.Move, _core.Board, _core.Boards, _core.Stop, _core.Engine, _core.Tables)
    for name, value in [("", owner), *vars(owner).items()]
    if not name.startswith("_")
]


@pytest.mark.parametrize(("name", "value"), NATIVE, ids=[name for name, _ in NATIVE])
def test_native_signatures_tell_types_and_examples_run(name: str, value: object) -> None:
    text = str(value.__doc__)
    if is_native(value) and not inspect.isclass(value):
        signature = text.partition("\n")[0]
        assert "->" in signature
        assert ": object" not in signature
        assert "-> object" not in signature
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


PUBLIC = re.findall(
    r"automodule:: (\S+)", "".join(path.read_text("utf-8") for path in sorted(API.glob("*.rst")))
)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of_the_reference_import_what_they_use(name: str) -> None:
    module = importlib.import_module(name)
    examples = [inspect.getdoc(module) or ""]
    examples += [inspect.getdoc(getattr(module, each)) or "" for each in module.__all__]
    for text in examples:
        known = {*dir(builtins), "_"}
        for example in doctest.DocTestParser().get_examples(text):
            if example.exc_msg is not None:
                continue
            nodes = [*ast.walk(ast.parse(example.source))]
            names = [node for node in nodes if isinstance(node, ast.Name)]
            imported = [node for node in nodes if isinstance(node, ast.alias)]
            known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            known |= {(node.asname or node.name).partition(".")[0] for node in imported}
            known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
            assert {node.id for node in names} <= known, example.source
