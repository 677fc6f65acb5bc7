"""Reading files of games: with a bar, and with what is wrong told."""

from __future__ import annotations

import os
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from damka.cli.options import rules_option
from damka.errors import PdnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from damka import Rules
    from damka.pdn import PdnGame

__all__ = ["Errors", "Reading", "errors_option", "file_argument", "read_as_option"]

STANDARD_INPUT: Final = "-"
AFTER: Final = 1.0
"""After so many seconds a bar is shown."""


class Errors(StrEnum):
    """What is done about a game that is wrong."""

    SKIP = "skip"
    STOP = "stop"


def file_argument() -> Any:
    """Return the argument FILE."""
    return typer.Argument(metavar="FILE", help="A PDN file, or - for standard input.")


def errors_option() -> Any:
    """Return the option --errors."""
    return typer.Option(
        Errors.SKIP,
        help="What to do about a game that is wrong: skip it and exit with status 1, or stop.",
    )


def read_as_option(*names: str) -> Any:
    """Return the option that says by which rules games are read, whatever they say themselves."""
    if not names:
        return rules_option(None, _READ_AS)
    return typer.Option(None, *names, metavar="RULES", help=_READ_AS)


_READ_AS: Final = (
    "The rules by which games are read. Default: those that the tags tell, else those by which the "
    "moves are legal."
)


class Reading:
    """Reads games, skipping those that are wrong; leaves with status 1 if there was one.

    `told` is called with each that is skipped; without it a line on standard error tells it. A bar
    on standard error shows how far a file is read, unless `bar` is false.
    """

    def __init__(
        self,
        rules: Rules | None,
        errors: Errors = Errors.SKIP,
        *,
        told: Callable[[PdnError], object] | None = None,
        bar: bool = True,
    ) -> None:
        self.skipped = 0
        self._rules = rules
        self._stop = errors is Errors.STOP
        self._told = told or _tell
        self._shown = bar and sys.stderr.isatty()
        self._bar: Bar | None = None
        self._name = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._end()
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            raise typer.Exit(130) from None
        if kind is None and self.skipped:
            raise typer.Exit(1)

    def games(self, file: str) -> Iterator[PdnGame]:
        """Yield the games of a file.

        Raises PdnError for a file that cannot be read, and for a wrong game where reading stops;
        OSError for a file that cannot be opened.
        """
        from damka import pdn  # noqa: PLC0415

        if file == STANDARD_INPUT:
            self._name = "standard input"
            yield from pdn.read(
                self._counted(sys.stdin.buffer, None),
                self._rules,
                "raise" if self._stop else "skip",
                skipped=self._skip,
            )
        else:
            self._name = file
            with Path(file).open("rb") as opened:
                yield from pdn.read(
                    self._counted(opened, os.fstat(opened.fileno()).st_size),
                    self._rules,
                    "raise" if self._stop else "skip",
                    skipped=self._skip,
                )
        self._end()

    def wrong(self, game: PdnGame, error: PdnError) -> None:
        """Skip a game that cannot be written, or raise what is wrong with it."""
        placed = PdnError(error.message, line=game.line_number, source=self._name, game=game.number)
        if self._stop:
            raise placed from error
        self._skip(placed)

    def _skip(self, error: PdnError) -> None:
        self.skipped += 1
        self._told(error)

    def _counted(self, file: IO[bytes], size: int | None) -> IO[bytes]:
        self._bar = Bar(self._name, size) if self._shown else None
        return cast("IO[bytes]", _Counted(file, self._name, self._bar))

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Bar:
    """How many bytes of a file are read, shown once that has taken a second."""

    def __init__(
        self, name: str, size: int | None, *, console: Console | None = None, after: float = AFTER
    ) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=console or Console(stderr=True),
            transient=True,
            redirect_stdout=False,
        )
        self._task = self._progress.add_task(name, total=size)
        self._begin = time.monotonic()
        self._after = after

    def advance(self, count: int) -> None:
        """Count bytes that are read."""
        self._progress.advance(self._task, count)
        if not self._progress.live.is_started and time.monotonic() - self._begin >= self._after:
            self._progress.start()

    def stop(self) -> None:
        """Take the bar away."""
        self._progress.stop()


class _Counted:
    """A file whose bytes are counted as they are read."""

    def __init__(self, file: IO[bytes], name: str, bar: Bar | None) -> None:
        self.name = name
        self._file = file
        self._bar = bar

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if self._bar is not None:
            self._bar.advance(len(data))
        return data


def _tell(error: PdnError) -> None:
    # Not through typer: a bar takes what is written to standard error above itself.
    sys.stderr.write(f"damka: {error} (skipped)\n")
