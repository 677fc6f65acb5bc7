"""`damka._core` for the browser: the native module's names, and a sample of its tests.

`make check-site` runs all tests that apply.
"""

from __future__ import annotations

import ast
import gc
import os
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from tools import bridge

from damka.rules import load
from tests.wasm.support import LIBRARY, ROOT, WASM, built

SAMPLE = [
    "tests/board/test_result.py",
    "tests/game/test_game.py",
    "tests/notation/test_hub.py",
    "tests/pdn/test_faults.py",
]
IN_PYODIDE = ["tests/game/test_endings.py"]


@pytest.fixture(scope="module")
def core() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMKA_LIBRARY", str(built(LIBRARY)))
        return bridge.load("damka_bridge")


def stub() -> ast.Module:
    return ast.parse((ROOT / "src/damka/_core.pyi").read_text("utf-8"))


def test_the_bridge_has_the_native_modules_names(core: ModuleType) -> None:
    for node in stub().body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        mine = getattr(core, node.name)
        assert node.name in core.__all__
        if isinstance(node, ast.ClassDef) and node.name != "Boards":
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    assert hasattr(mine, each.name), f"{node.name}.{each.name}"


def test_missing_features_raise_an_error(core: ModuleType) -> None:
    rules = load("american")
    with pytest.raises(core.UnsupportedError, match="batches of games needs the native kernel"):
        core.Boards(rules, 4, 1)
    with pytest.raises(core.UnsupportedError, match="building endgame tables"):
        core.Tables(rules).build("KvK", jobs=1, on_progress=None)
    with pytest.raises(core.UnsupportedError, match="self-play"):
        core.play_games(rules)


def test_codes_are_exceptions(core: ModuleType) -> None:
    board = core.Board(load("international"), None, None)
    with pytest.raises(core.kernel.KernelError, match="-1"):
        core.kernel.call("damka_begin", b"", 123_456)
    with pytest.raises(ValueError, match="pieces"):
        core.Board(load("international"), "w", "W")
    with pytest.raises(ValueError, match="not a square"):
        board.piece_at(51)
    with pytest.raises(IndexError):
        board.pop()


def test_a_move_keeps_its_rules_for_the_route(core: ModuleType) -> None:
    rules = load("international").replace(name="another")
    board = core.Board(rules, "." * 27 + "bb" + "." * 2 + "ww" + "." * 17, "W")
    (move,) = board.legal_moves
    del board
    core.rules._cache.clear()
    gc.collect()
    assert move.route == (32, 23, 34)


def test_an_error_of_the_listener_ends_the_search(core: ModuleType) -> None:
    class ListenerError(Exception):
        pass

    def listen(reached: Any) -> None:
        raise ListenerError(reached[0])

    board = core.Board(load("american"), None, None)
    engine = core.Engine(1 << 16)
    settings: dict[str, Any] = {
        "choices": None,
        "depth": 6,
        "nodes": 2**64 - 1,
        "seconds": float("inf"),
        "target": float("inf"),
        "lines": 1,
        "handicap": None,
        "tables": None,
        "stop": None,
    }
    with pytest.raises(ListenerError, match="1"):
        engine.search(board, on_depth=listen, **settings)
    depths: list[int] = []
    engine.search(board, on_depth=lambda each: depths.append(each[0]), **settings)
    assert depths == [1, 2, 3, 4, 5, 6]


def test_a_sample_of_the_tests_passes_with_the_bridge() -> None:
    environment = os.environ | {"DAMKA_CORE": "bridge", "DAMKA_LIBRARY": str(built(LIBRARY))}
    completed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SAMPLE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert completed.returncode == 0, completed.stdout[-4000:]


@pytest.mark.release
def test_a_sample_of_the_tests_passes_in_pyodide() -> None:
    built(WASM["simd"])
    built(ROOT / "build/site/test-wheels/.done")
    completed = subprocess.run(
        ["node", "tests/wasm/in_pyodide.mjs", str(ROOT), *IN_PYODIDE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert completed.returncode == 0, (completed.stdout + completed.stderr)[-4000:]
    assert " passed" in completed.stdout
