"""Links of the documentation, of README and of sources lead to pages and headings that exist."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tools.docs.links import SECTIONS, adapt

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILT = {ROOT / "build", ROOT / "dist"}
MARKDOWN = sorted(
    [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "bench" / "RESULTS.md",
        ROOT / "js" / "README.md",
        *(ROOT / "src").rglob("SOURCE.md"),
        *DOCS.rglob("*.md"),
        *DOCS.rglob("*.ipynb"),
    ]
)

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CARD = re.compile(r"^:link: (\S+)$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:- |\d+\. )\[([^\]]+)\]\(([^)#\s]+)\)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r'<a id="([^"]+)"></a>')
_MENTION = re.compile(r"(?<![\w./-])docs/[\w/.-]+\.(?:md|ipynb)(?:#[\w-]+)?")


def _text(path: Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as the forges and MyST make it."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")


@cache
def _anchors(path: Path) -> set[str]:
    text = _text(path)
    anchors = set(_ID.findall(text))
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        slug, copies = _slug(heading), 0
        while (anchor := f"{slug}-{copies}" if copies else slug) in anchors:
            copies += 1
        anchors.add(anchor)
    return anchors


def _exists(link: str, folder: Path) -> bool:
    name, _, anchor = link.partition("#")
    path = (folder / name).resolve()
    return path.exists() and (not anchor or path.suffix != ".md" or anchor in _anchors(path))


def _broken(page: Path) -> list[str]:
    text = _FENCE.sub("", _text(page))
    links = [each for each in _LINK.findall(text) if not re.match(r"https?:|#", each)]
    own = [f"{page.name}{each}" for each in _LINK.findall(text) if each.startswith("#")]
    cards = [f"{each}.md" for each in _CARD.findall(text)]
    return [each for each in (*links, *own, *cards) if not _exists(each, page.parent)]


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    assert not _broken(page)


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n\n[a](#one) [b](#two) [c](page.md#one) [d](page.md#two) [e](no.md)\n")
    assert _broken(page) == ["page.md#two", "no.md", "page.md#two"]


def _sources() -> list[Path]:
    """Return the tracked files; in a source archive, or without git, the files in the folder."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
        tracked = listed.stdout.decode().splitlines()
    except (OSError, subprocess.CalledProcessError):
        tracked = []
    return [path for path in map(ROOT.joinpath, tracked) if path.is_file()] or _files(ROOT)


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder, without hidden and built ones."""
    files = []
    for path in sorted(folder.iterdir()):
        if path.name[0] == "." or path.name in {"__pycache__", "node_modules"} or path in BUILT:
            continue
        files += _files(path) if path.is_dir() else [path]
    return files


def test_pages_that_sources_and_texts_mention_exist() -> None:
    broken = []
    for path in _sources():
        if path.suffix in {".md", ".ipynb", ".png", ".woff2"}:
            continue
        text = path.read_bytes().decode("utf-8", "ignore")
        name = path.relative_to(ROOT)
        broken += [f"{name}: {each}" for each in _MENTION.findall(text) if not _exists(each, ROOT)]
    assert not broken


def test_sources_are_found_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    tracked = {path for path in _sources() if "/." not in str(path)}
    monkeypatch.setenv("PATH", "")
    walked = _sources()
    assert tracked <= set(walked)
    assert not [path for path in walked if "node_modules" in path.parts]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_lists_pages_by_their_titles(section: str) -> None:
    page = DOCS / f"{section}.md"
    for label, name in _ENTRY.findall(page.read_text("utf-8")):
        path = (page.parent / name).resolve()
        if path.suffix == ".md" and path.is_relative_to(DOCS):
            title = _HEADING.findall(path.read_text("utf-8"))[0]
            assert re.sub(r" \(`.+`\)$", "", title) == label


def _listed() -> set[str]:
    """Return the pages in the tables of contents, from the start page down."""
    listed: set[str] = set()
    new = {"index"}
    while new:
        listed |= new
        below = set()
        for name in new:
            page = DOCS / f"{name}.md"
            text = adapt(name, page.read_text("utf-8")) if page.exists() else ""
            for block in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL):
                lines = [each for each in block.splitlines() if each and each[0] != ":"]
                entries = [re.sub(r".*<(.+)>", r"\1", each) for each in lines]
                below |= {each.removeprefix("/") for each in entries}
        new = below - listed
    return listed


def test_every_page_is_in_a_table_of_contents() -> None:
    pages = {
        path.relative_to(DOCS).with_suffix("").as_posix()
        for path in [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    }
    listed = {each for each in _listed() if not each.startswith("api/damka")}
    assert listed == pages


def test_former_addresses_lead_to_pages() -> None:
    lines = (DOCS / "redirects.txt").read_text("utf-8").splitlines()
    pairs = [line.split() for line in lines if line and line[0] != "#"]
    former = [old for old, _ in pairs]
    assert former == sorted(set(former))
    for old, new in pairs:
        assert not (DOCS / old).exists(), old
        assert (DOCS / new).exists(), new
