"""Data of pages with studies: their texts, titles of rules, and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from damka import locales, rules
from damka.live import studies
from damka.pages.templates import script_json

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["data", "saving_data"]

_LIMITS: Final = {"chapters": studies.MAX_CHAPTERS, "title": studies.MAX_TITLE}
_PROBLEMS: Final = (
    "unknown_study",
    "unknown_chapter",
    "study_changed",
    "chapters_full",
    "last_chapter",
    "study_untitled",
)
"""Errors that a browser's store of studies has, too."""
_SAVING: Final = ("offline", "not_stored", "untitled")
"""Texts of the dialog that saves an analysis."""


def data(language: str, **values: Any) -> Markup:
    """Return the data of a page of studies, with `values`."""
    texts = locales.catalogue(language, "study.say.") | _problems(language)
    games = {f"base={name}": rules.load(name).title_in(language) for name in rules.names()}
    return script_json({"strings": texts, "games": games, "limits": _LIMITS, **values})


def saving_data(language: str) -> Markup:
    """Return the data of a page that saves an analysis as a study."""
    texts = {f"study.say.{key}": locales.translate(language, f"study.say.{key}") for key in _SAVING}
    texts |= _problems(language)
    return script_json({"strings": texts, "games": {}, "limits": _LIMITS})


def _problems(language: str) -> dict[str, str]:
    texts = locales.catalogue(language, "server.problem.")
    return {f"study.say.{code}": texts[f"server.problem.{code}"] for code in _PROBLEMS}
