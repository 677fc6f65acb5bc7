"""Lines of the Hub protocol: `command name=value name="some words" flag`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from damka.errors import DamkaError

__all__ = ["MAX_LENGTH", "HubError", "Line", "parse", "write"]

MAX_LENGTH: Final = 64 * 1024
"""Maximum length of a line: enough for a position with thousands of moves."""

_NAME = r"[^\s=\"]+"
_COMMAND: Final = re.compile(rf"\s*({_NAME})(?:\s+|$)")
# Spaces may surround the "=". A word after "name= " is the next name if another "=" follows it.
_VALUE = rf"\s*=(?:\s*\"([^\"]*)\"|\s*({_NAME}+)(?!\s*=)|(?=\s|$))"
_ARGUMENT: Final = re.compile(rf"({_NAME}+)(?:{_VALUE})?(?:\s+|$)")
_BARE: Final = re.compile(_NAME)


class HubError(DamkaError, ValueError):
    """A line that violates the protocol, or has an invalid value."""


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed line: the command and its arguments; a flag has the value ""."""

    command: str
    arguments: Mapping[str, str] = field(default_factory=dict)


def parse(text: str) -> Line | None:
    """Parse a line; return None if it is blank. The last of several values for a name counts.

    Raises HubError.

    >>> from damka.engine.hub.line import parse
    >>> parse('pos pos=We moves="32-28 19-23"')
    Line(command='pos', arguments={'pos': 'We', 'moves': '32-28 19-23'})
    >>> parse("go think").arguments
    {'think': ''}
    >>> parse("level depth = 3").arguments
    {'depth': '3'}
    """
    if len(text) > MAX_LENGTH:
        raise HubError(f"the line is longer than {MAX_LENGTH} characters")
    if not text.strip():
        return None
    command = _COMMAND.match(text)
    if command is None:
        raise HubError(f"a line must begin with a command, not {text.strip()[:40]!r}")
    arguments = {}
    at = command.end()
    while at < len(text):
        match = _ARGUMENT.match(text, at)
        if match is None:
            raise HubError(f'expected name=value or name="…" at {text[at : at + 40]!r}')
        name, quoted, bare = match.groups()
        arguments[name] = quoted or bare or ""
        at = match.end()
    return Line(command[1], arguments)


def write(command: str, /, *flags: str, **arguments: object) -> str:
    """Return a line that `parse` reads; `move_time` is written `move-time`.

    Values are quoted if necessary. A quotation mark in a value, which the protocol cannot express,
    becomes an apostrophe, and a line break becomes a space.

    >>> from damka.engine.hub.line import write
    >>> write("info", depth=3, pv="32-28 19-23")
    'info depth=3 pv="32-28 19-23"'
    """
    parts = [command, *flags]
    for name, value in arguments.items():
        text = re.sub(r"\s", " ", str(value).replace('"', "'"))
        quoted = text if _BARE.fullmatch(text) else f'"{text}"'
        parts.append(f"{name.replace('_', '-')}={quoted}")
    return " ".join(parts)
