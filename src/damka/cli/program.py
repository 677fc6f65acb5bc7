"""How this program was called, so that the commands it names can be copied."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import typer

__all__ = ["program_name", "spell_examples"]

NAME = "damka"
_COMMAND = re.compile(rf"^( *(?:Example:  )?){NAME} ", re.MULTILINE)
"""An example in a help text: a line that begins with a command."""


def program_name() -> str:
    """Return what to type for this program: its name where the shell finds it, else its path."""
    mine = Path(sys.argv[0])
    if mine.name != NAME or not mine.is_file():
        return NAME  # a test, or `python -m`
    found = shutil.which(NAME)
    if found and Path(found).resolve() == mine.resolve():
        return NAME
    near = os.path.relpath(mine)
    return shlex.quote(str(mine) if near.startswith(os.pardir) else near)


def spell_examples(app: typer.Typer) -> None:
    """Let the examples in the help of all commands name the program as it was called."""
    program = program_name()
    if program == NAME:
        return
    groups = [app, *(each.typer_instance for each in app.registered_groups)]
    for group in filter(None, groups):
        epilog = group.info.epilog
        if isinstance(epilog, str):
            group.info.epilog = epilog.replace(f"{NAME} ", f"{program} ")
        for command in group.registered_commands:
            if command.callback and command.callback.__doc__:
                command.callback.__doc__ = _COMMAND.sub(
                    lambda found: f"{found[1]}{program} ", command.callback.__doc__
                )
