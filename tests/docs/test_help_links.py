"""Pages of the documentation that the help of commands names exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from typer.main import get_command

from damka.cli import app

DOCS = Path(__file__).parents[2] / "docs"


def helps() -> dict[str, str]:
    """Return the help of every command, with that of its options, by the command's name."""
    found = {}

    def collect(command: Any, path: str) -> None:
        texts = [command.help or "", command.epilog or ""]
        texts += [getattr(each, "help", None) or "" for each in command.params]
        found[path] = " ".join(" ".join(texts).split())
        for word, inner in getattr(command, "commands", {}).items():
            collect(inner, f"{path} {word}")

    collect(get_command(app), "damka")
    return found


def test_the_pages_that_the_help_names_exist() -> None:
    texts = [path.read_text("utf-8") for path in DOCS.rglob("*.md")]
    titles = {text.partition("\n")[0].removeprefix("# ") for text in texts}
    named = [
        page for text in helps().values() for page in re.findall(r"\"([^\"]+)\" in the docs", text)
    ]
    assert len(named) > 5
    assert set(named) <= titles
