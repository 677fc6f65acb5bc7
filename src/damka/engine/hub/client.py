"""The client side of the Hub protocol: lines to send to an engine, and the meaning of its lines.

`Client` is the state of the conversation, without input or output: `greet`, `prepare` and `think`
return lines to send; `parse` parses a line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from damka import rules as rule_sets
from damka.engine.errors import plain
from damka.engine.hub import position, score, variant
from damka.engine.hub.line import HubError, Line, parse, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.board import Board
    from damka.engine.search import SearchLimits
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Client", "Done", "EngineFault", "EngineMessage", "Info", "Pong", "Ready", "Wait"]

_MAX_PARAMETERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Wait:
    """The engine has introduced itself and waits for its parameters."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The engine can play."""


@dataclass(frozen=True, slots=True)
class Pong:
    """The engine is alive."""


@dataclass(frozen=True, slots=True)
class Info:
    """The progress of the search; None for values that the engine does not send.

    `score` is in hundredths of a man for the side to move, with wins as in `Analysis`; `seconds`
    is the search time, and `pv` the expected moves in the engine's notation.
    """

    depth: int | None = None
    score: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    pv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The move and the expected reply, in the engine's notation."""

    move: str
    ponder: str | None = None


@dataclass(frozen=True, slots=True)
class EngineFault:
    """The engine reports an error, or sends `done` without a move."""

    message: str


EngineMessage = Wait | Ready | Pong | Info | Done | EngineFault

State = Literal["new", "greeted", "waits", "starts", "idle", "thinks"]


@dataclass(slots=True)
class Client:
    """The state of a conversation with one engine; `rules` are required before it can play."""

    rules: Rules | None = None
    state: State = "new"
    name: str = ""
    """The engine's name and version; "" until it has introduced itself."""
    parameters: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """Its parameters by name, with their attributes (value, type, min, max, values)."""

    def greet(self) -> list[str]:
        """Start the conversation."""
        self.state = "greeted"
        return ["hub"]

    def prepare(self, values: Mapping[str, str]) -> list[str]:
        """Set parameters, including the rules, and let the engine get ready.

        Raises HubError for an unknown parameter and for rules that the engine does not support.
        """
        settings = self._variant() | dict(values)
        for name in settings:
            if name not in self.parameters:
                available = ", ".join(self.parameters) or "none"
                raise HubError(f"it has no parameter {name!r}; it has {available}"[:500])
        self.state = "starts"
        return [
            *(write("set-param", name=name, value=value) for name, value in settings.items()),
            "init",
        ]

    def supported_rules(self) -> tuple[str, ...]:
        """Return the names of the shipped rule sets that the engine supports."""
        names = rule_sets.names()
        if "variant" not in self.parameters:
            return tuple(name for name in names if variant.hub_name(name) == variant.STANDARD)
        supported = self.parameters["variant"].get("values", "").split()
        return tuple(n for n in names if n in supported or variant.hub_name(n) in supported)

    def think(self, board: Board, limits: SearchLimits, *, new_game: bool) -> list[str]:
        """Request a move on a board; the earlier moves are sent with it."""
        self.state = "thinks"
        root, stack = _since_huff(board)
        moves = " ".join(move.hub() for move in stack)
        start = position.write(root)
        level = {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "move-time": None if limits.seconds is None else f"{limits.seconds:g}",
        }
        level_arguments = {name: value for name, value in level.items() if value is not None}
        return [
            *(["new-game"] if new_game else []),
            write("pos", pos=start, moves=moves) if moves else write("pos", pos=start),
            write("level", **level_arguments) if level_arguments else "level infinite",
            "go think",
        ]

    def parse(self, text: str) -> EngineMessage | None:
        """Parse a line; return None for a line to ignore.

        Unknown lines are ignored, as the protocol demands; so are unexpected lines, such as
        information about a search that has ended.
        """
        try:
            line = parse(text)
        except HubError:
            return None
        if line is None:
            return None
        match line.command, self.state:
            case "id", "greeted":
                introduction = (line.arguments.get("name", ""), line.arguments.get("version", ""))
                self.name = plain(" ".join(filter(None, introduction)), 80).strip()
            case "param", "greeted" if len(self.parameters) < _MAX_PARAMETERS:
                self.parameters[line.arguments.get("name", "")] = line.arguments
            case "wait", "greeted":
                self.state = "waits"
                return Wait()
            case "ready", "starts":
                self.state = "idle"
                return Ready()
            case "info", "thinks":
                return _info(line)
            case "done", "thinks":
                self.state = "idle"
                return _done(line)
            case "pong", _:
                return Pong()
            case "error", _:
                return EngineFault(line.arguments.get("message", "")[:200] or "an error")
        return None

    def _variant(self) -> dict[str, str]:
        """Return the parameter that selects the rules, if any is needed."""
        if self.rules is None:
            raise HubError("no rules were given")
        hub_name = variant.name_of(self.rules)
        if "variant" not in self.parameters:
            # Only the protocol's original game needs no name.
            if hub_name == variant.STANDARD:
                return {}
            raise HubError(f"it plays only {variant.STANDARD} draughts, not {hub_name}")
        supported = self.parameters["variant"].get("values", "").split()
        for name in (hub_name, self.rules.name):
            if name in supported or not supported:
                return {"variant": name}
        raise HubError(f"it does not play {hub_name}, but {', '.join(supported)}"[:500])


def _done(line: Line) -> Done | EngineFault:
    if "move" not in line.arguments:
        return EngineFault("done without a move")
    return Done(line.arguments["move"], line.arguments.get("ponder"))


def _info(line: Line) -> Info:
    men = _number(line, "score")
    depth, nodes = _number(line, "depth"), _number(line, "nodes")
    return Info(
        depth=None if depth is None else int(depth),
        score=None if men is None else score.read(men),
        nodes=None if nodes is None else int(nodes),
        seconds=_number(line, "time"),
        pv=tuple(line.arguments.get("pv", "").split()),
    )


def _number(line: Line, name: str) -> float | None:
    try:
        value = float(line.arguments[name])
    except (KeyError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _since_huff(board: Board) -> tuple[Board, list[Move]]:
    """Return the board after the last huff, or else the start, and the moves since.

    A Hub position cannot be reached by a huff.
    """
    stack: list[Move] = []
    for step in reversed(board.steps):
        if isinstance(step, int):
            break
        stack.append(step)
    else:
        return board.root(), stack[::-1]
    root = board.copy()
    for _ in stack:
        root.pop()
    if stack:  # The first of these moves includes the huff.
        root.huff(step)
    return root, stack[::-1]
