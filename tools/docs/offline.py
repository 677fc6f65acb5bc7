"""Look whether pages load anything from elsewhere: `python -m tools.docs.offline FOLDER`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

__all__ = ["loads"]

_REMOTE: Final = r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'>)]*"
_TAG: Final = re.compile(
    rf"<(?:script|link|img|iframe|source|video|audio|embed|object|image|use)\b[^>]*?"
    rf"\s(?:src|href|data|srcset|xlink:href)\s*=\s*[\"']?({_REMOTE})",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(rf"(?:url\(\s*[\"']?|@import\s+[\"'])({_REMOTE})", re.IGNORECASE)


def loads(text: str) -> list[str]:
    """Return the addresses that a page or a style sheet loads from elsewhere; links are none.

    >>> loads('<a href="https://a.org">a</a><script defer src="https://b.org/x.js"></script>')
    ['https://b.org/x.js']
    >>> loads("@font-face { src: url(//c.org/font.woff2) }")
    ['//c.org/font.woff2']
    """
    return _TAG.findall(text) + _STYLE.findall(text)


def main(folder: Path) -> int:
    """Name what is loaded; return how many pages load something, or 1 where there are none."""
    pages = [path for path in folder.rglob("*") if path.suffix in {".html", ".css", ".svg"}]
    guilty = 0 if pages else 1
    for path in sorted(pages):
        found = loads(path.read_text("utf-8"))
        guilty += bool(found)
        for address in found:
            print(f"{path.relative_to(folder)} loads {address}", file=sys.stderr)
    return guilty


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
