"""Output of `make`: steps in words, without compiler commands."""

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
"""The beginnings of the targets that `make site` and `make js` may make."""


def test_the_site_and_the_package_are_built_without_raw_commands() -> None:
    rules = re.findall(r"^([^\s#:=][^:=\n]*):(?!=).*\n((?:\t.*\n)+)", TEXT, re.MULTILINE)
    seen = set()
    for target, recipe in rules:
        if not target.startswith(SHOWN) or target == "site-tests":
            continue
        seen.add(target)
        lines = re.sub(r"\\\n", "", recipe).splitlines()
        for line in lines:
            assert re.match(r"\t(\+?@|\$\(compile_wasm\)$)", line), f"{target}: {line}"
    assert {"site", "js", "wasm", "$(WASM)/damka.wasm", "$(WASM)/%/linked.wasm"} <= seen
    (compiling,) = re.findall(r"^define compile_wasm\n(.*?)^endef", TEXT, re.MULTILINE | re.DOTALL)
    assert all(line.startswith("\t@") for line in compiling.splitlines())
