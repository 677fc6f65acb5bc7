"""The page's types of the messages match the server's."""

from __future__ import annotations

from tools import wire_types


def test_the_types_of_the_page_are_generated_from_the_messages() -> None:
    advice = "run .venv/bin/python -m tools.wire_types"
    assert wire_types.FILE.read_text("utf-8") == wire_types.declarations(), advice
