"""Public names of every module, and protocols of its classes."""

from __future__ import annotations

import inspect
import subprocess
import sys
import weakref
from enum import Enum
from importlib import import_module

import pytest
from tools.docs import reference

import damka
from damka import Board, Boards, Engine, Game, Move, pdn


@pytest.mark.parametrize("module", reference.MODULES)
def test_dir_lists_the_public_names_and_no_imports(module: str) -> None:
    public = import_module(module)
    listed = dir(public)
    if module != "damka":
        assert listed == sorted(public.__all__)
    for name in listed:
        assert hasattr(public, name)


def test_dir_lists_lazily_loaded_names() -> None:
    code = "import damka; print(*dir(damka))"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    listed = completed.stdout.split()
    assert listed == dir(damka)
    assert {"Board", "Engine", "Game", "pdn", "engine", "draw", "tournament", "rl"} <= set(listed)
    assert not {"TYPE_CHECKING", "TrainingError", "import_module"} & set(listed)
    assert set(damka.__all__) <= set(listed)


def classes() -> list[type]:
    """Return the public classes of all modules, except tuples, errors and enumerations."""
    public = {
        value
        for module in reference.MODULES
        for name in import_module(module).__all__
        if inspect.isclass(value := getattr(import_module(module), name))
        and not issubclass(value, tuple | BaseException | Enum)
        and not getattr(value, "_is_protocol", False)
    }
    return sorted(public, key=lambda each: (each.__module__, each.__qualname__))


@pytest.mark.parametrize("public", classes(), ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_objects_of_every_public_class_can_be_referenced_weakly(public: type) -> None:
    assert public.__weakrefoffset__


@pytest.mark.native
def test_a_weak_reference_ends_with_its_object() -> None:
    [read] = pdn.read("1. 11-15 *", rules="american")
    objects = [
        Board("american"),
        Boards("american", 2),
        Engine(hash_mb=1),
        Game("american"),
        Move(22, 15, [18]),
        read,
        Board("international", "W:W32,33:B28,29").legal_moves[0],
    ]
    references = [weakref.ref(each) for each in objects]
    assert all(reference() is each for reference, each in zip(references, objects, strict=True))
    cache = weakref.WeakKeyDictionary({objects[0]: "position"})
    del read
    objects.clear()
    assert [reference() for reference in references] == [None] * len(references)
    assert not cache


def test_a_sub_interpreter_is_refused_and_the_main_one_still_works() -> None:
    code = """
import sys, warnings
warnings.simplefilter("ignore")
import damka
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
else:
    import _interpreters as interpreters
board = damka.Board("international")
attempt = '''
try:
    import damka
except ImportError as error:
    text = str(error)
else:
    text = "imported"
import os
os.write(1, (text + chr(10)).encode())
'''
for _ in range(2):
    sub = interpreters.create()
    failure = interpreters.run_string(sub, attempt)
    assert failure is None, failure
    interpreters.destroy(sub)
    assert len(board.legal_moves) == 9
    assert damka.Board("american").push("11-15") == damka.Move(11, 15)
    game = damka.Game("dama64")
    game.play(game.legal_moves[0])
    assert damka.Engine(hash_mb=1).search(game, depth=3).move
    assert board.copy() == board
    try:
        board.push("32-1")
    except damka.errors.MoveError:
        pass
print("the main interpreter works", flush=True)
"""
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stderr
    refused, again, last = completed.stdout.splitlines()
    assert refused == again
    assert "damka does not support subinterpreters" in refused
    assert last == "the main interpreter works"
