"""Modules that come after a first game has begun."""

from __future__ import annotations

import importlib
import sys
import zlib
from pathlib import Path

import pytest

from damka_later import EARLY, NAMES, Later, install


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    return tmp_path


def test_an_import_fetches_what_is_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetched = []

    def fetch() -> bytes:
        fetched.append(True)
        return zlib.compress(b"VALUE = 7")

    def unpack(data: bytes) -> None:
        (folder / "comes_later").mkdir()
        for name in ("__init__", "part"):
            (folder / "comes_later" / f"{name}.py").write_bytes(data)

    later = Later(frozenset({"comes_later", "comes_later.part"}), fetch, unpack)
    sys.meta_path.append(later)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("comes_never")
    assert fetched == []
    assert importlib.import_module("comes_later.part").VALUE == 7
    assert fetched == [True]
    assert capsys.readouterr().out == f"{EARLY} comes_later\n"
    later.add(zlib.compress(b"again"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("comes_later.nothing")


def test_what_has_arrived_is_not_fetched(folder: Path) -> None:
    def fetch() -> bytes:
        raise AssertionError

    later = Later(frozenset({"arrives"}), fetch, lambda _: None)
    sys.meta_path.append(later)
    (folder / "arrives.py").write_text("VALUE = 8", encoding="utf-8")
    later.arrived()
    assert importlib.import_module("arrives").VALUE == 8


def test_the_names_lie_beside_the_module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damka_later.__file__", str(folder / "damka_later.py"))
    (folder / NAMES).write_text("one\ntwo.three", encoding="utf-8")
    later = install(lambda: b"", lambda _: None)
    assert sys.meta_path[-1] is later
    assert later.find_spec("four") is None
