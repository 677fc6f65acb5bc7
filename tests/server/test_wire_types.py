"""The page's types of the protocol are those of the server's messages."""

from __future__ import annotations

from tools import wire_types


def test_the_types_of_the_page_are_made_of_the_messages() -> None:
    told = "run .venv/bin/python -m tools.wire_types"
    assert wire_types.FILE.read_text("utf-8") == wire_types.declarations(), told
