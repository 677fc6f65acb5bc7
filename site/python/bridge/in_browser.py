"""The WebAssembly kernel in Pyodide, called through the JavaScript module `damka_kernel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import damka_kernel
from pyodide.ffi import create_proxy, to_js

if TYPE_CHECKING:
    from .kernel import Host

__all__ = ["Browser"]


class Browser:
    """Kernel in a browser: one thread, one call at a time."""

    def __init__(self) -> None:
        self._call: Any = damka_kernel.call
        self._output: Any = damka_kernel.output
        self._host: Host | None = None
        self._raised: BaseException | None = None
        damka_kernel.setHost(create_proxy(self._on_request))

    def call(self, name: str, data: bytes, numbers: tuple[int, ...]) -> int:
        n: int = self._call(name, to_js(data) if data else None, *numbers)
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        return n

    def output(self, n: int) -> bytes:
        data: bytes = self._output(n).to_bytes()
        return data

    def write(self, data: bytes) -> None:
        damka_kernel.write(to_js(data))

    def set_host(self, host: Host | None) -> Host | None:
        before, self._host = self._host, host
        return before

    def _on_request(self, request: int, n: int) -> int:
        if self._host is None:
            return 0 if request == 1 else -1
        try:
            return self._host(request, self.output(n) if n else b"")
        except BaseException as error:
            self._raised = error
            return -1
