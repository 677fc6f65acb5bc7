"""Contexts of the pages of studies, and JSON values about them.

- studies.html: `title`, `groups` (games to choose from), and `data`: JSON with `strings`, `games`
  (titles of the shipped rules by the `query` of a chapter), `limits`, `account` (whether the reader
  is a member) and `studies` (those of the account, None for a guest)
- study.html: the context of analyse.html, and `data`: JSON as above with `study` instead of
  `studies`, which is None if the page has it from elsewhere, and `account`: whether the reader is
  a member; `shown` is the same study, and `chapter` the id of its displayed chapter
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

import msgspec

from damka import Rules, box, locales, rules
from damka.live import studies
from damka.live.problems import Problem
from damka.pages import analyse, box_query
from damka.pages.study_texts import data

__all__ = [
    "chapters_json",
    "game_of",
    "groups",
    "list_context",
    "query_of",
    "rules_of",
    "study_context",
]


def query_of(of: Rules) -> str:
    """Return rules as parameters of an address. Raises Problem if they do not fit one."""
    path = analyse.path(of)
    if not path:
        raise Problem(422, "study_rules")
    return path.partition("?")[2] or f"base={of.name}"


def game_of(of: Rules) -> str:
    """Return the English title of rules, for chapters of house rules."""
    return of.title_in("en")[:200]


def rules_of(query: str) -> Rules:
    """Return the rules of a chapter's `query`. Raises Problem."""
    return box_query.start_rules(parse_qs(query))[0]


def chapters_json(read: studies.ReadText) -> bytes:
    """Return the chapters of a text as JSON (`ReadChapters`)."""
    chapters, unfit = [], 0
    for number, each in enumerate(read.chapters):
        try:
            query = query_of(each.rules)
        except Problem:
            unfit += 1
            continue
        chapters.append(
            studies.Chapter(
                id=str(number),
                title=each.title,
                query=query,
                game=game_of(each.rules),
                pdn=each.pdn,
            )
        )
    if not chapters:
        raise Problem(422, "study_rules")
    answer = studies.ReadChapters(
        title=read.title, chapters=tuple(chapters), faulty=read.faulty + unfit, more=read.more
    )
    return msgspec.json.encode(answer)


def list_context(language: str, own: Sequence[studies.ListedStudy] | None) -> dict[str, Any]:
    """Return the context of studies.html; `own` are the account's studies, None for a guest."""
    return {
        "title": locales.translate(language, "study.studies"),
        "groups": groups(language),
        "data": data(language, studies=own, account=own is not None),
    }


def study_context(language: str, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of study.html besides those of analyse.html."""
    return {
        "study_groups": groups(language),
        "shown": shown.get("study"),
        "chapter": shown.get("chapter"),
        "data": data(language, **{"study": None, "account": False, **shown}),
    }


def groups(language: str) -> list[dict[str, Any]]:
    """Return the shipped games to choose from, by kind: [{title, games: [{query, title}]}]."""
    return [
        {
            "title": locales.translate(language, f"box.kinds.{key}"),
            "games": [
                {"query": f"base={name}", "title": rules.load(name).title_in(language)}
                for name in names
            ],
        }
        for key, names in box.rule_groups()
    ]
