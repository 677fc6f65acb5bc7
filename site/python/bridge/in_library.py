"""The kernel as a shared library, for tests: `DAMKA_LIBRARY` is its path."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .kernel import Host

__all__ = ["Library"]

_LONG = frozenset({"damka_search", "damka_perft"})
"""Calls during which other threads may run."""


class _Here(threading.local):
    """Per-thread state: the host of its calls, and the exception that the host raised."""

    host: Host | None = None
    raised: BaseException | None = None
    known = False


class Library:
    """Kernel in a shared library."""

    def __init__(self) -> None:
        path = os.environ["DAMKA_LIBRARY"]
        self._short = ctypes.PyDLL(path)
        self._long = ctypes.CDLL(path)
        self._functions: dict[str, Any] = {}
        self._input = self._short.damka_input
        self._input.restype = ctypes.c_void_p
        self._output = self._short.damka_output
        self._output.restype = ctypes.c_void_p
        self._here = _Here()
        self._answer = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int32)(self._asked)

    def call(self, name: str, data: bytes, numbers: tuple[int, ...]) -> int:
        if data:
            self.write(data)
        function = self._functions.get(name)
        if function is None:
            library = self._long if name in _LONG else self._short
            function = self._functions[name] = getattr(library, name)
        n: int = function(*numbers)
        if self._here.raised is not None:
            raised, self._here.raised = self._here.raised, None
            raise raised
        return n

    def output(self, n: int) -> bytes:
        return ctypes.string_at(self._output(), n)

    def write(self, data: bytes) -> None:
        room = self._input(len(data))
        if not room:
            raise MemoryError
        ctypes.memmove(room, data, len(data))

    def ask(self, host: Host | None) -> Host | None:
        here = self._here
        if not here.known:
            self._short.damka_set_host(self._answer)
            here.known = True
        before, here.host = here.host, host
        return before

    def _asked(self, what: int, n: int) -> int:
        here = self._here
        if here.host is None:
            return -1
        try:
            return here.host(what, self.output(n) if n else b"")
        except BaseException as error:
            here.raised = error
            return -1
