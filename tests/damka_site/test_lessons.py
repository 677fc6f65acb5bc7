"""Requests of the lessons on the static site."""

from __future__ import annotations

from damka import box, rules
from tests.damka_site.test_editor import ask


def test_house_rules_have_a_course() -> None:
    house = rules.load("dama64").replace(name="ours", title={"en": "Ours"}, king_range="short")
    page = ask(f"/learn/-?r={box.encode(house)}")
    assert (page.status, page.type) == (200, "text/html")
    assert "<h1>Ours <small>8×8</small></h1>" in page.text
    assert "king_range.short" in page.text
    assert ask("/learn/-?r=nonsense").status == 400
