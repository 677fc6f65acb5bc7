"""The page draws its pieces with the library's dimensions."""

from __future__ import annotations

from tools import page_shapes


def test_the_pages_dimensions_are_up_to_date() -> None:
    advice = "run .venv/bin/python -m tools.page_shapes"
    assert page_shapes.FILE.read_text("utf-8") == page_shapes.module(), advice
