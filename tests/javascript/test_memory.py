"""Boards use no kernel memory, and rules are freed."""

from __future__ import annotations

from tests.javascript.support import Node


def test_memory_does_not_grow() -> None:
    with Node("--expose-gc") as node:
        usage = node("memory", 10_000, 3000)
    (kernel, heap), (kernel_after, heap_after) = usage["before"], usage["after"]
    assert kernel_after == kernel
    assert heap_after - heap < 2_000_000
    # Garbage-collected rules are freed too, so later ones reuse their memory.
    first, *others = usage["forgotten"]
    assert len(others) == 5
    assert [bytes_ for bytes_, _ in others] == [first[0]] * 5
    assert others[-1][1] - first[1] < 2_000_000
