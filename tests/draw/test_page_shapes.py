"""The page draws its pieces with the library's dimensions."""

from __future__ import annotations

from tools import page_shapes


def test_the_measures_of_the_page_are_generated() -> None:
    advice = "run .venv/bin/python -m tools.page_shapes"
    assert page_shapes.FILE.read_text("utf-8") == page_shapes.module(), advice
