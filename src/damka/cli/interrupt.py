"""Handling of Ctrl-C in long commands that can be resumed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["resumable"]


@contextmanager
def resumable(hint: str = "run the same command to continue") -> Generator[None]:
    """Print after Ctrl-C how to resume, and exit with status 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {hint}", err=True)
        raise typer.Exit(130) from None
