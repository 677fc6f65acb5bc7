"""Check of the nesting depth of untrusted JSON, before parsing.

JSON parsers are recursive. CPython raises RecursionError when the depth is too large; in a browser
the stack of JavaScript can overflow first, which ends Python itself.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["MAX_DEPTH", "is_too_deep"]

MAX_DEPTH: Final = 64
"""Maximum nesting depth."""

_NO_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[^][{}"]+', re.DOTALL)


def is_too_deep(data: bytes) -> bool:
    """Return whether more than `MAX_DEPTH` brackets of a JSON text are open at once.

    >>> is_too_deep(b"[" * 65), is_too_deep(b'{"brackets": "[[["}')
    (True, False)
    """
    depth = 0
    for byte in _NO_BRACKETS.sub(b"", data):
        depth += 1 if byte in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False
