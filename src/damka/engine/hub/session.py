"""The engine's side of the Hub protocol, without input, output, threads or clocks.

`Session.receive` takes a line and returns the effects to carry out, in order; `info` and `done`
write the results of a search. Source: the description of Hub, version 2, that comes with Scan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Literal, cast

from damka.board import Board
from damka.engine.hub import level as levels
from damka.engine.hub import position, variant
from damka.engine.hub.level import Level
from damka.engine.hub.line import HubError, Line, parse, write
from damka.engine.protocol_moves import parse_move
from damka.engine.search import CONTEMPT, MAX_CONTEMPT, MAX_HASH_MB, MAX_THREADS
from damka.errors import DamkaError

if TYPE_CHECKING:
    from damka.engine.search import Analysis
    from damka.rules import Rules

__all__ = [
    "Effect",
    "Forget",
    "Hit",
    "Quit",
    "Say",
    "Search",
    "Session",
    "Setup",
    "Stop",
]

_AUTHOR: Final = "the Damka authors"

Mode = Literal["think", "ponder", "analyze"]


@dataclass(frozen=True, slots=True)
class Say:
    """Write a line."""

    line: str


@dataclass(frozen=True, slots=True)
class Search:
    """Search `board` within `level`; when pondering, without its time limits."""

    board: Board
    level: Level
    mode: Mode


@dataclass(frozen=True, slots=True)
class Hit:
    """The pondered move was played: from now on the time limits of `level` count."""

    level: Level


@dataclass(frozen=True, slots=True)
class Stop:
    """End the search."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Clear the transposition table."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Set the search's hash size in MiB, its threads, and its contempt in games."""

    hash_mb: int
    threads: int
    contempt: int = CONTEMPT


@dataclass(frozen=True, slots=True)
class Quit:
    """End the search and the program."""


SETUP: Final = Setup(hash_mb=64, threads=1)

Effect = Say | Search | Hit | Stop | Forget | Setup | Quit


class Session:
    """One conversation; `rules` are played until the parameter `variant` changes them.

    A wrong line is answered with `error message="…"` and changes nothing; unknown commands and
    arguments are ignored, as the protocol demands.
    """

    def __init__(self, rules: Rules, setup: Setup = SETUP) -> None:
        self._own: Final = rules
        self._setup = setup
        self._board = Board(rules)
        self._level = Level()
        self._mode: Mode | None = None

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._board.rules

    @property
    def searching(self) -> bool:
        """Whether a search is running, which `done` or `failed` will end."""
        return self._mode is not None

    def receive(self, text: str) -> list[Effect]:
        """Return the effects of a line."""
        try:
            line = parse(text)
            if line is None:
                return []
            if self.searching and line.command not in ("ping", "ponder-hit", "stop", "quit"):
                if line.command not in self._COMMANDS:
                    return []
                raise HubError(f"{line.command}: a search is running; stop it first")
            command = self._COMMANDS.get(line.command)
            return [] if command is None else command(self, line)
        except DamkaError as error:
            return [Say(write("error", message=error))]

    def info(self, found: Analysis) -> str:
        """Return the line about a completed depth."""
        return write(
            "info",
            depth=found.depth,
            score=f"{found.score / 100:.2f}",
            nodes=found.nodes,
            time=f"{found.seconds:.3f}",
            nps=f"{found.nodes / max(found.seconds, 1e-3) / 1e6:.3f}",
            pv=" ".join(move.hub() for move in found.pv),
        )

    def done(self, found: Analysis) -> str:
        """Return the line that ends the search."""
        self._mode = None
        if found.move is None:
            return write("error", message="there is no move")
        if len(found.pv) > 1:
            return write("done", move=found.move.hub(), ponder=found.pv[1].hub())
        return write("done", move=found.move.hub())

    def failed(self, error: Exception) -> str:
        """Return the line about a search that failed."""
        self._mode = None
        return write("error", message=f"the search failed: {error}"[:300])

    # Commands

    def _hub(self, _: Line) -> list[Effect]:
        known = " ".join(variant.names(self._own))
        own = variant.name_of(self._own)
        return [
            Say(write("id", name="Damka", version=version("damka"), author=_AUTHOR)),
            Say(write("param", name="variant", value=own, type="enum", values=known)),
            *(
                Say(write("param", name=name, value=value, type="int", min=least, max=most))
                for name, value, least, most in (
                    ("hash", self._setup.hash_mb, 1, MAX_HASH_MB),
                    ("threads", self._setup.threads, 1, MAX_THREADS),
                    ("contempt", self._setup.contempt, 0, MAX_CONTEMPT),
                )
            ),
            Say(write("wait")),
        ]

    def _init(self, _: Line) -> list[Effect]:
        return [self._setup, Say(write("ready"))]

    def _set_param(self, line: Line) -> list[Effect]:
        name, value = _needed(line, "name"), _needed(line, "value")
        if name == "variant":
            self._board = Board(variant.find(value, self._own))
            return [Forget()]
        if name == "hash":
            self._setup = replace(self._setup, hash_mb=_number(name, value, 1, MAX_HASH_MB))
        elif name == "threads":
            self._setup = replace(self._setup, threads=_number(name, value, 1, MAX_THREADS))
        elif name == "contempt":
            self._setup = replace(self._setup, contempt=_number(name, value, 0, MAX_CONTEMPT))
        else:
            known = "variant, hash, threads and contempt"
            raise HubError(f"there is no parameter {name[:40]!r}; there are {known}")
        return [self._setup]

    def _pos(self, line: Line) -> list[Effect]:
        board = position.read(self._board.rules, _needed(line, "pos"))
        for number, text in enumerate(line.arguments.get("moves", "").split(), 1):
            try:
                board.push_unchecked(parse_move(board, text))
            except DamkaError as error:
                raise HubError(f"move {number}, {text[:40]}: {error}") from error
        self._board = board
        return []

    def _set_level(self, line: Line) -> list[Effect]:
        self._level = levels.read(line.arguments)
        return []

    def _go(self, line: Line) -> list[Effect]:
        modes = [mode for mode in ("think", "ponder", "analyze") if mode in line.arguments]
        if len(modes) != 1:
            raise HubError("go takes one of think, ponder and analyze")
        if not self._board.has_legal_moves:
            raise HubError("go: the side to move has no move")
        self._mode = cast("Mode", modes[0])
        return [Search(self._board.copy(), self._level, self._mode)]

    def _ponder_hit(self, _: Line) -> list[Effect]:
        # The search may have ended before this line arrived.
        if self._mode != "ponder":
            return []
        self._mode = "think"
        return [Hit(self._level)]

    def _stop(self, _: Line) -> list[Effect]:
        return [Stop()] if self.searching else []

    def _new_game(self, _: Line) -> list[Effect]:
        self._board = Board(self._board.rules)
        return [Forget()]

    def _ping(self, _: Line) -> list[Effect]:
        return [Say(write("pong"))]

    def _quit(self, _: Line) -> list[Effect]:
        return [Quit()]

    _COMMANDS: Final = {
        "hub": _hub,
        "set-param": _set_param,
        "init": _init,
        "pos": _pos,
        "level": _set_level,
        "go": _go,
        "ponder-hit": _ponder_hit,
        "stop": _stop,
        "new-game": _new_game,
        "ping": _ping,
        "quit": _quit,
    }


def _number(name: str, value: str, least: int, most: int) -> int:
    if not (value.isascii() and value.isdecimal() and least <= int(value[:9]) <= most):
        raise HubError(f"{name} is a whole number from {least} to {most}, not {value[:40]!r}")
    return int(value)


def _needed(line: Line, name: str) -> str:
    if name not in line.arguments:
        raise HubError(f"{line.command} needs {name}=…")
    return line.arguments[name]
