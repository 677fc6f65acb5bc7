"""Output of `make`: described steps instead of compiler commands."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Makefile").read_text("utf-8")

SHOWN = (
    "site",
    "js",
    "wasm",
    "$(WASM)",
    "$(VENV)/.play",
    "$(VENV)/.wasm",
    "$(BUILT)",
    "build/site",
)
"""Prefixes of the targets of `make site` and `make js`."""


def test_building_the_site_and_package_prints_no_commands() -> None:
    rules = re.findall(r"^([^\s#:=][^:=\n]*):(?!=).*\n((?:\t.*\n)+)", TEXT, re.MULTILINE)
    checked = set()
    for target, recipe in rules:
        if not target.startswith(SHOWN) or target == "site-tests":
            continue
        checked.add(target)
        lines = re.sub(r"\\\n", "", recipe).splitlines()
        for line in lines:
            assert re.match(r"\t(\+?@|\$\(compile_wasm\)$)", line), f"{target}: {line}"
    assert {"site", "js", "wasm", "$(WASM)/damka.wasm", "$(WASM)/%/linked.wasm"} <= checked
    (compiling,) = re.findall(r"^define compile_wasm\n(.*?)^endef", TEXT, re.MULTILINE | re.DOTALL)
    assert all(line.startswith("\t@") for line in compiling.splitlines())
