"""Helpers for the package's tests: the path of the build, and function calls in Node.js."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "dist" / "damka-js"
HERE: Final = Path(__file__).parent


def built() -> Path:
    """Return the package, which `make test` builds."""
    assert (PACKAGE / "package.json").exists(), "dist/damka-js is not built: run `make js`"
    return PACKAGE


class Node:
    """A process of Node.js that calls the functions of `in_node.mjs`."""

    def __init__(self, *flags: str, wasm: str = "") -> None:
        command = ["node", *flags, str(HERE / "in_node.mjs"), str(built()), wasm]
        self._process: Final = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def __call__(self, function: str, *arguments: Any) -> Any:
        """Call a function with plain values; return its result."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{json.dumps([function, *arguments])}\n")
        stdin.flush()
        line = stdout.readline()
        assert line, f"Node.js ended in {function}"
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()
