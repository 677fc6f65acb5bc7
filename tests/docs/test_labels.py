"""Labels quoted in italics in the docs are English texts of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from damka.locales import catalogue

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    DOCS / "start" / "play.md",
    DOCS / "build" / "bots.md",
    DOCS / "reference" / "http-api.md",
    *sorted((DOCS / "play").glob("*.md")),
    *sorted((DOCS / "host").glob("*.md")),
]

_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_LABEL = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
_OTHERS = {"Успех!", "GitHub Actions"}
"""Text in another language, and text of another site."""


def _texts() -> list[re.Pattern[str]]:
    texts = catalogue("en", "").values()
    patterns = {re.sub(r"\\\{\w+\\\}", ".+", re.escape(each)) for each in texts} - {"", ".+"}
    return [re.compile(each) for each in patterns]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_labels_are_texts_of_the_page(page: Path) -> None:
    text = _CODE.sub("", page.read_text("utf-8"))
    labels = {" ".join(each.split()) for each in _LABEL.findall(text)} - _OTHERS
    texts = _texts()
    assert not [each for each in labels if not any(text.fullmatch(each) for text in texts)]


def test_other_texts_are_not_labels() -> None:
    assert not any(text.fullmatch("Not a label of the page") for text in _texts())
