"""Errors of external engines."""

from __future__ import annotations

from damka.errors import DamkaError

__all__ = [
    "EngineDeadError",
    "EngineEndError",
    "EngineError",
    "EngineGarbageError",
    "EngineMoveError",
    "EngineSilentError",
    "EngineSlowError",
    "EngineUnfitError",
    "plain",
]


def plain(text: str, max_length: int = 500) -> str:
    """Sanitize a program's text: printable, one line, at most `max_length` characters."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in text[:max_length])
    return printable if len(text) <= max_length else f"{printable[:-1]}…"


class EngineError(DamkaError):
    """A fault of an engine.

    `engine` is its name, or its command if its name is unknown; `what` describes the fault.
    """

    kind = "error"
    """One word for the kind of fault: silent, slow, move, garbage, dead, unfit, end."""

    def __init__(self, engine: str, what: str) -> None:
        self.engine = plain(engine)
        self.what = plain(what)
        super().__init__(f"{self.engine}: {self.what}")


class EngineSilentError(EngineError):
    """The engine does not answer."""

    kind = "silent"


class EngineSlowError(EngineError):
    """The engine answers, but does not move within its time."""

    kind = "slow"


class EngineMoveError(EngineError):
    """The engine plays an illegal move."""

    kind = "move"


class EngineGarbageError(EngineError):
    """The engine violates the protocol, or exceeds its limits."""

    kind = "garbage"


class EngineDeadError(EngineError):
    """The engine did not start or has exited, or the connection is lost."""

    kind = "dead"


class EngineUnfitError(EngineError):
    """The engine does not play these rules."""

    kind = "unfit"


class EngineEndError(EngineError):
    """The engine ends the game instead of moving: it resigns or claims a result."""

    kind = "end"

    def __init__(self, engine: str, what: str, *, resigns: bool = False) -> None:
        super().__init__(engine, what)
        self.resigns = resigns
