"""The engine side of the Hub protocol, without input, output, threads or clocks.

`Session.receive` returns the effects of a line, in order; `info` and `done` format the results of a
search. Source: the description of Hub, version 2, that comes with Scan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Literal

from damka.board import Board
from damka.engine.hub import level as levels
from damka.engine.hub import position, score, variant
from damka.engine.hub.level import Level
from damka.engine.hub.line import HubError, Line, parse, write
from damka.engine.protocol_moves import parse_move
from damka.engine.search import CONTEMPT, MAX_CONTEMPT, MAX_HASH_MB, MAX_THREADS
from damka.errors import DamkaError

if TYPE_CHECKING:
    from damka.engine.search import Analysis
    from damka.rules import Rules

__all__ = [
    "ClearHash",
    "Effect",
    "PonderHit",
    "Quit",
    "Search",
    "Session",
    "Setup",
    "Stop",
    "WriteLine",
]

_AUTHOR: Final = "the Damka authors"
_VERSION: Final = version("damka")

Mode = Literal["think", "ponder", "analyze"]

_PARAMETERS: Final = frozenset({"variant", "win-score", "hash", "threads", "contempt"})
_DURING_SEARCH: Final = frozenset({"ping", "ponder-hit", "stop", "quit"})


@dataclass(frozen=True, slots=True)
class WriteLine:
    """Write a line."""

    line: str


@dataclass(frozen=True, slots=True)
class Search:
    """Search `board` within `level`; when pondering, without its time limits."""

    board: Board
    level: Level
    mode: Mode


@dataclass(frozen=True, slots=True)
class PonderHit:
    """The pondered move was played: the time limits of `level` apply from now on."""

    level: Level


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the search."""


@dataclass(frozen=True, slots=True)
class ClearHash:
    """Clear the transposition table."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Setup:
    """Set the hash size in MiB, the threads, and the contempt in games."""

    hash_mb: int
    threads: int
    contempt: int = CONTEMPT


@dataclass(frozen=True, slots=True)
class Quit:
    """Stop the search and quit the program."""


SETUP: Final = Setup(hash_mb=64, threads=1)

Effect = WriteLine | Search | PonderHit | Stop | ClearHash | Setup | Quit


class Session:
    """One conversation; `rules` apply until the parameter `variant` changes them.

    The answer to an invalid line is `error message="…"`, and the state is unchanged. Unknown
    commands, arguments and parameters are ignored, as the protocol demands. `level` lines between
    two searches or positions accumulate; without a new one the last level remains.
    """

    def __init__(self, rules: Rules, setup: Setup = SETUP) -> None:
        self._initial_rules: Final = rules
        self._setup = setup
        self._board = Board(rules)
        self._level = Level()
        self._level_ended = True
        self._win_score = score.WIN_SCORES[0]
        self._mode: Mode | None = None

    @property
    def rules(self) -> Rules:
        """The current rules."""
        return self._board.rules

    @property
    def searching(self) -> bool:
        """Whether a search is running; `done` or `failed` ends it."""
        return self._mode is not None

    def receive(self, text: str) -> list[Effect]:
        """Return the effects of a line."""
        try:
            line = parse(text)
            if line is None:
                return []
            command = self._COMMANDS.get(line.command)
            if command is not None and self._must_wait(line):
                raise HubError(f"{line.command}: a search is running; stop it first")
            return [] if command is None else command(self, line)
        except DamkaError as error:
            return [WriteLine(write("error", message=error))]

    def interrupts(self, text: str) -> bool:
        """Whether a line stops the running search, and must wait until it has ended.

        As with Scan, a client may send the next position right after `stop`, or without it.
        """
        try:
            line = parse(text)
        except HubError:
            return False
        return line is not None and line.command in self._COMMANDS and self._must_wait(line)

    def _must_wait(self, line: Line) -> bool:
        return self.searching and line.command not in _DURING_SEARCH

    def info(self, analysis: Analysis) -> str:
        """Return the `info` line of a completed depth."""
        return write(
            "info",
            depth=analysis.depth,
            score=score.write(analysis.score, self._win_score),
            nodes=analysis.nodes,
            time=f"{analysis.seconds:.3f}",
            nps=f"{analysis.nodes / max(analysis.seconds, 1e-3) / 1e6:.3f}",
            pv=" ".join(move.hub() for move in analysis.pv),
        )

    def done(self, analysis: Analysis) -> str:
        """Return the line that ends the search."""
        self._mode = None
        if analysis.move is None:
            return write("done")
        if len(analysis.pv) > 1:
            return write("done", move=analysis.move.hub(), ponder=analysis.pv[1].hub())
        return write("done", move=analysis.move.hub())

    def failed(self, error: Exception) -> str:
        """Return the error line of a failed search."""
        self._mode = None
        return write("error", message=f"the search failed: {error}"[:300])

    # Commands

    def _hub(self, _: Line) -> list[Effect]:
        variants = " ".join(variant.names(self._initial_rules))
        own = variant.name_of(self._initial_rules)
        return [
            WriteLine(write("id", name="Damka", version=_VERSION, author=_AUTHOR)),
            WriteLine(write("param", name="variant", value=own, type="enum", values=variants)),
            WriteLine(
                write(
                    "param",
                    name="win-score",
                    value=self._win_score,
                    type="enum",
                    values=" ".join(map(str, score.WIN_SCORES)),
                )
            ),
            *(
                WriteLine(write("param", name=name, value=value, type="int", min=low, max=high))
                for name, value, low, high in (
                    ("hash", self._setup.hash_mb, 1, MAX_HASH_MB),
                    ("threads", self._setup.threads, 1, MAX_THREADS),
                    ("contempt", self._setup.contempt, 0, MAX_CONTEMPT),
                )
            ),
            WriteLine(write("wait")),
        ]

    def _init(self, _: Line) -> list[Effect]:
        return [self._setup, WriteLine(write("ready"))]

    def _set_param(self, line: Line) -> list[Effect]:
        name = _argument(line, "name")
        if name not in _PARAMETERS:
            return []
        value = _argument(line, "value")
        if name == "variant":
            self._board = Board(variant.find(value, self._initial_rules))
            return [ClearHash()]
        if name == "win-score":
            choices = {str(win): win for win in score.WIN_SCORES}
            if value not in choices:
                raise HubError(f"{name} must be one of {', '.join(choices)}, not {value[:40]!r}")
            self._win_score = choices[value]
            return []
        if name == "hash":
            self._setup = replace(self._setup, hash_mb=_number(name, value, 1, MAX_HASH_MB))
        elif name == "threads":
            self._setup = replace(self._setup, threads=_number(name, value, 1, MAX_THREADS))
        else:
            self._setup = replace(self._setup, contempt=_number(name, value, 0, MAX_CONTEMPT))
        return [self._setup]

    def _pos(self, line: Line) -> list[Effect]:
        pieces = line.arguments.get("pos", "start")
        rules = self._board.rules
        board = Board(rules) if pieces == "start" else position.read(rules, pieces)
        for number, text in enumerate(line.arguments.get("moves", "").split(), 1):
            try:
                board.push_unchecked(parse_move(board, text))
            except DamkaError as error:
                raise HubError(f"move {number}, {text[:40]}: {error}") from error
        self._board = board
        self._level_ended = True
        return []

    def _set_level(self, line: Line) -> list[Effect]:
        if levels.NAMES.isdisjoint(line.arguments):
            return []
        base = Level() if self._level_ended else self._level
        self._level = levels.read(line.arguments, base)
        self._level_ended = False
        return []

    def _go(self, line: Line) -> list[Effect]:
        # If a line has several modes, the one that searches longest counts.
        modes: tuple[Mode, ...] = ("analyze", "ponder", "think")
        mode: Mode = next((mode for mode in modes if mode in line.arguments), "think")
        self._level_ended = True
        if not self._board.has_legal_moves:
            return [WriteLine(write("done"))]
        self._mode = mode
        return [Search(self._board.copy(), self._level, mode)]

    def _ponder_hit(self, _: Line) -> list[Effect]:
        # The search may have ended before this line arrived.
        if self._mode != "ponder":
            return []
        self._mode = "think"
        return [PonderHit(self._level)]

    def _stop(self, _: Line) -> list[Effect]:
        return [Stop()] if self.searching else []

    def _new_game(self, _: Line) -> list[Effect]:
        return [ClearHash()]

    def _ping(self, _: Line) -> list[Effect]:
        return [WriteLine(write("pong"))]

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


def _number(name: str, value: str, low: int, high: int) -> int:
    if not (value.isascii() and value.isdecimal() and low <= int(value[:9]) <= high):
        raise HubError(f"{name} must be a whole number from {low} to {high}, not {value[:40]!r}")
    return int(value)


def _argument(line: Line, name: str) -> str:
    if name not in line.arguments:
        raise HubError(f"{line.command} needs {name}=…")
    return line.arguments[name]
