"""README and documentation: commands exist and links work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    shown = re.sub(r"<!--.*?-->", "", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", shown):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target


def test_every_make_command_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"^make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
        assert named <= targets
