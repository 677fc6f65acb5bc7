"""README and the documentation: make targets, requirements, and folders in commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def test_make_targets_in_the_documentation_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"^make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
        assert named <= targets


def test_readme_names_the_make_targets_that_need_npm() -> None:
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    package = json.loads((ROOT / "js" / "package.json").read_text("utf-8"))
    version = package["engines"]["node"].removeprefix(">=")
    match = re.search(rf"([^.;]*) also need npm with Node\.js {re.escape(version)} or newer", text)
    assert match is not None
    assert set(re.findall(r"`make (\w+)`", match[1])) == {"js", "site", "test"}


def test_readme_creates_the_folder_of_house_rules_before_using_it() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    used = [block for block in blocks if "--house-rules" in block]
    assert used
    for block in used:
        before, _, after = block.partition("--house-rules ")
        folder = after.split()[0]
        assert f"mkdir -p {folder} && cp my-box.toml {folder} " in before
