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


class _ThreadState(threading.local):
    """Per-thread state: the host of its calls, and the exception that the host raised."""

    host: Host | None = None
    raised: BaseException | None = None
    is_set = False


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
        self._state = _ThreadState()
        self._answer = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int32)(
            self._on_request
        )

    def call(self, name: str, data: bytes, numbers: tuple[int, ...]) -> int:
        if data:
            self.write(data)
        function = self._functions.get(name)
        if function is None:
            library = self._long if name in _LONG else self._short
            function = self._functions[name] = getattr(library, name)
        n: int = function(*numbers)
        if self._state.raised is not None:
            raised, self._state.raised = self._state.raised, None
            raise raised
        return n

    def output(self, n: int) -> bytes:
        return ctypes.string_at(self._output(), n)

    def write(self, data: bytes) -> None:
        buffer = self._input(len(data))
        if not buffer:
            raise MemoryError
        ctypes.memmove(buffer, data, len(data))

    def set_host(self, host: Host | None) -> Host | None:
        state = self._state
        if not state.is_set:
            self._short.damka_set_host(self._answer)
            state.is_set = True
        before, state.host = state.host, host
        return before

    def _on_request(self, request: int, n: int) -> int:
        state = self._state
        if state.host is None:
            return -1
        try:
            return state.host(request, self.output(n) if n else b"")
        except BaseException as error:
            state.raised = error
            return -1
