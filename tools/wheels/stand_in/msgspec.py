"""Stands in for msgspec where boards are tested on a Python that msgspec does not know.

msgspec knows free-threaded Pythons from 3.14 on. Damka can be imported with this, and boards, which
do not use msgspec, can be tested; files of games cannot be read.
"""


class Struct:
    """A class that takes what msgspec's takes and does nothing with it."""

    def __init_subclass__(cls, **options: object) -> None:
        """Take the options of a structure."""


class MsgspecError(Exception):
    """As in msgspec."""


class DecodeError(MsgspecError):
    """As in msgspec."""


class ValidationError(DecodeError):
    """As in msgspec."""


class UnsetType:
    """As in msgspec."""


UNSET = UnsetType()


class _Nothing:
    def __init__(self, *given: object, **named: object) -> None:
        pass

    def __getattr__(self, name: str) -> type["_Nothing"]:
        return _Nothing


Meta = _Nothing
json = _Nothing()
structs = _Nothing()
