"""What can be wrong with an engine that is another program."""

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
    """Return what a program said as it may be shown: printable, in one line, and not too much."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in text[:most])
    return shown if len(text) <= most else f"{shown[:-1]}…"


class EngineError(DamkaError):
    """An engine that does not do its part.

    `engine` is its name, or its command where it has not told one; `what` says what is wrong.
    """

    kind = "error"
    """One word for the kind of fault: silent, slow, move, garbage, dead, unfit, end."""

    def __init__(self, engine: str, what: str) -> None:
        self.engine = plain(engine)
        self.what = plain(what)
        super().__init__(f"{self.engine}: {self.what}")


class EngineSilentError(EngineError):
    """It says nothing."""

    kind = "silent"


class EngineSlowError(EngineError):
    """It answers, but has no move when its time is long over."""

    kind = "slow"


class EngineMoveError(EngineError):
    """It plays a move that the rules forbid."""

    kind = "move"


class EngineGarbageError(EngineError):
    """What it says is not in the protocol, or beyond every measure."""

    kind = "garbage"


class EngineDeadError(EngineError):
    """It is not there: it did not start, has ended, or the connection is gone."""

    kind = "dead"


class EngineUnfitError(EngineError):
    """It does not play these rules."""

    kind = "unfit"


class EngineEndError(EngineError):
    """It ends the game instead of moving: it gives up, or says what it thinks the result is."""

    kind = "end"

    def __init__(self, engine: str, what: str, *, resigns: bool = False) -> None:
        super().__init__(engine, what)
        self.resigns = resigns
