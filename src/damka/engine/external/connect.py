"""Connecting to another program: a command or an address."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from damka import rules as rule_sets
from damka.engine import dxp
from damka.engine.errors import EngineDeadError, EngineUnfitError
from damka.engine.external.dxp import DxpEngine
from damka.engine.external.hub import Conversation, HubEngine
from damka.engine.transport.link import Link
from damka.engine.transport.process import Process
from damka.engine.transport.tcp import Connection, address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from damka.engine.external.base import ExternalEngine
    from damka.engine.search import SearchLimits
    from damka.rules import Rules

__all__ = ["Introduction", "Protocol", "connect", "introduce"]

Protocol = Literal["hub", "dxp"]

INTERNATIONAL: Final = "international"
_LINE_FEED: Final = b"\n"


class Introduction(NamedTuple):
    """An engine's own name, and the names of the shipped rule sets that it supports."""

    name: str
    rules: tuple[str, ...]


def connect(
    target: str | Sequence[str],
    protocol: Protocol = "hub",
    rules: Rules | str = "international",
    *,
    parameters: Mapping[str, str] | None = None,
    limits: SearchLimits | None = None,
    patience: float = 20.0,
    grace: float = 2.0,
    folder: Path | None = None,
) -> ExternalEngine:
    """Start or connect to an engine that plays by `rules`, and return it.

    `target` is a command, as a list of words or as a string in shell syntax, or an address such as
    "localhost:27531". A command is started in `folder`. A DXP engine always has an address. The
    other arguments are as in `HubEngine` and `DxpEngine`.

    Raises EngineError if it cannot be started or reached, or does not answer correctly, and
    UnknownRulesError and RulesError like `damka.rules.load`.
    """
    loaded = rule_sets.load(rules) if isinstance(rules, str) else rules
    if protocol == "dxp" and parameters:
        raise EngineUnfitError(str(target)[:80], "a DXP engine has no parameters")
    link = _open_link(target, protocol, patience, folder)
    if protocol == "dxp":
        return DxpEngine(link, loaded, limits=limits, patience=patience, grace=grace)
    return HubEngine(
        link, loaded, parameters=parameters, limits=limits, patience=patience, grace=grace
    )


def introduce(
    target: str | Sequence[str],
    protocol: Protocol = "hub",
    *,
    patience: float = 20.0,
    folder: Path | None = None,
) -> Introduction:
    """Request an engine's name and rule sets, then close it; `target` is as in `connect`.

    A DXP engine sends nothing before a game, so only the connection is tested, and the result has
    its address and international draughts.

    Raises EngineError.
    """
    link = _open_link(target, protocol, patience, folder)
    try:
        if protocol == "dxp":
            return Introduction(link.name, (INTERNATIONAL,))
        conversation = Conversation(link)
        name = conversation.introduce(patience)
        conversation.send(["quit"])
        return Introduction(name, conversation.client.supported_rules())
    finally:
        link.close()


def _open_link(
    target: str | Sequence[str], protocol: Protocol, patience: float, folder: Path | None
) -> Link:
    endpoint = address(target) if isinstance(target, str) else None
    if protocol == "dxp":
        if endpoint is None:
            raise EngineUnfitError(str(target)[:80], "a DXP engine needs an address, HOST:PORT")
        stream = Connection.open(*endpoint, seconds=patience)
        return Link(str(target), stream, dxp.MARK, dxp.MAX_LENGTH)
    if endpoint is not None:
        return Link(str(target), Connection.open(*endpoint, seconds=patience), _LINE_FEED)
    command = _split_command(target)
    return Link(command[0], Process(command, folder), _LINE_FEED)


def _split_command(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineDeadError(str(command)[:80], f"is not a command: {error}") from error
    if not words:
        raise EngineDeadError("an engine", "no command or address was given")
    return words
