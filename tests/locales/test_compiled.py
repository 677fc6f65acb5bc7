"""Compiled catalogues of the static site have the same texts and do not need polib."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka import locales


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the catalogues by compiled ones, and hide polib."""
    for language in locales.LANGUAGES:
        folder = tmp_path / language
        folder.mkdir()
        for name, data in locales.compile_catalogues(language).items():
            (folder / name).write_bytes(data)
    caches = (locales._entries, locales._gettext, locales._texts)
    with monkeypatch.context() as patch:
        patch.setattr(locales, "_folder", lambda language: tmp_path / language)
        patch.setitem(sys.modules, "polib", None)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


EXPECTED = {language: locales.catalogue(language, "") for language in locales.LANGUAGES}
PLURALS = {
    (language, n): locales.plural(language, "box.page.count", n)
    for language in locales.LANGUAGES
    for n in (0, 1, 2, 4, 5, 21, 22)
}


@pytest.mark.usefixtures("compiled")
def test_compiled_catalogues_match_their_sources() -> None:
    for language in locales.LANGUAGES:
        assert locales.catalogue(language, "") == EXPECTED[language]
        assert len(EXPECTED[language]) > 1000
    for (language, n), text in PLURALS.items():
        assert locales.plural(language, "box.page.count", n) == text
    with pytest.raises(KeyError):
        locales.translate("sk", "no.such.key")
