"""Pure parts of the page's review: graph, searches and the browser's store, in Node.js."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import damka
from tests.javascript.support import HERE


def test_the_parts_of_the_review() -> None:
    static = Path(damka.__file__).parent / "web" / "static"
    command = ["node", str(HERE / "review_parts.mjs"), str(static)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    # The graph: its corners, and the plies that keys lead to.
    assert found["graph"] == {
        "corners": [6, 354, 6, 3, 48, 93],
        "keys": [9, 11, 11, 9, 0, 40, 17, 4, None],
        "ends": [0, 40, 17],
    }
    # A longer search of the same position replaces the shorter one; one of chosen moves does not.
    assert found["known"] == [[600, 1, ["22-18"], 3], [2500, 1, None, 4], [5000, 2, None, 3]]
    # A reply's line from the view of the side before it.
    assert [(line["score"], line["mate"]) for line in found["before"]] == [
        (-40, -4),
        (-40, 3),
        (-40, None),
    ]
    assert found["before"][0]["moves"] == ["x", *map(str, range(11))]
    # Stored reviews: the latest 20, as far as there is room, and nothing damaged.
    latest = ["7", *(str(n) for n in range(24, 7, -1)), "6", "5"]
    assert found["latest"] == latest
    assert found["bounded"] == ["large", *latest[:-1]]
    assert found["full"] == ["last"]
    assert found["found"] == ["last", None]
    assert found["damaged"] is None
