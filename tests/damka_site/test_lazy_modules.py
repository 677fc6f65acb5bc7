"""Modules that are loaded after the first game has begun."""

from __future__ import annotations

import importlib
import sys
import zlib
from pathlib import Path

import pytest

from lazy_modules import EARLY_IMPORT, NAMES_FILE, LazyFinder, install


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    return tmp_path


def test_an_import_fetches_missing_modules(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetched = []

    def fetch() -> bytes:
        fetched.append(True)
        return zlib.compress(b"VALUE = 7")

    def unpack(data: bytes) -> None:
        (folder / "loaded_later").mkdir()
        for name in ("__init__", "part"):
            (folder / "loaded_later" / f"{name}.py").write_bytes(data)

    finder = LazyFinder(frozenset({"loaded_later", "loaded_later.part"}), fetch, unpack)
    sys.meta_path.append(finder)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("never_loaded")
    assert fetched == []
    assert importlib.import_module("loaded_later.part").VALUE == 7
    assert fetched == [True]
    assert capsys.readouterr().out == f"{EARLY_IMPORT} loaded_later\n"
    finder.add(zlib.compress(b"again"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("loaded_later.nothing")


def test_loaded_modules_are_not_fetched(folder: Path) -> None:
    def fetch() -> bytes:
        raise AssertionError

    finder = LazyFinder(frozenset({"already_loaded"}), fetch, lambda _: None)
    sys.meta_path.append(finder)
    (folder / "already_loaded.py").write_text("VALUE = 8", encoding="utf-8")
    finder.mark_loaded()
    assert importlib.import_module("already_loaded").VALUE == 8


def test_the_names_are_read_from_a_file_beside_the_module(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lazy_modules.__file__", str(folder / "lazy_modules.py"))
    (folder / NAMES_FILE).write_text("one\ntwo.three", encoding="utf-8")
    finder = install(lambda: b"", lambda _: None)
    assert sys.meta_path[-1] is finder
    assert finder.find_spec("four") is None
