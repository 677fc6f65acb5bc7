"""Output for terminals of different capabilities."""

from __future__ import annotations

import io
import os
import subprocess
from unittest import mock

import pytest

from tests.cli.inside import DAMKA, run_main


class Terminal(io.TextIOWrapper):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def on_terminal(*arguments: str, encoding: str = "utf-8", **settings: str) -> str:
    """Return a command's output on a terminal."""
    plain = {key: os.environ[key] for key in os.environ.keys() - {"NO_COLOR", "COLORTERM"}}
    output = io.BytesIO()
    with (
        Terminal(output, encoding) as terminal,
        mock.patch.dict(os.environ, {**plain, "TERM": "xterm-256color", **settings}, clear=True),
    ):
        assert run_main(*arguments, typed="", output=terminal, errors=terminal) == 0
        terminal.flush()
        return output.getvalue().decode(encoding)


COMMANDS = [("draw", "W:W30:B6,K8"), ("play", "dama64", "--two", "--fen", "W:W30:B6,K8")]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("settings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "xterm"}])
def test_without_colours_symbols_distinguish_the_sides(
    command: tuple[str, ...], settings: dict[str, str]
) -> None:
    output = on_terminal(*command, **settings)
    assert "30○ " in output
    assert " 6● " in output
    assert " 8●●" in output
    assert "\x1b[4" not in output


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("settings", [{}, {"COLORTERM": "truecolor"}])
def test_a_colour_terminal_gets_colours(command: tuple[str, ...], settings: dict[str, str]) -> None:
    output = on_terminal(*command, **settings)
    assert "48;" in output
    assert "○" not in output


def test_without_unicode_pieces_are_letters() -> None:
    output = on_terminal("draw", "W:W30:B6,K8", encoding="ascii", NO_COLOR="1")
    assert "30w" in output
    assert " 8B" in output


@pytest.mark.parametrize(
    "command",
    [
        ("rules",),
        ("rules", "international"),
        ("draw", "start"),
        ("perft", "dama64", "3", "--divide"),
    ],
)
def test_a_closed_pipe_ends_a_command_quietly(command: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    errors = io.StringIO()
    with os.fdopen(writer, "w", encoding="utf-8") as output:
        status = run_main(*command, typed="", output=output, errors=errors)
    assert (status, errors.getvalue()) == (0, "")


def test_a_closed_pipe_ends_a_separate_process_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [DAMKA, "draw", "start"]
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
