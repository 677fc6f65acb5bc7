"""Former names of options and commands, which still work and print a note."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["current_command", "current_options"]


class _Current(NamedTuple):
    """The current name of an option, and the current names of its values."""

    name: str
    values: Mapping[str, str] = MappingProxyType({})


_DEFAULT: Final = _Current("")
"""A former option that set the current default."""

_JOBS: Final = {"--threads": _Current("--jobs")}
_READ_AS: Final = {"--rules": _Current("--read-as"), "-r": _Current("--read-as")}

_OPTIONS: Final[Mapping[str, Mapping[str, _Current]]] = MappingProxyType(
    {
        "analyze": _JOBS | {"--seconds": _Current("--time"), "-s": _Current("--time")},
        "perft": _JOBS | {"--no-divide": _DEFAULT},
        "hub": _JOBS,
        "dxp": _JOBS | {"--seconds": _Current("--time"), "--pdn": _Current("--output")},
        "match": {
            "--concurrency": _Current("--jobs"),
            "--pdn": _Current("--output"),
            "--adjudicate": _DEFAULT,
        },
        "train": {"--workers": _Current("--jobs")},
        "play": {
            "--save": _Current("--output"),
            "--colour": _Current("--side", MappingProxyType({"lot": "random"})),
        },
        "draw": {
            "--seconds": _Current("--delay"),
            "--every": _Current("--diagram-every"),
            "--print": _Current("--light-squares"),
            "--no-print": _Current("--dark-squares"),
            "--numbers": _DEFAULT,
            "--no-flip": _DEFAULT,
            "--no-crown": _DEFAULT,
        },
        "serve": {
            "--engine-seconds": _Current("--engine-time"),
            "--rules": _Current("--house-rules"),
            "--proxy": _Current("--trusted-proxy"),
            "--browser": _DEFAULT,
        },
        "admin restore": {"--yes": _Current("--force")},
        "pdn check": _READ_AS,
        "pdn convert": _READ_AS | {"--fen": _Current("--fen-notation")},
        "pdn split": _READ_AS,
        "pdn stats": _READ_AS,
    }
)

_COMMANDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"admin": {"right": "role"}})


def current_options(command: str, args: list[str]) -> list[str]:
    """Replace former option names in the words after a command.

    Prints a note about every former name.
    """
    former = _OPTIONS.get(command, {})
    result: list[str] = []
    values: Mapping[str, str] = {}
    for at, word in enumerate(args):
        if word == "--":
            return result + args[at:]
        name, equals, value = word.partition("=")
        # "-s5" is "-s" and its value.
        if not word.startswith("--") and word[:2] in former:
            name, equals, value = word[:2], "=" if word[2:] else "", word[2:]
        new = former.get(name)
        if new is None:
            result.append(values.get(word, word))
            values = {}
            continue
        _note(f"{name} is the default; leave it out" if new is _DEFAULT else _is_now(name, new))
        if new is not _DEFAULT:
            result.append(f"{new.name}{equals}{new.values.get(value, value)}")
            values = {} if equals else new.values
    return result


def current_command(group: str, name: str) -> str:
    """Return the current name of a group's command; prints a note about a former name."""
    new = _COMMANDS.get(group, {}).get(name)
    if new is None:
        return name
    _note(f"the command `{group} {name}` is now `{group} {new}`")
    return new


def _is_now(name: str, new: _Current) -> str:
    note = f"{name} is now {new.name}"
    return note + "".join(f", {old} is {value}" for old, value in new.values.items())


def _note(text: str) -> None:
    typer.echo(f"damka: note: {text}", err=True)
