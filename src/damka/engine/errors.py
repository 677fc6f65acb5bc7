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


def plain(text: str, most: int = 500) -> str:
    """Sanitize a program's text for display: printable, one line, at most `most` characters."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in text[:most])
    return shown if len(text) <= most else f"{shown[:-1]}…"


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
    """The engine answers, but exceeds its time without a move."""

    kind = "slow"


class EngineMoveError(EngineError):
    """The engine plays an illegal move."""

    kind = "move"


class EngineGarbageError(EngineError):
    """The engine breaks the protocol or its limits."""

    kind = "garbage"


class EngineDeadError(EngineError):
    """The engine did not start, has ended, or the connection is lost."""

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
