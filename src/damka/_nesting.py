"""Check of the nesting depth of JSON from outside, made before parsing.

A JSON parser calls itself for every nested bracket. CPython ends that with
RecursionError; in a browser it can use up the stack of JavaScript, which ends Python itself.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["DEEPEST", "is_deep"]

DEEPEST: Final = 64
"""Maximum nesting depth."""

_NO_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[^][{}"]+', re.DOTALL)


def is_deep(data: bytes) -> bool:
    """Return whether more than `DEEPEST` brackets are open at once, as far as `data` is JSON.

    >>> is_deep(b"[" * 65), is_deep(b'{"brackets": "[[["}')
    (True, False)
    """
    depth = 0
    for byte in _NO_BRACKETS.sub(b"", data):
        depth += 1 if byte in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False
