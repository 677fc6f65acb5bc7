"""Write `src/damka/_core.pyi`, the types and docstrings of the kernel, from the built kernel.

    .venv/bin/python -m tools.kernel_stub

The signatures and docstrings are those in `core/bindings`; `kernel.pat` beside this file adds
imports and names of types.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from nanobind.stubgen import StubGen, load_pattern_file

from damka import _core

__all__ = ["FILE", "stub"]

FILE: Final = Path(__file__).parents[1] / "src" / "damka" / "_core.pyi"
_PATTERNS: Final = Path(__file__).with_name("kernel.pat")


def stub() -> str:
    """Return the text of the file."""
    generator = StubGen(_core, include_private=True, patterns=load_pattern_file(str(_PATTERNS)))
    home = _core.Move.__module__
    _core.Move.__module__ = _core.__name__  # declared there, although its module is damka.move
    try:
        generator.put(_core)
    finally:
        _core.Move.__module__ = home
    return _formatted(generator.get())


def _formatted(text: str) -> str:
    for options in (("check", "--select", "I", "--fix", "--quiet"), ("format",)):
        command = [sys.executable, "-m", "ruff", *options, "--stdin-filename", str(FILE), "-"]
        text = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


if __name__ == "__main__":
    FILE.write_text(stub(), "utf-8")
