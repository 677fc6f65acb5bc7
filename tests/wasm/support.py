"""Support for tests of the browser's kernel: its builds, and recorded calls."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
LIBRARY: Final = ROOT / "build" / "site" / "libdamka_flat.so"
WASM: Final = {
    "plain": ROOT / "build" / "wasm" / "damka.wasm",
    "simd": ROOT / "build" / "wasm" / "damka-simd.wasm",
}

TIME: Final = slice(16, 24)
"""The seconds in the output of a search."""


def built(path: Path) -> Path:
    """Return a file that `make test` builds."""
    assert path.exists(), f"{path.name} is not built: run `make wasm site-tests`"
    return path


@dataclass
class Recorder:
    """Wraps a kernel and records its calls with their results."""

    wrapped: Any
    calls: list[tuple[str, bytes, tuple[int, ...], int, bytes]] = field(default_factory=list)
    recording: bool = True

    def call(self, name: str, data: bytes, numbers: tuple[int, ...]) -> int:
        n: int = self.wrapped.call(name, data, numbers)
        if not self.recording:
            return n
        output = self.wrapped.output(n) if has_output(name, n) else b""
        self.calls.append((name, data, numbers, n, masked(name, output)))
        return n

    def written(self) -> bytes:
        """Return the calls as a file that `replay.js` reads."""
        parts = []
        for name, data, numbers, n, output in self.calls:
            parts += [
                struct.pack("<B", len(name)) + name.encode(),
                struct.pack("<I", len(data)) + data,
                struct.pack(f"<B{len(numbers)}i", len(numbers), *numbers),
                struct.pack("<iI", n, len(output)) + output,
            ]
        return b"".join(parts)


def has_output(name: str, n: int) -> bool:
    """Return whether the result of a call is the size of its output."""
    return n > 0 and name in OUTPUTS


OUTPUTS: Final = frozenset(
    {
        "damka_begin",
        "damka_counts",
        "damka_evaluate",
        "damka_fields",
        "damka_fingerprint",
        "damka_huff",
        "damka_indices",
        "damka_moves",
        "damka_pdn_play",
        "damka_perft",
        "damka_pieces",
        "damka_place",
        "damka_play",
        "damka_remove",
        "damka_routes",
        "damka_search",
        "damka_squares",
        "damka_tables_add",
        "damka_tables_probe",
        "damka_tensor",
        "damka_weight_count",
    }
)


def masked(name: str, output: bytes) -> bytes:
    """Return the output of a call without the elapsed time."""
    if name != "damka_search" or len(output) < TIME.stop:
        return output
    return output[: TIME.start] + bytes(8) + output[TIME.stop :]
