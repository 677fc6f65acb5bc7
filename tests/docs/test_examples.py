"""The scripts of the cookbook: each is on a page, with the output that it has."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


# Takes a while: tests/project/test_learn.py runs a shorter one.
# The bot needs a server: tests/server/test_bot.py runs it.
LONG = {"learn.py": "learning.md", "bot.py": "api-server.md"}


def test_every_script_has_a_page_that_runs_it() -> None:
    scripts = sorted(p.name for p in (DOCS / "examples").glob("*.py") if p.name not in LONG)
    shown, run = [], []
    for page in (DOCS / "cookbook").glob("*.md"):
        text = page.read_text("utf-8")
        shown += re.findall(r"^```\{literalinclude\} \.\./examples/(\S+)$", text, re.MULTILINE)
        run += re.findall(r"^\$ python (\S+)$", text, re.MULTILINE)
    assert sorted(shown) == scripts
    assert sorted(run) == scripts


def test_scripts_that_take_long_are_told_of_elsewhere() -> None:
    for name, page in LONG.items():
        assert f"](examples/{name})" in (DOCS / page).read_text("utf-8")


def test_there_are_ten_answers_in_the_list() -> None:
    listed = re.findall(
        r"^\d+\. \[(.+)\]\((.+)\)$",
        (DOCS / "cookbook" / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(listed) == 10
    for title, page in listed:
        assert (DOCS / "cookbook" / page).read_text("utf-8").startswith(f"# {title}\n")
