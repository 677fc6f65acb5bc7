"""The tree of moves of the page Analyse, by unit tests in Node.js."""

from __future__ import annotations

import os
import subprocess

from tests.javascript.support import HERE, ROOT

MODULE = ROOT / "src" / "damka" / "web" / "static" / "tree_state.js"


def test_the_tree_of_moves() -> None:
    result = subprocess.run(
        ["node", "--test", HERE / "tree_state.mjs"],
        env={**os.environ, "TREE_STATE": str(MODULE)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout
