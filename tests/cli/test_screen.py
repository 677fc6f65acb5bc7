"""Output for terminals of different abilities."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

DAMKA = str(Path(sys.executable).parent / "damka")


def on_terminal(*arguments: str, typed: str = "", **settings: str) -> str:
    """Return what a command writes to a terminal."""
    main, terminal = pty.openpty()
    plain = {key: os.environ[key] for key in os.environ.keys() - {"NO_COLOR", "COLORTERM"}}
    try:
        with subprocess.Popen(
            [DAMKA, *arguments],
            stdin=subprocess.PIPE,
            stdout=terminal,
            stderr=subprocess.STDOUT,
            text=True,
            env={**plain, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **settings},
        ) as process:
            os.close(terminal)
            assert process.stdin is not None
            process.stdin.write(typed)
            process.stdin.close()
            output = b""
            while part := _read(main):
                output += part
        return output.decode()
    finally:
        os.close(main)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # The other end is closed.
        return b""


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
def test_a_terminal_with_colours_has_them(
    command: tuple[str, ...], settings: dict[str, str]
) -> None:
    output = on_terminal(*command, **settings)
    assert "48;" in output
    assert "○" not in output


def test_without_unicode_pieces_are_letters() -> None:
    output = on_terminal("draw", "W:W30:B6,K8", NO_COLOR="1", PYTHONIOENCODING="ascii")
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
    with subprocess.Popen([DAMKA, *command], stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (0, b"")
