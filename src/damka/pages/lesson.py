"""Context of the page of a level, lesson.html.

Besides the common values it has `title` of the game, `course` (the address of the path), `level`
(`damka.live.lessons.describe`), `broad`, and `page`: JSON of the board's data, the texts and
`lesson` (`LessonPage` in web/lessons.d.ts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from damka import locales
from damka.live import lessons
from damka.live.problems import Problem
from damka.pages import rulesets
from damka.pages.lessons import path
from damka.pages.templates import script_json

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["context", "data"]

_BOARD_TEXTS: Final = ("board", "cell_king", "cell_man", "rule")


def data(of: Rules, level_id: str, language: str) -> dict[str, Any]:
    """Return the data of a level's page. Raises Problem for an unknown level or link."""
    texts = locales.catalogue(language, "page.")
    strings = {name: texts[f"page.{name}"] for name in _BOARD_TEXTS}
    said = locales.catalogue(language, "learn.level.say.")
    strings |= {name.removeprefix("learn.level.say."): text for name, text in said.items()}
    strings["cell_planned"] = strings.pop("chosen")
    # Wrong squares can be chosen as well.
    strings["cell_target"] = strings.pop("target")
    strings["game"] = locales.translate(language, "learn.game.title")
    course = path(of)
    if not course:
        raise Problem(400, "bad_link", where="r")
    return {
        "lang": language,
        "strings": strings,
        "rules": rulesets.data(of, language),
        "lesson": {
            "course": course,
            "query": course.partition("?")[2] or f"base={of.name}",
            "level": lessons.describe(of, level_id, language),
        },
    }


def context(of: Rules, level_id: str, language: str) -> dict[str, Any]:
    """Return the context of lesson.html. Raises Problem for an unknown level."""
    page = data(of, level_id, language)
    return {
        "title": of.title_in(language),
        "course": page["lesson"]["course"],
        "level": page["lesson"]["level"],
        "broad": of.width > of.height,
        "page": script_json(page),
    }
