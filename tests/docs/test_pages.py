"""The documentation's code blocks run, page by page, in order."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sybil import Sybil
from sybil.example import SybilFailure
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

import damka
from damka.errors import RulesError

if TYPE_CHECKING:
    from sybil import Example

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PACKAGE = ROOT / "dist" / "damka-js"
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "js" / "README.md",
        *(path for path in DOCS.rglob("*.md") if "diagrams" not in path.parts),
    ]
)

LANGUAGES = {"python", "sh", "console", "toml", "javascript"}
"""Languages of blocks that are run. `sh` and `javascript` must succeed; `console` has `$ commands`
and their output."""

NOT_RUN = {"text", "nginx", "pdn", "json", "html"}
"""Languages of blocks that are not run. Directives in braces (`{include}`) are skipped too."""

SKIPPED = {
    "CONTRIBUTING.md": 1,  # make
    "README.md": 3,  # make, pip, the server
    "docs/play/accounts.md": 1,  # a server's accounts
    "docs/build/bots.md": 2,  # a server and a token
    "docs/play/club-night.md": 2,  # the server
    "docs/reference/json-output.md": 1,  # needs jq
    "docs/play/house-rules.md": 1,  # the server, a terminal game
    "docs/play/tournaments.md": 1,  # a server's database
    "docs/build/engines.md": 4,  # other programs, two terminals
    "docs/start/install.md": 2,  # slow, downloads
    "docs/start/play.md": 2,  # the server, an interactive game
    "docs/build/javascript.md": 3,  # a slow build, a page, the reader's project
    "docs/build/reinforcement-learning.md": 1,  # slow: a minute
    "docs/build/matches.md": 1,  # slow
    "docs/host/processes.md": 2,  # PostgreSQL, root
    "docs/host/server.md": 3,  # the server
    "docs/host/static-site.md": 1,  # a slow build
    "docs/build/training.md": 3,  # slow, several machines
}
"""Number of blocks on each page that are not run; the page has the reasons."""

_FENCE = re.compile(r"^ *```+ *(\S*)", re.MULTILINE)
_SKIP = re.compile(r"<!-- skip: next(?: \"(.+)\")? -->\s+```")


def _shell(example: Example) -> str | None:
    """Run a block of commands that must succeed."""
    _run(example.parsed, example.namespace["folder"])
    return None


def _console(example: Example) -> str | None:
    """Run the commands of a block and compare their output; `…` matches any text."""
    for part in re.split(r"^\$ ", example.parsed, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        printed = _run(command, example.namespace["folder"])
        pattern = re.escape(expected.rstrip()).replace("…", ".*?")
        if not re.fullmatch(pattern, _plain(printed), re.DOTALL):
            return f"$ {command}\nexpected:\n{expected}\nprinted:\n{printed}"
    return None


def _plain(printed: str) -> str:
    return "\n".join(line.rstrip() for line in printed.splitlines()).rstrip()


def _run(commands: str, folder: Path) -> str:
    completed = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert completed.returncode == 0, f"{commands}\n{completed.stdout}{completed.stderr}"
    return completed.stdout


def _toml(example: Example) -> str | None:
    """Load a file of rules."""
    path = example.namespace["folder"] / "rules.toml"
    path.write_text(example.parsed, "utf-8")
    damka.rules.load(path)
    return None


def _javascript(example: Example) -> str | None:
    """Run a module that imports the package."""
    assert (PACKAGE / "package.json").exists(), "dist/damka-js is not built: run `make js`"
    folder = example.namespace["folder"]
    link = folder / "node_modules" / "damka"
    if not link.exists():
        link.parent.mkdir()
        link.symlink_to(PACKAGE)
    (folder / "page.mjs").write_text(example.parsed, "utf-8")
    assert _run("node page.mjs", folder)
    return None


PARSERS = (
    SkipParser(),
    PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS),
    CodeBlockParser("sh", _shell),
    CodeBlockParser("console", _console),
    CodeBlockParser("toml", _toml),
    CodeBlockParser("javascript", _javascript),
)


def _examples(page: Path) -> list[Example]:
    return list(Sybil(parsers=PARSERS, path=str(page.parent)).parse(page).examples())


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


WITH_CODE = [page for page in PAGES if _FENCE.search(page.read_text("utf-8"))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with the files that pages use, and put `damka` on PATH."""
    folder = tmp_path / "work"
    folder.mkdir()
    for path in EXAMPLES.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    game = damka.Game("american")
    for move in ("11-15", "23-19"):
        game.play(move)
    game.save(folder / "game.json")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DAMKA_TABLEBASES", str(tmp_path / "tablebases"))
    monkeypatch.setenv("COLUMNS", "100")
    return folder


def _evaluate(page: Path, folder: Path) -> None:
    for example in _examples(page):
        example.namespace["folder"] = folder
        example.namespace["__file__"] = str(folder / "script.py")
        try:
            example.evaluate()
        except unittest.SkipTest:
            continue


@pytest.mark.parametrize("page", WITH_CODE, ids=_name)
def test_the_code_of_a_page_runs(page: Path, folder: Path) -> None:
    _evaluate(page, folder)


@pytest.mark.parametrize(
    "block",
    [
        "python\n>>> 1 + 1\n3\n\n",
        "python\nassert False\n",
        "sh\nfalse\ntrue\n",
        "sh\ndamka rules no-such-rules\n",
        "console\n$ echo one\ntwo\n",
        'toml\nbase = "american"\nking_range = "far"\n',
    ],
)
def test_an_incorrect_block_fails(block: str, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text(f'<!-- skip: next "why" -->\n\n```sh\nfalse\n```\n\n```{block}```\n', "utf-8")
    with pytest.raises((AssertionError, SybilFailure, RulesError)):
        _evaluate(page, folder)


@pytest.mark.parametrize("page", WITH_CODE, ids=_name)
def test_every_block_has_a_language(page: Path) -> None:
    languages = _FENCE.findall(page.read_text("utf-8"))[::2]
    unknown = [name for name in languages if name not in LANGUAGES | NOT_RUN and name[:1] != "{"]
    assert not unknown


def test_skipped_examples_are_few_and_have_a_reason() -> None:
    skipped = {}
    for page in PAGES:
        reasons = _SKIP.findall(page.read_text("utf-8"))
        assert all(reasons), page
        if reasons:
            skipped[_name(page)] = len(reasons)
    assert skipped == SKIPPED
