"""The box that a request describes: by a link, by the answers of the form, or by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from damka import Rules, box, locales, rules
from damka.box.answers import OWN
from damka.errors import RulesError
from damka.game import check_openings
from damka.live.problems import Problem

__all__ = ["BoxQuery", "Query", "read", "started"]

Query = Mapping[str, Sequence[str]]
"""The values of each name in a query; where one is wanted, the last counts."""

_BASE: Final = rules.names()[0]
_OPENINGS: Final = 200
"""How many openings of a box are tried when it is shown; a game tries the one it draws."""
_LISTS: Final = ("ballots", "material_draws")
"""The parameters that may be answered with "own": a list that only the box's link holds."""


@dataclass(frozen=True, slots=True)
class BoxQuery:
    """What a request describes: a box, or the error in it."""

    base: Rules
    """What the answers change: a shipped rule set, or the box of the link."""
    origin: Rules
    """The shipped rule set to start from that was chosen; links and files keep it."""
    link_base: str
    """The link of `base`, or "" where it is a shipped rule set."""
    title: str
    answers: Mapping[str, tuple[str, ...]]
    box: Rules | None
    error: RulesError | None = None


def read(query: Query, language: str) -> BoxQuery:
    """Read a query: `r` (a link), `base` (a name), answers by the names of the form's fields.

    With `was`, the name of the rule set that the answers started from, another one was chosen to
    start from, `base`: what was answered otherwise than in `was` stays, the rest is that of `base`.

    Raises Problem for a link or a base that there is not.
    """
    link, was = _last(query, "r"), _last(query, "was")
    start, origin = started(query)
    kept = start.title_in("en") if link and start.title else ""
    form = {key: [*query[key]] for key in query if key in box.KEYS}
    if "colours" in form:  # the page shows them in its language
        form["colours"] = [locales.colour_named(language, said) for said in form["colours"]]
    moved = was in rules.names() and "base" in query
    if moved:
        old, origin = rules.load(was), _shipped(_last(query, "base"))
        form = _answered(form, start, old)
        start = _with_lists(origin, start, form)
        link = box.encode(start, origin) if start is not origin else ""
    title = _last(query, "title", kept)[:200]
    answers = {**box.answers(start), **{key: tuple(said) for key, said in form.items()}}
    try:
        as_it_is = link and not form and not moved and "title" not in query
        made = start if as_it_is else box.read(start, form, title)
        check_openings(made, _OPENINGS)
    except RulesError as error:
        return BoxQuery(start, origin, link, title, answers, None, error)
    return BoxQuery(start, origin, link, title, answers, made)


def started(query: Query) -> tuple[Rules, Rules]:
    """Return what the answers of a query change, and the shipped rule set that this starts from.

    Raises Problem for a link or a base that there is not.
    """
    link = _last(query, "r")
    if not link:
        start = _shipped(_last(query, "base", _BASE))
        return start, start
    try:
        return box.decode(link), box.base_of(link)
    except RulesError as error:
        raise Problem(400, "bad_link", where="r", detail=str(error)[:300]) from error


def _last(query: Query, key: str, otherwise: str = "") -> str:
    values = query.get(key)
    return values[-1] if values else otherwise


def _shipped(name: str) -> Rules:
    if name not in rules.names():
        raise Problem(404, "unknown_rules", where="base")
    return rules.load(name)


def _answered(form: Mapping[str, list[str]], start: Rules, old: Rules) -> dict[str, list[str]]:
    """Return the answers that differ from those of the rule set they started from, `old`."""
    usual = box.answers(old)

    def differs(key: str, said: list[str]) -> bool:
        if key in _LISTS and said == [OWN]:
            return bool(getattr(start, key) != getattr(old, key))
        return _plainly(said) != [*usual[key]]

    return {key: said for key, said in form.items() if differs(key, said)}


def _with_lists(origin: Rules, start: Rules, form: Mapping[str, list[str]]) -> Rules:
    """Return the rule set to start from with the lists that the box before it had of its own."""
    lists = {key: getattr(start, key) for key in _LISTS if form.get(key) == [OWN]}
    return origin.replace(name=box.slug(""), **lists) if lists else origin


def _plainly(said: list[str]) -> list[str]:
    """Return an answer without the places of an order that hold nothing."""
    return [each for each in said if each != "none"] if len(said) > 1 else said
