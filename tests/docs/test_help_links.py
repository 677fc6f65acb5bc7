"""Documentation pages named in the commands' help exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from typer.main import get_command

from damka.cli import app

DOCS = Path(__file__).parents[2] / "docs"


def helps() -> dict[str, str]:
    """Return the help of every command and its options, by command."""
    texts_of = {}

    def collect(command: Any, path: str) -> None:
        texts = [command.help or "", command.epilog or ""]
        texts += [getattr(each, "help", None) or "" for each in command.params]
        texts_of[path] = " ".join(" ".join(texts).split())
        for word, inner in getattr(command, "commands", {}).items():
            collect(inner, f"{path} {word}")

    collect(get_command(app), "damka")
    return texts_of


def test_pages_named_in_the_help_exist() -> None:
    texts = [path.read_text("utf-8") for path in DOCS.rglob("*.md")]
    titles = {text.partition("\n")[0].removeprefix("# ") for text in texts}
    named = [
        page for text in helps().values() for page in re.findall(r"\"([^\"]+)\" in the docs", text)
    ]
    assert len(named) > 5
    assert set(named) <= titles
