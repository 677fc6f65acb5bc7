"""Contexts of the pages of lessons.

- learn.html: `title`, `boxes` (cards with `course`), `groups` ([{title, cards}]), `house` (cards of
  the house rules on offer), where `url` is the path of a course and `course` is {name, levels}: its
  fingerprint and the number of its levels. House rules have none, as a search would find it.
- course.html: `title`, `size`, `picture`, `fingerprint`, `path`, `stages` ([{id, title, levels:
  [{id, number, url, rule, topic}]}]), `levels` and `stars` (their numbers; the guided game counts
  as a level), `game`, `print` and `rules` (paths), `missing` (whether a level was not found)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

from damka import Rules, box, locales, rules
from damka.draw import svg
from damka.live.state import rules_path
from damka.pages import analyse, rulesets
from damka.pages.box_query import Query, start_rules
from damka.pages.contexts import BOXES
from damka.pages.templates import script_json, trusted_svg
from damka.study import lessons
from damka.study.lessons import MAX_STARS

__all__ = ["GAME", "about", "choose_context", "course_context", "path", "rules_of"]

GAME: Final = "game"
"""Last part of the path of the guided game, and the id of its stars."""
_PRINT: Final = "print"


def rules_of(name: str, query: Query) -> Rules:
    """Return the rules of a path: those with a name, or for "-" those of a query. Raises Problem.

    The rules are those of a link in `r`, as on the other pages.
    """
    if name == "-":
        return start_rules(query)[0]
    return start_rules({"base": [name]})[0]


def path(of: Rules, *parts: str) -> str:
    """Return the path of a course, or of one of its pages; "" if the rules do not fit a link."""
    address = analyse.path(of)
    if not address:
        return ""
    name, _, query = address.removeprefix("/analyse").removeprefix("/").partition("?")
    whole = "/".join(("/learn", name or "-", *parts))
    return f"{whole}?{query}" if query else whole


def about(of: Rules, topic: str) -> str:
    """Return the path of the level about a paragraph of the rule book, else of the course."""
    level = lessons.course(of).about(topic)
    return path(of) if level is None else path(of, level.id)


def choose_context(language: str, house: Sequence[Rules] = ()) -> dict[str, Any]:
    """Return the context of learn.html; `house` are the house rules on offer."""
    return {
        "title": locales.translate(language, "learn.path.title"),
        "boxes": [_card(rules.load(name), language) for name in BOXES],
        "groups": _groups(language),
        "house": [
            {**rulesets.card_of(each, language), "url": path(each)} for each in house if path(each)
        ],
        "page": _texts(language),
    }


def course_context(of: Rules, language: str, *, missing: bool = False) -> dict[str, Any]:
    """Return the context of course.html; `missing` means that a level was not found.

    It takes about a second for house rules whose course is not known yet.
    """
    course = lessons.course(of)
    stages = [
        {
            "id": stage.id,
            "title": stage.title(language),
            "levels": [
                {
                    "id": level.id,
                    "number": number,
                    "url": path(of, level.id),
                    "rule": level.rule(language),
                    "topic": level.topic,
                }
                for number, level in enumerate(stage.levels, 1)
            ],
        }
        for stage in course.stages
    ]
    with_stars = sum(not level.demonstration for level in course.levels) + 1
    return {
        "title": of.title_in(language),
        "size": f"{of.width}×{of.height}",
        "picture": trusted_svg(svg.mini(of)),
        "fingerprint": lessons.fingerprint(of),
        "path": path(of),
        "stages": stages,
        "levels": len(course.levels) + 1,
        "stars": with_stars * MAX_STARS,
        "game": path(of, GAME),
        "print": path(of, _PRINT),
        "rules": rules_path(of) or rulesets.change(of),
        "missing": missing,
        "page": _texts(language),
    }


def _texts(language: str) -> Any:
    """Return the JSON for the scripts of a page."""
    prefix = "learn.path."
    texts = locales.catalogue(language, prefix)
    strings = {key.removeprefix(prefix): text for key, text in texts.items()}
    return script_json({"lang": language, "strings": strings})


@functools.cache
def _groups(language: str) -> tuple[dict[str, Any], ...]:
    """Return the shipped rule sets besides the first ones, in groups."""
    groups = []
    for key, names in box.rule_groups():
        cards = [_card(rules.load(name), language) for name in names if name not in BOXES]
        if cards:
            title = locales.translate(language, f"box.kinds.{key}")
            groups.append({"key": key, "title": title, "cards": cards})
    return tuple(groups)


def _card(of: Rules, language: str) -> dict[str, Any]:
    course = {"name": lessons.fingerprint(of), "levels": _level_count(of.name) + 1}
    return {**rulesets.card_of(of, language), "url": path(of), "course": course}


@functools.cache
def _level_count(name: str) -> int:
    return len(lessons.course(rules.load(name)).levels)
