"""Reaching another program: a command to start, or an address to call."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Literal

from damka import rules as rule_sets
from damka.engine.external.errors import EngineDeadError
from damka.engine.external.hub import HubEngine
from damka.engine.external.link import Link
from damka.engine.external.process import Process
from damka.engine.external.tcp import Connection, address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from damka.engine.external.base import ExternalEngine
    from damka.engine.search import Limits
    from damka.rules import Rules

__all__ = ["Protocol", "connect"]

Protocol = Literal["hub"]


def connect(
    target: str | Sequence[str],
    protocol: Protocol = "hub",
    rules: Rules | str = "international",
    *,
    parameters: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    patience: float = 20.0,
    grace: float = 2.0,
    folder: Path | None = None,
) -> ExternalEngine:
    """Return an engine that is ready to play by `rules`.

    `target` is a command, as one text that is split as a shell would split it or as its words, or
    an address such as "localhost:27531". A command is started in `folder`. The rest is as
    in `HubEngine`.

    Raises EngineError when it cannot be started or reached or does not answer as it should,
    UnknownRulesError and RulesError like `damka.rules.load`.
    """
    loaded = rule_sets.load(rules) if isinstance(rules, str) else rules
    stream: Process | Connection
    place = address(target) if isinstance(target, str) else None
    if place is not None:
        name = str(target)
        stream = Connection.to(*place, seconds=patience)
    else:
        command = _words(target)
        name = command[0]
        stream = Process(command, folder)
    link = Link(name, stream, b"\n")
    return HubEngine(
        link, loaded, parameters=parameters, limits=limits, patience=patience, grace=grace
    )


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineDeadError(str(command)[:80], f"is not a command: {error}") from error
    if not words:
        raise EngineDeadError("an engine", "without a command or an address")
    return words
