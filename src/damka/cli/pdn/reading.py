"""Reading of PDN files with a progress bar and error reports."""

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

from damka.cli.options import complete_rules
from damka.errors import PdnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from damka import Rules
    from damka.pdn import PdnGame

__all__ = ["Errors", "Reading", "errors_option", "file_argument", "read_as_option"]

STANDARD_INPUT: Final = "-"
BAR_DELAY: Final = 1.0
"""Delay in seconds before a bar is shown."""


class Errors(StrEnum):
    """Handling of a game with errors."""

    KEEP = "keep"
    SKIP = "skip"
    STOP = "stop"


def file_argument() -> Any:
    """Return the argument FILE."""
    return typer.Argument(metavar="FILE", help="PDN file; - for standard input.")


def errors_option() -> Any:
    """Return the option --errors."""
    return typer.Option(
        Errors.KEEP,
        "--errors",
        metavar="keep|skip|stop",
        help="Games with errors: keep what could be read, skip them, or stop. The exit status is 1 "
        "if there was one.",
    )


def read_as_option() -> Any:
    """Return the option --read-as, for rules that override those of the games."""
    return typer.Option(
        None,
        "--read-as",
        metavar="RULES",
        help="Rule set to read the games by. Default: from the tags, else from the moves.",
        autocompletion=complete_rules,
    )


class Reading:
    """Reader of games that reports their errors and exits with status 1 after an error.

    `on_error` is called with each error; by default errors are printed on standard error. A bar on
    standard error shows the progress, unless `bar` is false.
    """

    wrong_games: int
    """The number of games with errors so far."""

    def __init__(
        self,
        rules: Rules | None,
        errors: Errors = Errors.KEEP,
        *,
        on_error: Callable[[PdnError], object] | None = None,
        bar: bool = True,
    ) -> None:
        self.wrong_games = 0
        self._rules = rules
        self._errors = errors
        self._on_error = on_error or self._report
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
        if kind is None and self.wrong_games:
            raise typer.Exit(1)

    def games(self, file: str) -> Iterator[PdnGame]:
        """Yield the games of a file.

        Raises PdnError for a file that cannot be read, and for the first error if reading stops
        there; OSError for a file that cannot be opened.
        """
        if file == STANDARD_INPUT:
            self._name = "standard input"
            yield from self._read(self._counted(sys.stdin.buffer, None))
        else:
            self._name = file
            with Path(file).open("rb") as opened:
                size = os.fstat(opened.fileno()).st_size
                yield from self._read(self._counted(opened, size))
        self._end()

    def skip(self, game: PdnGame, error: PdnError) -> None:
        """Skip a game that cannot be written, or raise its error."""
        located = PdnError(
            error.message, line=game.line_number, source=self._name, game=game.number
        )
        if self._errors is Errors.STOP:
            raise located from error
        if not game.errors:
            self.wrong_games += 1
        self._on_error(located)

    def _read(self, file: IO[bytes]) -> Iterator[PdnGame]:
        from damka import pdn  # noqa: PLC0415

        for game in pdn.read(file, self._rules, strict=self._errors is Errors.STOP):
            if game.errors:
                self.wrong_games += 1
                for error in game.errors:
                    self._on_error(error)
                if self._errors is Errors.SKIP:
                    continue
            yield game

    def _report(self, error: PdnError) -> None:
        # Written without typer, so that the bar can print redirected standard error above itself.
        note = " (skipped)" if self._errors is Errors.SKIP else ""
        sys.stderr.write(f"damka: {error}{note}\n")

    def _counted(self, file: IO[bytes], size: int | None) -> IO[bytes]:
        self._bar = Bar(self._name, size) if self._shown else None
        return cast("IO[bytes]", _CountingFile(file, self._name, self._bar))

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Bar:
    """Progress bar of the bytes of a file, shown after a second."""

    def __init__(
        self,
        name: str,
        size: int | None,
        *,
        console: Console | None = None,
        after: float = BAR_DELAY,
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
        self._started = time.monotonic()
        self._after = after

    def advance(self, count: int) -> None:
        """Count the bytes read."""
        self._progress.advance(self._task, count)
        if not self._progress.live.is_started and time.monotonic() - self._started >= self._after:
            self._progress.start()

    def stop(self) -> None:
        """Remove the bar."""
        self._progress.stop()


class _CountingFile:
    """A file that reports the bytes read to a bar."""

    def __init__(self, file: IO[bytes], name: str, bar: Bar | None) -> None:
        self.name = name
        self._file = file
        self._bar = bar

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if self._bar is not None:
            self._bar.advance(len(data))
        return data
