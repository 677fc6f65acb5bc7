"""The cookbook's scripts are on its pages, with their output."""

from __future__ import annotations

import json
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


# These run elsewhere: learn.py is slow (tests/project/test_learn.py runs it for a short time), and
# bot.py needs a server (tests/server/test_bot.py).
LONG = {"learn.py": "build/reinforcement-learning.md", "bot.py": "build/bots.md"}


def test_every_script_has_a_page_that_shows_and_runs_it() -> None:
    scripts = sorted(p.name for p in (DOCS / "examples").glob("*.py") if p.name not in LONG)
    run = []
    for page in (DOCS / "cookbook").glob("*.md"):
        text = page.read_text("utf-8")
        names = re.findall(r"^\$ python (\S+)$", text, re.MULTILINE)
        run += names
        # The pages include the scripts in full, because GitHub shows them without Sphinx.
        scripts_of_page = [(DOCS / "examples" / name).read_text("utf-8") for name in names]
        shown = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        assert shown[:1] == [_without_docstring(script) for script in scripts_of_page]
    assert sorted(run) == scripts


def _without_docstring(script: str) -> str:
    return script.split("\n", 1)[1].lstrip("\n")


def test_slow_scripts_are_linked_from_other_pages() -> None:
    for name, page in LONG.items():
        assert f"](../examples/{name})" in (DOCS / page).read_text("utf-8")


def test_the_cookbook_lists_ten_recipes_by_title() -> None:
    listed = re.findall(
        r"^\d+\. \[(.+)\]\((.+)\)$",
        (DOCS / "cookbook" / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(listed) == 10
    for title, page in listed:
        assert (DOCS / "cookbook" / page).read_text("utf-8").startswith(f"# {title}\n")


def test_the_notebook_is_stored_without_output() -> None:
    """`make docs` executes it."""
    notebook = json.loads((DOCS / "notebooks" / "tour.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
