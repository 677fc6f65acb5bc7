"""External engines configured by the operator, over the Hub protocol or DXP.

An engine is started when a game first needs it, reused for the next move, and restarted after a
fault. Every fault raises EngineError within a limited time.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka import rules as rule_sets
from damka.engine.external import (
    EngineDeadError,
    EngineUnfitError,
    ExternalEngine,
    Protocol,
    connect,
    introduce,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.engine import Stop
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["MAX_NAME", "ConfiguredEngine", "ExternalEngines", "configure"]

MAX_NAME: Final = 40
_DXP: Final = "dxp:"


@dataclass(frozen=True, slots=True)
class ConfiguredEngine:
    """Engine for the rule sets named in `rules`; `target` is as in `connect`."""

    name: str
    target: str
    protocol: Protocol
    rules: tuple[str, ...]


def configure(text: str, patience: float = 20.0) -> ConfiguredEngine:
    """Return the engine described by "NAME=COMMAND" or "NAME=dxp:HOST:PORT", after probing it.

    Raises ValueError for any other text, EngineError when the engine does not respond or plays no
    supported game.
    """
    name, equals, target = text.partition("=")
    name, target = name.strip(), target.strip()
    if not (equals and target and name.isprintable() and 1 <= len(name) <= MAX_NAME):
        raise ValueError(f"expected NAME=COMMAND or NAME={_DXP}HOST:PORT, not {text[:80]!r}")
    protocol: Protocol = "dxp" if target.startswith(_DXP) else "hub"
    target = target.removeprefix(_DXP)
    introduction = introduce(target, protocol, patience=patience)
    if not introduction.rules:
        raise EngineUnfitError(introduction.name, "it plays no supported game")
    return ConfiguredEngine(name, target, protocol, introduction.rules)


class ExternalEngines:
    """External engines of one server: `seconds` for each move, at most `at_once` at a time."""

    def __init__(
        self, configured: Sequence[ConfiguredEngine], seconds: float, at_once: int
    ) -> None:
        self._engines: Final = {engine.name: engine for engine in configured}
        self._seconds: Final = seconds
        self.at_once: Final = at_once
        self._lock: Final = threading.Lock()
        self._closed = False
        self._idle: list[tuple[str, ExternalEngine]] = []

    def plays(self, name: str, rules: Rules) -> bool:
        """Return whether the engine exists and plays these rules, with or without huffing."""
        engine = self._engines.get(name)
        if engine is None or rules.name not in engine.rules:
            return False
        shipped = rule_sets.load(rules.name)
        return rules.replace(obligation=shipped.obligation) == shipped

    def choose(self, name: str, game: Game, stop: Stop) -> Move:
        """Return an engine's move. Raises EngineError, also for an unknown engine."""
        engine = self._acquire(name, game.rules)
        try:
            return engine.choose(game, self._seconds, stop=stop)
        finally:
            self._release(name, engine)

    def close(self) -> None:
        """Close all engines."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for _, engine in idle:
            engine.close()

    def _acquire(self, name: str, rules: Rules) -> ExternalEngine:
        configured_engine = self._engines.get(name)
        if configured_engine is None or not self.plays(name, rules):
            raise EngineDeadError(name, "is not configured on this server")
        with self._lock:
            for index, (idle_name, engine) in enumerate(self._idle):
                if idle_name == name and engine.rules.name == rules.name:
                    del self._idle[index]
                    return engine
        return connect(
            configured_engine.target, configured_engine.protocol, rule_sets.load(rules.name)
        )

    def _release(self, name: str, engine: ExternalEngine) -> None:
        surplus: list[ExternalEngine] = []
        with self._lock:
            if engine.closed or self._closed:
                surplus.append(engine)
            else:
                self._idle.append((name, engine))
                while len(self._idle) > self.at_once:
                    surplus.append(self._idle.pop(0)[1])
        for each in surplus:
            each.close()
