"""Output of games to a file or standard output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from damka.cli import options
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Output", "output_option", "require_other_file"]


def output_option() -> Any:
    """Return the option --output of a command that prints games."""
    return options.output_option("File to write. Default: standard output.")


def require_other_file(output: Path, source: str) -> None:
    """Raise UsageProblem if the output file is also the input file."""
    if source != "-" and output.exists() and Path(source).exists() and output.samefile(source):
        raise UsageProblem(f"--output: {output} is the input file; choose another file.")


class Output:
    """Standard output, or a file that is created with the first game or at the end."""

    def __init__(self, path: Path | None, source: str) -> None:
        if path is not None:
            require_other_file(path, source)
        self.count = 0
        self._path = path
        self._file: IO[str] | None = None

    @property
    def on_terminal(self) -> bool:
        """Whether games are printed on a terminal."""
        return self._path is None and sys.stdout.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if kind is None:
            self._opened()
        if self._file is not None and self._path is not None:
            self._file.close()
        elif kind is None:
            sys.stdout.flush()

    def write(self, text: str, separator: str = "") -> None:
        """Write a game; `separator` separates it from the previous one."""
        file = self._opened()
        file.write(f"{separator}{text}" if self.count else text)
        self.count += 1

    def _opened(self) -> IO[str]:
        if self._file is None:
            self._file = (
                sys.stdout if self._path is None else self._path.open("w", encoding="utf-8")
            )
        return self._file
