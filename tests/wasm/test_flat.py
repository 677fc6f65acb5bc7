"""The kernel's flat interface returns the same as the native module, on every platform.

Native calls are recorded and repeated with the WebAssembly in wasmtime and in Chromium: every
byte of every result must be the same.
"""

from __future__ import annotations

import math
import random
import shutil
import struct
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tools import bridge

import damka
from damka.engine import signature
from damka.engine.weights import read, shipped_file
from damka.rules import load, names
from tests.chromium import Host, chromium
from tests.wasm.in_wasmtime import Wasmtime
from tests.wasm.support import LIBRARY, ROOT, WASM, Recorder, built, has_output, masked

HERE = Path(__file__).parent
POSITIONS = 10_000
HOSTILE = 3_000


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The bridge with the native library."""
    # A copy is another library, whose handles begin at 1.
    copy = shutil.copy(built(LIBRARY), tmp_path_factory.mktemp("library"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMKA_LIBRARY", str(copy))
        return bridge.load("damka_flat")


@pytest.fixture(scope="module")
def recorder(flat: ModuleType) -> Recorder:
    kernel = flat.kernel
    recorder = Recorder(kernel._backing)
    kernel._call = recorder.call
    return recorder


def same_moves(native: damka.Board, flat: Any) -> None:
    assert [m.hub() for m in native.legal_moves] == [m.hub() for m in flat.legal_moves]


def walk(flat: ModuleType, name: str, positions: int) -> None:
    """Compare the legal moves of random games."""
    rng = random.Random(name)
    rules = load(name)
    native, other = damka.Board(rules), flat.Board(rules, None, None)
    for _ in range(positions):
        same_moves(native, other)
        moves = native.legal_moves
        if not moves or native.move_count > 120 or native.is_over:
            native, other = damka.Board(rules), flat.Board(rules, None, None)
            continue
        move = rng.choice(moves)
        native.push(move)
        other.push(flat.Move(move.start, move.end, move.captures, crowns=move.crowns))
        assert native.key == other.key


def searched(flat: ModuleType, name: str, engine: Any, known: dict[Path, Any]) -> int:
    """Return the nodes of a rule set's part of the signature."""
    rules = load(name)
    path = shipped_file(rules)
    if path is not None and path not in known:
        file = read(path)
        known[path] = flat.Weights(rules, file.numbers, file.step, file.full_board, file.margins)
    nodes = 0
    for plies in signature._PLIES:
        engine.clear()
        board = flat.Board(rules, None, None)
        for move in signature._position(name, plies).stack:
            board.push(flat.Move(move.start, move.end, move.captures, crowns=move.crowns))
        found = engine.search(
            board,
            choices=None,
            depth=signature.DEPTH,
            nodes=2**64 - 1,
            seconds=float("inf"),
            target=float("inf"),
            lines=1,
            handicap=None,
            tables=None,
            stop=None,
            on_depth=None,
            weights=None if path is None else known[path],
        )
        nodes += found[1]
    return nodes


CALLS = {
    "damka_place": 3,
    "damka_pieces": 2,
    "damka_moves": 3,
    "damka_can_move": 2,
    "damka_play": 3,
    "damka_huff": 3,
    "damka_remove": 3,
    "damka_routes": 3,
    "damka_result": 2,
    "damka_counts": 2,
    "damka_tensor": 2,
    "damka_indices": 2,
    "damka_evaluate": 3,
    "damka_drawish": 2,
    "damka_squares": 1,
    "damka_begin": 1,
    "damka_fingerprint": 1,
    "damka_weight_count": 1,
    "damka_weights": 4,
    "damka_tables": 1,
    "damka_tables_add": 2,
    "damka_tables_pieces": 1,
    "damka_tables_probe": 3,
    "damka_tables_intact": 2,
    "damka_stop_do": 3,
    "damka_engine_clear": 1,
    "damka_pdn_play": 5,
    "damka_search": 6,
}
"""The number of arguments of calls with a handle and perhaps the size of the input first."""


def make_invalid_calls(recorder: Recorder, known: list[tuple[str, bytes, tuple[int, ...]]]) -> None:
    """Make calls with invalid bytes and numbers; they must return codes."""
    rng = random.Random(19)
    odd = (-(2**31), -1, 0, 1, 2, 3, 40, 128, 2**31 - 1)
    for _ in range(HOSTILE):
        name, data, numbers = rng.choice(known)
        if rng.random() < 0.2:
            name = rng.choice(list(CALLS))
        changed = bytearray(data)
        for _ in range(rng.randrange(4)):
            if changed:
                changed[rng.randrange(len(changed))] = rng.randrange(256)
        if name == "damka_search" and len(changed) > 56:
            # Few nodes, and no time limit that would end it elsewhere.
            changed[48:72] = struct.pack("<Qdd", 500, math.inf, math.inf)[: len(changed) - 48]
        numbers_of_call = [numbers[0] if numbers else 1, len(changed), *numbers[2:]]
        numbers_of_call += [rng.choice(odd) for _ in range(CALLS[name])]
        if rng.random() < 0.2:
            numbers_of_call[rng.randrange(CALLS[name])] = rng.choice(odd)
        recorder.call(name, bytes(changed), tuple(numbers_of_call[: CALLS[name]]))


@pytest.fixture(scope="module")
def calls(flat: ModuleType, recorder: Recorder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of calls: moves of random positions, perft, and searches of every rule set."""
    engine = flat.Engine(1 << 20)
    weights: dict[Path, Any] = {}
    expected = {part.rules: part.nodes for part in signature.parts()}
    for name in names():
        walk(flat, name, POSITIONS // len(names()) + 1)
        board = flat.Board(load(name), None, None)
        assert board.perft(4) == damka.Board(name).perft(4)
        assert searched(flat, name, engine, weights) == expected[name]
    known = [(name, data, numbers) for name, data, numbers, *_ in recorder.calls if name in CALLS]
    make_invalid_calls(recorder, [each for each in known if len(each[1]) < 10_000])
    path = tmp_path_factory.mktemp("flat") / "calls"
    path.write_bytes(recorder.written())
    recorder.recording = False  # objects freed from now on are not compared
    return path


def test_the_native_library_returns_the_same_results(recorder: Recorder, calls: Path) -> None:
    assert calls.stat().st_size > 1_000_000
    listed = sum(name == "damka_moves" for name, *_ in recorder.calls)
    assert listed >= POSITIONS


def test_wasmtime_returns_the_same_results(recorder: Recorder, calls: Path) -> None:
    wasm = Wasmtime(built(WASM["plain"]))
    for name, data, numbers, n, output in recorder.calls:
        assert wasm.call(name, data, numbers) == n, name
        if has_output(name, n):
            assert masked(name, wasm.output(n)) == output, name


@pytest.mark.browser
@pytest.mark.parametrize("variant", ["simd", "plain"])
def test_chromium_returns_the_same_results(recorder: Recorder, calls: Path, variant: str) -> None:
    served = calls.parent
    for file in (ROOT / "js/kernel.js", HERE / "replay.js", built(WASM[variant])):
        shutil.copy(file, served)
    (served / "index.html").write_text("<!doctype html><title>Kernel</title>")
    with Host(served) as host, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{host.url}index.html")
        found = page.evaluate(
            "async (wasm) => (await import('./replay.js')).replay(wasm, 'calls')",
            WASM[variant].name,
        )
    assert found["wrong"] == []
    assert found["count"] == len(recorder.calls)
