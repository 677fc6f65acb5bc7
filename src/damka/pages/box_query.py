"""The house rules of a request: from a link, the answers of the form, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from damka import Rules, box, locales, rules
from damka.box.answers import OWN
from damka.errors import RulesError
from damka.game import check_openings
from damka.live.problems import Problem

__all__ = ["BoxQuery", "Query", "read", "start_rules"]

Query = Mapping[str, Sequence[str]]
"""The values of each name in a query; the last one counts for single values."""

_BASE: Final = rules.names()[0]
_OPENINGS: Final = 200
"""Number of a box's openings to validate when it is shown; a game validates the one it draws."""
_LISTS: Final = ("ballots", "material_draws")
"""Parameters with the possible answer "own": a list that exists only in the box's link."""


@dataclass(frozen=True, slots=True)
class BoxQuery:
    """The house rules of a request, or their error."""

    base: Rules
    """The rules that the answers modify: a shipped rule set, or the box of the link."""
    origin: Rules
    """The selected shipped rule set to start from, which links and files keep."""
    link_base: str
    """The link of `base`, or "" for a shipped rule set."""
    title: str
    answers: Mapping[str, tuple[str, ...]]
    box: Rules | None
    error: RulesError | None = None


def read(query: Query, language: str) -> BoxQuery:
    """Parse a query: `r` (a link), `base` (a name), and answers by the names of the form's fields.

    With `was`, the name of the previous base of the answers, `base` is a new one: answers that
    differ from `was` remain, the others are replaced by those of `base`.

    Raises Problem for an unknown link or base.
    """
    link, was = _last(query, "r"), _last(query, "was")
    start, origin = start_rules(query)
    title_before = start.title_in("en") if link and start.title else ""
    form = {key: [*query[key]] for key in query if key in box.KEYS}
    if "colours" in form:  # the page shows them in the visitor's language
        form["colours"] = [locales.colour_named(language, answer) for answer in form["colours"]]
    rebased = was in rules.names() and "base" in query
    if rebased:
        old, origin = rules.load(was), _shipped(_last(query, "base"))
        form = _changed_answers(form, start, old)
        start = _with_lists(origin, start, form)
        link = box.encode(start, origin) if start is not origin else ""
    title = _last(query, "title", title_before)[:200]
    answers = {**box.answers(start), **{key: tuple(answer) for key, answer in form.items()}}
    try:
        unchanged = link and not form and not rebased and "title" not in query
        edited = start if unchanged else box.read(start, form, title)
        check_openings(edited, _OPENINGS)
    except RulesError as error:
        return BoxQuery(start, origin, link, title, answers, None, error)
    return BoxQuery(start, origin, link, title, answers, edited)


def start_rules(query: Query) -> tuple[Rules, Rules]:
    """Return the rules that a query's answers modify, and their shipped base.

    Raises Problem for an unknown link or base.
    """
    link = _last(query, "r")
    if not link:
        start = _shipped(_last(query, "base", _BASE))
        return start, start
    try:
        return box.decode(link), box.base_of(link)
    except RulesError as error:
        raise Problem(400, "bad_link", where="r", detail=str(error)[:300]) from error


def _last(query: Query, key: str, default: str = "") -> str:
    values = query.get(key)
    return values[-1] if values else default


def _shipped(name: str) -> Rules:
    if name not in rules.names():
        raise Problem(404, "unknown_rules", where="base")
    return rules.load(name)


def _changed_answers(
    form: Mapping[str, list[str]], start: Rules, old: Rules
) -> dict[str, list[str]]:
    """Return the answers that differ from those of `old`, the rule set they started from."""
    old_answers = box.answers(old)

    def differs(key: str, answer: list[str]) -> bool:
        if key in _LISTS and answer == [OWN]:
            return bool(getattr(start, key) != getattr(old, key))
        return _without_empty(answer) != [*old_answers[key]]

    return {key: answer for key, answer in form.items() if differs(key, answer)}


def _with_lists(origin: Rules, start: Rules, form: Mapping[str, list[str]]) -> Rules:
    """Return the rule set to start from, with the custom lists of the previous box."""
    lists = {key: getattr(start, key) for key in _LISTS if form.get(key) == [OWN]}
    return origin.replace(name=box.slug(""), **lists) if lists else origin


def _without_empty(answer: list[str]) -> list[str]:
    """Return an answer without the empty places of an order."""
    return [each for each in answer if each != "none"] if len(answer) > 1 else answer
