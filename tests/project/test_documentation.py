"""The kernel's docstrings and stub, and the examples of the reference.
The linter checks all other docstrings.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import inspect
import pydoc
import re

import pytest
from tools import kernel_stub
from tools.docs.reference import MODULES, lookup

import damka
from damka import _core


def test_the_kernels_stub_is_up_to_date() -> None:
    assert kernel_stub.FILE.read_text("utf-8") == kernel_stub.stub(), (
        "run .venv/bin/python -m tools.kernel_stub"
    )


def is_native(value: object) -> bool:
    return type(value).__module__ == "nanobind"


NATIVE = [
    (f"{owner.__name__}.{name}", value)
    for owner in (_core.Move, _core.Board, _core.Boards, _core.Stop, _core.Engine, _core.Tables)
    for name, value in [("", owner), *vars(owner).items()]
    if not name.startswith("_")
]


@pytest.mark.parametrize(("name", "value"), NATIVE, ids=[name for name, _ in NATIVE])
def test_native_signatures_have_types_and_examples_run(name: str, value: object) -> None:
    text = words = str(value.__doc__ or "")
    if is_native(value) and not inspect.isclass(value):
        signature, _, words = text.partition("\n\n")
        assert "->" in signature
        assert ": object" not in signature
        assert "-> object" not in signature
    assert words.strip()
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_reference_import_their_names(name: str) -> None:
    module = importlib.import_module(name)
    examples = [inspect.getdoc(module) or ""]
    examples += [inspect.getdoc(getattr(module, each)) or "" for each in module.__all__]
    for text in examples:
        defined = {*dir(builtins), "_"}
        for example in doctest.DocTestParser().get_examples(text):
            if example.exc_msg is not None:
                continue
            nodes = [*ast.walk(ast.parse(example.source))]
            names = [node for node in nodes if isinstance(node, ast.Name)]
            imported = [node for node in nodes if isinstance(node, ast.alias)]
            defined |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            defined |= {(node.asname or node.name).partition(".")[0] for node in imported}
            defined |= {node.arg for node in nodes if isinstance(node, ast.arg)}
            assert {node.id for node in names} <= defined, example.source


CLASSES = sorted(
    {
        f"{package}.{name}"
        for package in ("damka", *(f"damka.{each}" for each in damka._PACKAGES))
        for name in importlib.import_module(package).__all__
        if inspect.isclass(getattr(importlib.import_module(package), name))
        and not issubclass(getattr(importlib.import_module(package), name), BaseException)
    }
)
"""Public classes, except exceptions."""


@pytest.mark.parametrize("name", CLASSES)
def test_help_shows_the_arguments_of_a_class(name: str) -> None:
    of = lookup(name)
    try:
        signature = str(inspect.signature(of))
    except ValueError:
        of()  # a native class without arguments
        return
    text = re.sub(".\b", "", pydoc.render_doc(of))
    assert signature.startswith("()") or f"{of.__name__}{signature}" in text


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        (
            "damka.Board",
            "(rules: 'Rules | str | Path', fen: 'str | None' = None, *, labels: 'bool' = False)",
        ),
        (
            "damka.Boards",
            "(rules: 'Rules | str | Path', n: 'int', *, threads: 'int | None' = None, "
            "starts: 'Iterable[Board | str]' = (), seed: 'int' = 0, "
            "max_plies: 'int | None' = None)",
        ),
    ],
)
def test_subclasses_of_native_classes_have_signatures(name: str, signature: str) -> None:
    assert str(inspect.signature(lookup(name))).removesuffix(" -> 'None'") == signature
