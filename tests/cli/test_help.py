"""The help of every command speaks in one voice, and shows an example that can be typed."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from damka.cli import app
from tests.cli.inside import DAMKA


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", {})
    for word, each in inner.items():
        yield from commands(each, f"{name} {word}")
    if not inner:
        yield name, command


EVERY = dict(commands(get_command(app), "damka"))


@pytest.mark.parametrize("name", EVERY)
def test_begins_with_what_the_command_does_in_one_line(name: str) -> None:
    first = EVERY[name].help.splitlines()[0]
    assert re.match(r"[A-Z][a-z]+ ", first), "a verb"
    assert first.endswith(".")
    assert len(first) <= 92


@pytest.mark.parametrize("name", EVERY)
def test_ends_with_an_example_whose_options_exist(name: str) -> None:
    last = EVERY[name].help.strip().splitlines()[-1].strip()
    example = last.removeprefix("Example:  ").split("  ")[0]
    assert example != last
    typed = "damka rules" if name == "damka rules show" else name
    assert example.startswith(f"{typed} ")
    options = {word for parameter in EVERY[name].params for word in parameter.opts}
    options |= {word for parameter in EVERY[name].params for word in parameter.secondary_opts}
    assert {word for word in shlex.split(example) if word.startswith("-")} <= options


@pytest.mark.parametrize("command", ["serve", "play"])
def test_the_examples_name_the_program_as_it_was_called(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [DAMKA, command, "--help"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=True,
    )
    examples = re.findall(rf"^ *(?:Example:  )?(\S*damka) {command} ", done.stdout, re.MULTILINE)
    assert set(examples) == {DAMKA}


@pytest.mark.parametrize("name", EVERY)
def test_tells_every_option_in_a_sentence(name: str) -> None:
    for parameter in EVERY[name].params:
        told = getattr(parameter, "help", None)
        if parameter.name != "help":
            assert told, parameter.name
            assert told.endswith("."), told
            assert told[0].isupper(), told
            assert "repeatable" not in told
