"""The WebAssembly build is reproducible, and its download is small."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.wasm.support import ROOT, WASM, built

SIZE_LIMIT = 400_000
"""Maximum size of a compressed module, in bytes."""


def test_the_build_is_the_same_in_another_folder(tmp_path: Path) -> None:
    """The file depends neither on the folder nor on the time of the build."""
    name = "wasm/small/wasm/record.o"
    first = built(ROOT / "build" / name).read_bytes()
    for each in ("core", "Makefile", "tools", "requirements"):
        copied = shutil.copytree if (ROOT / each).is_dir() else shutil.copy
        copied(ROOT / each, tmp_path / each)
    for each in (".venv", "CMakeLists.txt", "pyproject.toml", "src"):
        (tmp_path / each).symlink_to(ROOT / each)
    (tmp_path / "build/wasm").mkdir(parents=True)
    (tmp_path / "build/wasm/cache").symlink_to(ROOT / "build/wasm/cache")
    subprocess.run(
        ["make", f"build/{name}"],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "MAKEFLAGS"},
        check=True,
        capture_output=True,
        timeout=200,
    )
    assert (tmp_path / "build" / name).read_bytes() == first


@pytest.mark.parametrize("variant", ["plain", "simd"])
def test_modules_are_small(variant: str) -> None:
    assert len(gzip.compress(built(WASM[variant]).read_bytes(), 9)) < SIZE_LIMIT
