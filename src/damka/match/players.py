"""Match players, and the strings that specify them.

| text | player |
|---|---|
| `engine` | our search at full strength, with the match's limits |
| `engine:nodes=20000,depth=8` | the same with its own limits, `contempt` and options of `Engine` |
| `level:7` | one of the ten levels, without its time limit |
| `grade:6.25` | a level of that grade (`damka.engine.skill`) |
| `random` | any legal move |
| `oneply` | searches one ply and counts men, a king as three |
| `python:module:function` | a function from a `Game` to a `Move` |
| `commit:1a2b3c4` | the engine of another commit of the repository, built in the cache |
| `hub:COMMAND` | a Hub engine, started by the command |
| `dxp:HOST:PORT` | a DXP engine that listens at the address |
"""

from __future__ import annotations

import importlib
import inspect
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka.engine import Engine, EnginePlayer, LevelPlayer, SearchLimits, levels, skill
from damka.engine.external import EngineError
from damka.engine.search import CONTEMPT, MAX_CONTEMPT
from damka.errors import MatchError
from damka.game import Decision
from damka.match import external, simple_players
from damka.move import Move
from damka.rules import Rules, load
from damka.tablebase import default_folder

if TYPE_CHECKING:
    from damka.engine import Player, Stop
    from damka.game import Game
    from damka.rules import Side

__all__ = ["SPECS", "Answer", "create"]

Answer = Move | Decision
"""Return types of a player function."""

SPECS: Final = (
    "engine",
    "engine:nodes=20000,depth=8",
    "level:1 to level:10",
    "grade:6.25",
    "random",
    "oneply",
    "python:module:function",
    "commit:HASH",
    "hub:COMMAND",
    "dxp:HOST:PORT",
)
"""Examples of the strings that `create` accepts, for its error message."""

_LIMITS: Final = {"nodes": int, "depth": int, "seconds": float}
_HASH_MB: Final = 64
_SMALL_HASH_MB: Final = 4
_SMALL_NODES: Final = 50_000


_Factory = Callable[[str | None, SearchLimits, Rules], "Player"]


def create(spec: str, limits: SearchLimits | None = None, rules: Rules | None = None) -> Player:
    """Create the player that `spec` describes, with `limits` unless the text has its own.

    An external engine plays by `rules`, by default international draughts.

    Raises MatchError for an invalid text or a player that fails to start.
    """
    kind, colon, argument = spec.partition(":")
    factory = _FACTORIES.get(kind)
    if factory is None:
        similar = get_close_matches(kind[:100], _FACTORIES, n=1)
        hint = f"; did you mean {similar[0]}?" if similar else ""
        raise MatchError(f"unknown player {spec!r}{hint} (one of {', '.join(SPECS)})")
    try:
        return factory(
            argument if colon else None, limits or SearchLimits(), rules or load("international")
        )
    except (ValueError, TypeError, EngineError) as error:
        raise MatchError(f"player {spec!r}: {error}") from error


@dataclass(slots=True)
class _FunctionPlayer:
    """A function of a game and a random generator."""

    name: str
    function: Callable[[Game, random.Random], Answer]
    rng: random.Random = field(default_factory=random.Random)

    def begin(self, seed: int) -> None:
        self.rng.seed(seed)

    def choose(
        self, game: Game, seconds: float | None = None, *, stop: Stop | None = None
    ) -> Decision:
        del seconds, stop
        try:
            answer = self.function(game, self.rng)
        except Exception as error:
            raise MatchError(f"{type(error).__name__}: {error}") from error
        return answer if isinstance(answer, Decision) else Decision(move=answer)

    def accepts_draw(self, game: Game, side: Side, *, stop: Stop | None = None) -> bool:
        del game, side, stop
        return False

    def close(self) -> None:
        pass


def _engine(argument: str | None, limits: SearchLimits, _: Rules) -> Player:
    limit_values, options = _options(argument)
    if limit_values:
        limits = SearchLimits(**limit_values)  # type: ignore[arg-type]
    if limits == SearchLimits():
        raise ValueError("the engine needs a limit: nodes, depth or seconds")
    contempt = options.pop("contempt", CONTEMPT)
    if not isinstance(contempt, int) or contempt > MAX_CONTEMPT:
        raise ValueError(f"contempt: 0 to {MAX_CONTEMPT}, not {contempt!r}")
    parameters = inspect.signature(Engine).parameters
    for option in options:
        if option not in parameters:
            names = ", ".join((*_LIMITS, "contempt", *parameters))
            raise ValueError(f"unknown option {option!r}; expected one of {names}")
    options.setdefault("hash_mb", _hash_mb(limits))
    options.setdefault("tablebases", str(default_folder()))
    if options["tablebases"] == "none":
        del options["tablebases"]
    elif "tablebases=" in (argument or "") and not Path(str(options["tablebases"])).is_dir():
        raise ValueError(f"tablebases: no such folder: {str(options['tablebases'])!r}")
    engine = Engine(**options)  # type: ignore[arg-type]
    return EnginePlayer(
        engine, limits, contempt, name=f"engine:{argument}" if argument else "engine"
    )


def _hash_mb(limits: SearchLimits) -> int:
    """Return a hash size for the limits: clearing a large one would take longer than a game."""
    is_small = limits.nodes is not None and limits.nodes <= _SMALL_NODES
    return _SMALL_HASH_MB if is_small else _HASH_MB


def _options(argument: str | None) -> tuple[dict[str, int | float], dict[str, int | str]]:
    """Parse "nodes=20000,depth=8,hash_mb=16" into limits and other options."""
    limits: dict[str, int | float] = {}
    options: dict[str, int | str] = {}
    for part in argument.split(",") if argument else ():
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise ValueError(f"expected {key}=VALUE, not {part!r}")
        if key in _LIMITS:
            try:
                limits[key] = _LIMITS[key](value)
            except ValueError as error:
                raise ValueError(f"{key}: expected a number, not {value!r}") from error
        else:
            options[key] = int(value) if value.isdecimal() else value
    return limits, options


def _level(argument: str | None, _: SearchLimits, rules: Rules) -> Player:
    number = int(argument) if argument is not None and argument.isdecimal() else 0
    if number not in levels.LEVELS:
        raise ValueError(f"expected level:1 to level:{len(levels.LEVELS)}")
    return _level_player(f"level:{number}", skill.level(number, rules))


def _grade(argument: str | None, _: SearchLimits, __: Rules) -> Player:
    return _level_player(f"grade:{argument}", skill.at(float(argument or "nan")))


def _level_player(name: str, level: skill.Level) -> Player:
    """Create a level without its time limit, if it has another, so play is reproducible."""
    if level.limits.nodes is not None or level.limits.depth is not None:
        level = replace(level, limits=replace(level.limits, seconds=None))
    engine = Engine(hash_mb=_hash_mb(level.limits), tablebases=default_folder())
    return LevelPlayer(level, engine, name=name)


def _python(argument: str | None, _: SearchLimits, __: Rules) -> Player:
    module, colon, name = (argument or "").partition(":")
    if not colon:
        raise ValueError("expected python:module:function")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(str(error)) from error
    if not callable(function):
        raise ValueError(f"{name} in {module} is not a function")
    return _FunctionPlayer(f"python:{argument}", lambda game, _: function(game))


def _simple(name: str, function: Callable[[Game, random.Random], Answer]) -> _Factory:
    def factory(argument: str | None, _: SearchLimits, __: Rules) -> Player:
        if argument is not None:
            raise ValueError(f"{name} has no options")
        return _FunctionPlayer(name, function)

    return factory


def _commit(argument: str | None, limits: SearchLimits, rules: Rules) -> Player:
    if not argument:
        raise ValueError("expected commit:HASH")
    return external.commit(argument, limits, rules, _hash_mb(limits))


def _hub(argument: str | None, limits: SearchLimits, rules: Rules) -> Player:
    if not argument:
        raise ValueError("expected hub:COMMAND")
    return external.hub(argument, limits, rules)


def _dxp(argument: str | None, limits: SearchLimits, rules: Rules) -> Player:
    if not argument:
        raise ValueError("expected dxp:HOST:PORT")
    return external.dxp(argument, limits, rules)


_FACTORIES: Final[dict[str, _Factory]] = {
    "engine": _engine,
    "level": _level,
    "grade": _grade,
    "python": _python,
    "random": _simple("random", simple_players.random_move),
    "oneply": _simple("oneply", simple_players.oneply),
    "commit": _commit,
    "hub": _hub,
    "dxp": _dxp,
}
