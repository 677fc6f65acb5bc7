"""Convert the repository's Markdown into pages of the site.

On GitHub, readers follow links. The site also needs tables of contents, names for files included
from outside `docs`, and unique anchors.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from tools.docs.reference import MODULES

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx

__all__ = ["SECTIONS", "adapt", "setup"]

INCLUDED: Final = {
    "../bench/RESULTS": "internals/benchmarks",
    "../CHANGELOG": "internals/changelog",
    "../CONTRIBUTING": "internals/contributing",
    "../README": "index",
    "../src/damka/engine/weights/SOURCE": "internals/weights",
}
"""Files outside `docs` that are pages of the site: relative path and name of the page."""

SECTIONS: Final = (
    "api/README",
    "build/README",
    "coming-from/README",
    "cookbook/README",
    "experiments/README",
    "host/README",
    "internals/README",
    "learn/README",
    "play/README",
    "reference/README",
    "rules/README",
    "start/README",
)
"""Pages whose links form the table of contents of a section.

The entries are the linked pages of the same folder, and links that begin a list item or a table
row.
"""

_LINK: Final = re.compile(r"\]\((?P<path>[^)#:\s]*)(?P<anchor>#[^)\s]*)?\)")
_ENTRY: Final = re.compile(r"^(?:- |\d+\. |\| )\[[^\]\n]*\]\(([^)#\s]+)", re.MULTILINE)
_BLANK: Final = re.compile(r"\n+\n```$", re.MULTILINE)
"""A closing fence, with the preceding blank line that ends the output of an example."""
_HIDDEN: Final = re.compile(r"<!-- (!\[[^\n]*\)) -->")
"""A picture that the repository does not contain."""
_SOURCE: Final = re.compile(r"\.\./src/(damka(?:/\w+)*?)(?:/__init__)?\.py")
"""Source of a module whose page is in the reference."""
_ANCHOR: Final = re.compile(r'<a id="([^"]+)"></a>')


def setup(app: Sphinx) -> None:
    """Register the extension with Sphinx."""
    app.connect("source-read", _read)
    app.connect("include-read", _include)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if app.env.doc2path(page).suffix == ".md":
        source[0] = adapt(page, source[0])


def _include(app: Sphinx, path: Path, stem: str, source: list[str]) -> None:
    if path.suffix == ".md":
        page = app.env.docname  # MyST passes only the stem of the page
        folder = posixpath.relpath((app.srcdir / path).resolve().parent, app.srcdir)
        source[0] = adapt(page, source[0], folder)


def adapt(page: str, text: str, folder: str | None = None) -> str:
    """Return the text of a page of `docs`, adapted for the site.

    `folder` is the source folder of the text, relative to `docs`, if it is not the page's folder.

    >>> adapt("rules/russian", '<a id="goal"></a>')
    '(rules-russian-goal)='
    >>> adapt("rules/russian", '[1](#goal) <a id="goal"></a>')
    '[1](#rules-russian-goal) (rules-russian-goal)='
    >>> adapt("experiments/README", "[figures](../../bench/RESULTS.md)").splitlines()[0]
    '[figures](../internals/benchmarks.md)'
    >>> adapt("tutorial", "[its reasons](../src/damka/game/__init__.py)")
    '[its reasons](api/damka.game.rst)'
    >>> adapt("internals/changelog", "[bot.py](docs/examples/bot.py)", "..").splitlines()[0]
    '[bot.py](../examples/bot.py)'
    >>> adapt("rules/russian", "<!-- ![A king.](diagrams/russian/king.svg) -->")
    '![A king.](diagrams/russian/king.svg)'
    """
    place_of_page = posixpath.dirname(page)
    base = place_of_page if folder is None else folder
    anchors = set(_ANCHOR.findall(text))
    prefix = page.replace("/", "-")
    same_folder: list[str] = []

    def link(match: re.Match[str]) -> str:
        path, anchor = match["path"], match["anchor"] or ""
        source = _SOURCE.fullmatch(posixpath.normpath(posixpath.join(base, path)))
        if source and (module := source[1].replace("/", ".")) in MODULES:
            path = f"{posixpath.relpath('../docs/api', base)}/{module}.rst"
        if not path:
            return f"](#{prefix}-{anchor[1:]})" if anchor[1:] in anchors else match[0]
        if path.endswith((".md", ".rst", ".ipynb")):
            target, _, suffix = path.rpartition(".")
            place = posixpath.normpath(posixpath.join(base, target)).removeprefix("../docs/")
            place = INCLUDED.get(place, place)
            path = f"{posixpath.relpath(place, place_of_page or '.')}.{suffix}"
            if posixpath.dirname(place) == place_of_page and place != page:
                same_folder.append(place)
        elif (place := posixpath.normpath(posixpath.join(base, path))).startswith("../docs/"):
            path = posixpath.relpath(place.removeprefix("../docs/"), place_of_page or ".")
        return f"]({path}{anchor})"

    text = _LINK.sub(link, _HIDDEN.sub(r"\1", text))
    text = _BLANK.sub("\n```", text)
    text = _ANCHOR.sub(lambda match: f"({prefix}-{match[1]})=", text)
    if page in SECTIONS:
        entries = [each.rpartition(".")[0] for each in _ENTRY.findall(text)]
        places = [posixpath.normpath(posixpath.join(place_of_page, each)) for each in entries]
        lines = "".join(f"/{place}\n" for place in dict.fromkeys([*places, *same_folder]))
        text += f"\n\n```{{toctree}}\n:hidden:\n\n{lines}```\n"
    return text
