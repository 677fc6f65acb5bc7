"""Balloted openings as text, in rule sets, shipped lists and files.

An opening is one line, `12. Kitchen opening: 9-13 22-18`. Its number and name are optional; the
default number is its place in the list, from 1. Then follow moves, in the library's numbers or in
letters; or a position in FEN, with or without moves; or, in parentheses, the squares whose men are
removed from the start position, and moves. This module parses number and name; `damka.game.opening`
parses the rest by the rules of the game.

The page docs/rules/parameters.md of the documentation has the source of each shipped list.
"""

from __future__ import annotations

import errno
import functools
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeGuard

from damka.errors import RulesError

__all__ = [
    "MAX_NAME",
    "MAX_OPENING",
    "Entry",
    "entry",
    "file_beside",
    "is_file",
    "list_names",
    "numbered",
    "read_file",
    "read_list",
]

MAX_OPENING: Final = 500
"""Maximum characters of one opening."""
MAX_NAME: Final = 80
"""Maximum characters of a name."""
MAX_FILE: Final = 64 * 1024
"""Maximum bytes of a file of openings: every game file contains them."""

_LISTS: Final = Path(__file__).parent / "ballots"
_NUMBER: Final = re.compile(r"([0-9]{1,5})\.(?=\s|$)\s*")
_END_OF_NAME: Final = ": "
"""The colons of a FEN have no space after them, except in a tag."""
_TAG: Final = re.compile(r"\[\s*FEN\b", re.IGNORECASE | re.ASCII)
_EXPECTED: Final = (
    "moves or a position (FEN), after an optional number and name,"
    ' such as "12. Kitchen opening: 9-13 22-18"'
)


class Entry(NamedTuple):
    """An opening of a list: its number and name, and its position and moves as text."""

    number: int
    name: str
    text: str

    def __str__(self) -> str:
        """Return the line of a list; `entry` is the inverse."""
        name = f"{self.name}: " if self.name else ""
        return f"{self.number}. {name}{self.text}"


def entry(line: str, place: int) -> Entry:
    """Parse an opening; `place` is its default number.

    Raises RulesError for a name without moves or a position, and for an overlong line.
    """
    rest = line.strip()
    number = _NUMBER.match(rest)
    if number is not None:
        rest = rest[number.end() :]
    tag = _TAG.search(rest)
    head, rest = (rest[: tag.start()], rest[tag.start() :]) if tag else (rest, "")
    name, _, text = head.rpartition(_END_OF_NAME)
    name, text = " ".join(name.split()), (text + rest).strip()
    if not text or text.endswith(":") or (number and not int(number[1])):
        raise RulesError("", line, _EXPECTED)
    if len(name) > MAX_NAME:
        raise RulesError("", line, f"a name of at most {MAX_NAME} characters")
    return Entry(int(number[1]) if number else place, name, text)


def numbered(lines: Iterable[str]) -> tuple[Entry, ...]:
    """Parse the openings of a list.

    Raises RulesError as `entry` does, and for duplicate numbers; its key is the index of
    the opening in brackets.
    """
    index_of: dict[int, int] = {}
    entries = []
    for index, line in enumerate(lines):
        try:
            parsed = entry(line, index + 1)
        except RulesError as error:
            raise RulesError(f"[{index}]", error.value, error.expected) from error
        first = index_of.setdefault(parsed.number, index)
        if first != index:
            expected = (
                f"a number other than {parsed.number}, which opening {first + 1} of the list has"
            )
            raise RulesError(f"[{index}]", line, expected)
        entries.append(parsed)
    return tuple(entries)


@functools.cache
def list_names() -> tuple[str, ...]:
    """Return the names of the lists."""
    return tuple(
        sorted(p.name.removesuffix(".txt") for p in _LISTS.iterdir() if p.name.endswith(".txt"))
    )


@functools.cache
def read_list(name: str) -> tuple[str, ...]:
    """Return the openings of a shipped list."""
    text = (_LISTS / f"{name}.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line)


def is_file(name: object) -> TypeGuard[str]:
    """Return whether a value of `ballots` is the name of a file of openings."""
    return isinstance(name, str) and name.lower().endswith(".txt")


def file_beside(path: Path, text: str) -> Path | None:
    """Return the path of the file of openings that a rule file with this text names, or None."""
    try:
        name = tomllib.loads(text).get("ballots")
    except (ValueError, RecursionError):
        return None
    return path.parent / name if is_file(name) else None


def read_file(path: Path, max_bytes: int = MAX_FILE) -> dict[int, str]:
    """Return the openings of a file of at most `max_bytes` bytes by their line numbers, from 1.

    Text after `#` is a comment. Raises RulesError for an invalid opening (with its line), and for a
    file that cannot be read or is too large or empty.
    """
    source = str(path)
    try:
        # A device or a pipe may be endless.
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "not a regular file")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RulesError("ballots", None, "UTF-8 text", source=source) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RulesError("ballots", source, f"a readable file ({reason})") from error
    if len(data) > max_bytes:
        raise RulesError("ballots", None, f"at most {max_bytes} bytes", source=source)
    openings: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        opening = " ".join(line.partition("#")[0].split())
        if not opening:
            continue
        if len(opening) > MAX_OPENING or not opening.isprintable():
            expected = f"an opening of at most {MAX_OPENING} printable characters"
            key = f"ballots[{len(openings)}]"
            raise RulesError(key, opening, expected, source=source, line=number)
        openings[number] = opening
    if not openings:
        raise RulesError("ballots", None, "an opening on each line", source=source)
    _check_numbers(source, [*openings], [*openings.values()])
    return openings


def _check_numbers(source: str, lines: Sequence[int], openings: Sequence[str]) -> None:
    """Raise RulesError, with the line, for the first opening with an invalid number or name."""
    try:
        numbered(openings)
    except RulesError as error:
        line = lines[int(error.key[1:-1])]
        raise RulesError(
            f"ballots{error.key}", error.value, error.expected, source=source, line=line
        ) from error
