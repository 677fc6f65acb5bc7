"""Write the readme for the package index from README.md, which has relative links.

    .venv/bin/python -m tools.wheels.readme     # the one in git: without these links
    python tools/wheels/readme.py ADDRESS       # before a release is built

An index shows only the readme. With the address of the repository the links point there, and
pyproject.toml gets project URLs; without it they become plain text, and pictures are omitted.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

__all__ = ["main", "rewritten", "urls"]

ROOT: Final = Path(__file__).parents[2]
FILE: Final = Path("tools/wheels/readme.md")

_COMMENT: Final = re.compile(r"<!--.*?-->\n*", re.DOTALL)
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_ABSOLUTE: Final = re.compile(r"https?://|#")
_EMPTY: Final = re.compile(r"\n{3,}")


def rewritten(text: str, repository: str | None = None) -> str:
    """Return a readme with absolute links, or without the relative ones.

    >>> rewritten("[Rules](docs/rules/README.md) of ![a board](board.png)")
    'Rules of '
    >>> rewritten("[Rules](docs/rules/README.md) of ![a board](board.png)", "https://example.org/d")
    '[Rules](https://example.org/d/blob/HEAD/docs/rules/README.md) of ![a board](https://example.org/d/raw/HEAD/board.png)'
    """

    def link(match: re.Match[str]) -> str:
        sign, label, target = match.groups()
        if _ABSOLUTE.match(target):
            return match[0]
        if repository is not None:
            kind = "raw" if sign else "blob"
            return f"{sign}[{label}]({repository}/{kind}/HEAD/{target})"
        return "" if sign else label

    return _EMPTY.sub("\n\n", _LINK.sub(link, _COMMENT.sub("", text)))


def urls(repository: str) -> str:
    """Return the project URLs as a table of pyproject.toml."""
    pages = {
        "Repository": repository,
        "Documentation": f"{repository}/blob/HEAD/docs/index.md",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
    return "[project.urls]\n" + "".join(f'{name} = "{url}"\n' for name, url in pages.items())


def main(repository: str | None = None, root: Path = ROOT) -> None:
    """Write the readme and, with an address, the URLs in pyproject.toml.

    Raises SystemExit for an invalid address.
    """
    if repository is not None and not re.fullmatch(r"https://[\w.-]+(?:/[\w.~-]+)+", repository):
        sys.exit(
            f"{repository!r} is not the address of a repository, such as https://HOST/OWNER/NAME"
        )
    text = (root / "README.md").read_text("utf-8")
    (root / FILE).write_text(rewritten(text, repository), "utf-8")
    if repository is None:
        return
    project = root / "pyproject.toml"
    settings = project.read_text("utf-8")
    if "[project.urls]" not in settings:
        settings = settings.replace(
            "[project.scripts]", f"{urls(repository)}\n[project.scripts]", 1
        )
        project.write_text(settings, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
