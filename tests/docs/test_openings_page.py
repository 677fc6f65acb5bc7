"""The openings example on the parameters page can be played."""

from __future__ import annotations

import re
from pathlib import Path

from damka import Game
from damka.game import check_openings
from damka.rules import load

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "parameters.md"


def test_the_openings_example_can_be_played() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [text] = [block for block in blocks if "ballots" in block]
    rules = load(text)
    check_openings(rules)
    names = [Game(rules, ballot=n).opening for n in range(len(rules.openings))]
    assert [each and each.title for each in names] == [
        "12. Kitchen opening",
        "7. Two against two",
        "40. Late start",
    ]
