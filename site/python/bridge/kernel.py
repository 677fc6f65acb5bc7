"""Calls of the kernel: bytes and numbers in, a number or bytes out; error codes as exceptions.

`core/wasm` documents the input and output of each call. The kernel is a shared library, or
WebAssembly in a browser.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = [
    "REQUEST_DEPTH",
    "REQUEST_SETUP",
    "Host",
    "KernelError",
    "Object",
    "call",
    "call_bytes",
    "with_host",
    "write_input",
]

BAD_NUMBER = -4
ILLEGAL = -5
TOO_COMPLEX = -6
NO_MEMORY = -8
NOT_PLAYED = -9
DAMAGED = -10
OTHER_RULES = -11
STOPPED = -12

REQUEST_POLL, REQUEST_DEPTH, REQUEST_SETUP = 1, 2, 3

Host = Callable[[int, bytes], int]
"""Callback for the kernel's requests during a call, from (request, output) to a number."""


class KernelError(RuntimeError):
    """The kernel refused a call, with a code and an optional reason."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(reason or f"kernel error {code}")
        self.code = code
        self.reason = reason


class Backing(Protocol):
    """Backend that runs the kernel."""

    def call(self, name: str, data: bytes, numbers: tuple[int, ...], /) -> int:
        """Call with `data` as the input; return the kernel's number."""

    def output(self, n: int, /) -> bytes:
        """Return `n` bytes of the output of the last call."""

    def write(self, data: bytes, /) -> None:
        """Write the input, as the answer to a request."""

    def set_host(self, host: Host | None, /) -> Host | None:
        """Set the host of this thread's calls; return the previous one."""


def _open() -> Backing:
    if sys.platform == "emscripten":
        from .in_browser import Browser  # noqa: PLC0415  needs Pyodide

        return Browser()
    from .in_library import Library  # noqa: PLC0415  not in a browser

    return Library()


_backing: Backing = _open()
_call = _backing.call
_output = _backing.output
write_input = _backing.write


def call(name: str, data: bytes, *numbers: int) -> int:
    """Call a kernel function; return its result. Raises KernelError or the errors of `_raise`."""
    n = _call(name, data, numbers)
    if n < 0:
        _raise(n)
    return n


def call_bytes(name: str, data: bytes, *numbers: int) -> bytes:
    """Call a kernel function; return its output. Raises like `call`."""
    n = _call(name, data, numbers)
    if n <= 0:
        if n < 0:
            _raise(n)
        return b""
    return _output(n)


def with_host(host: Host, name: str, data: bytes, *numbers: int) -> int:
    """Call the kernel like `call`, with a host for its requests."""
    before = _backing.set_host(host)
    try:
        return call(name, data, *numbers)
    finally:
        _backing.set_host(before)


def output(n: int) -> bytes:
    """Return the output of the last call, which has `n` bytes."""
    return _output(n)


def _raise(code: int) -> NoReturn:
    if code == TOO_COMPLEX:
        from damka.errors import PositionTooComplexError  # noqa: PLC0415  loaded after this module

        raise PositionTooComplexError
    if code == NO_MEMORY:
        raise MemoryError
    reason = ""
    if code in {NOT_PLAYED, DAMAGED}:
        reason = _output(_call("damka_output_size", b"", ())).decode("utf-8", "replace")
    raise KernelError(code, reason)


class Object:
    """Handle of a kernel object; deleting it frees the object."""

    __slots__ = ("__weakref__", "handle")

    def __init__(self, name: str, data: bytes, *numbers: int) -> None:
        self.handle = 0
        self.handle = call(name, data, *numbers)

    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if handle:
            _call("damka_free", b"", (handle,))
