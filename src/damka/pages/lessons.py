"""Contexts of the pages of lessons.

- learn.html: `title`, `boxes` (cards with `course`), `groups` ([{title, cards}]), `house` (cards of
  the house rules on offer), where `url` is the path of a course and `course` is {name, levels}: its
  fingerprint and the number of its levels. House rules have none, as a search would find it.
- course_print.html: `title`, `size`, `path` (of the course), `steps` (pictures of the rules with a
  text), `sentences` (the rules in words), `exercises` ([{number, task, picture, answer}])
- course.html: `title`, `size`, `picture`, `fingerprint`, `path`, `stages` ([{id, title, levels:
  [{id, number, url, rule, topic}]}]), `levels` and `stars` (their numbers; the guided game counts
  as a level), `game`, `print` and `rules` (paths), `missing` (whether a level was not found)
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from damka import Rules, box, locales, rules
from damka.draw import svg
from damka.live.lesson_links import lesson_path
from damka.live.state import rules_path
from damka.notation import labels
from damka.pages import course_ids, rulesets
from damka.pages.box_query import Query, start_rules
from damka.pages.contexts import BOXES
from damka.pages.course_ids import GAME
from damka.pages.templates import script_json, trusted_svg
from damka.study import lessons
from damka.study.lessons import MAX_STARS, Answer, Level

__all__ = ["GAME", "about", "choose_context", "course_context", "path", "print_context", "rules_of"]

_PRINT: Final = "print"
_ON_PAPER: Final = ("move", "sequence", "count", "win")
"""Kinds of goals that need no tap and no earlier moves."""
_EXERCISES: Final = 16
"""Number of exercises on paper: with their answers they fill one page."""
_NUMBER_SIZE: Final = 32


def rules_of(name: str, query: Query) -> Rules:
    """Return the rules of a path: those with a name, or for "-" those of a query. Raises Problem.

    The rules are those of a link in `r`, as on the other pages.
    """
    if name == "-":
        return start_rules(query)[0]
    return start_rules({"base": [name]})[0]


def path(of: Rules, *parts: str) -> str:
    """Return the path of a course, or of one of its pages; "" if the rules do not fit a link."""
    return lesson_path(of, "/".join(parts))


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
        "page": _texts(language, counted=course_ids.as_json()),
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


def print_context(of: Rules, language: str) -> dict[str, Any]:
    """Return the context of course_print.html: the rules, and exercises with their answers."""
    course = lessons.course(of)
    sentences = dict.fromkeys(level.rule(language) for level in course.levels)
    exercises = [
        {
            "number": number,
            "task": level.task(language),
            "picture": trusted_svg(_picture(level)),
            "answer": _answer(level),
        }
        for number, level in enumerate(_exercises(course.levels), 1)
    ]
    return {
        "title": of.title_in(language),
        "size": f"{of.width}×{of.height}",
        "path": path(of),
        "steps": rulesets.steps(of, language),
        "sentences": [*sentences],
        "exercises": exercises,
    }


def _exercises(levels: Sequence[Level]) -> list[Level]:
    """Return the levels for the paper: the first about each rule, then the second, and so on."""
    counts: Counter[tuple[str, str]] = Counter()
    turns: list[tuple[int, int]] = []
    for index, level in enumerate(levels):
        # A demonstration has one answer only, and a question about idle moves needs no board.
        if not level.demonstration and level.goal.kind in _ON_PAPER and level.goal.asks != "idle":
            turns.append((counts[level.teaches], index))
            counts[level.teaches] += 1
    return [levels[index] for index in sorted(index for _, index in sorted(turns)[:_EXERCISES])]


def _picture(level: Level) -> str:
    marks = svg.Marks(must=(level.goal.piece,) if level.goal.piece else ())
    style = svg.Style(number_size=_NUMBER_SIZE)
    return svg.board(level.rules, level.board().pieces, marks, style, title="")


def _answer(level: Level) -> str:
    """Return the right answers in the labels of the board."""
    name = labels(level.rules).name

    def move(text: str) -> str:
        squares = text.replace("x", "-").split("-")
        return ("×" if "x" in text else "-").join(name(int(each)) for each in squares[:2])

    def written(answer: Answer) -> str:
        if isinstance(answer, tuple):
            return ", ".join(
                written(each) if isinstance(each, str) else name(each) for each in answer
            )
        if isinstance(answer, str):
            return move(answer)
        return name(answer) if level.goal.kind == "huff" else str(answer)

    return " / ".join(dict.fromkeys(written(each) for each in level.solutions))


def _texts(language: str, **more: object) -> Any:
    """Return the JSON for the scripts of a page."""
    prefix = "learn.path."
    texts = locales.catalogue(language, prefix)
    strings = {key.removeprefix(prefix): text for key, text in texts.items()}
    return script_json({"lang": language, "strings": strings, **more})


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
    name, _, levels = course_ids.mark(of.name).partition(":")
    course = {"name": name, "levels": int(levels)}
    return {**rulesets.card_of(of, language), "url": path(of), "course": course}
