"""`chances.js` computes the same winning chances as `damka.engine.chances`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Route

from damka.engine import chances, winning_chances
from damka.rules import load, names

MODULE: Final = Path(chances.__file__).parents[1] / "web" / "static" / "chances.js"
RUN: Final = """async (cases) => {
  const { winningChances, expectedScore } = await import("/chances.js");
  return cases.map(([curve, score, pieces]) => {
    const chances = winningChances(curve, score, pieces);
    return [chances.win, chances.draw, chances.loss, expectedScore(chances)];
  });
}"""


def test_the_page_and_python_agree(browser: Browser) -> None:
    rule_sets = [load(name) for name in names()]
    cases = [
        (rules, score, pieces)
        for rules in rule_sets
        for score in (-29_990, -15_001, -15_000, -731, -55, 0, 4, 120, 15_000, 15_001, 29_999)
        for pieces in (2, 7, rules.square_count)
    ]
    with browser.new_context() as context:

        def read(route: Route) -> None:
            if route.request.url.endswith("/chances.js"):
                route.fulfill(path=MODULE, content_type="text/javascript")
            else:
                route.fulfill(body="<!doctype html>", content_type="text/html")

        context.route("http://page.test/**", read)
        page = context.new_page()
        page.goto("http://page.test/")
        results = page.evaluate(
            RUN, [(chances.curve(rules), score, pieces) for rules, score, pieces in cases]
        )
    for (rules, score, pieces), result in zip(cases, results, strict=True):
        expected = winning_chances(rules, score, pieces)
        assert result == pytest.approx([*expected, expected.expected], abs=1e-12), (rules, score)
