"""Addresses of the lessons of some rules, and links from refusals to them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec

from damka import rules

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["about", "lesson_path", "of_topics"]

_LESSONS: Final = Path(__file__).parents[1] / "study" / "lessons"


def lesson_path(of: Rules, page: str = "", query: str = "") -> str:
    """Return the address of a page of a course: the path, or that of a level or the game.

    "" if the rules do not fit a link.
    """
    name, link = _address(msgspec.json.encode(of.to_dict()))
    if name is None:
        return ""
    parts = "&".join(part for part in (link, query) if part)
    return f"/learn/{name}{page and f'/{quote(page)}'}{parts and f'?{parts}'}"


@functools.lru_cache(maxsize=256)
def _address(written: bytes) -> tuple[str | None, str]:
    of = rules.from_dict(msgspec.json.decode(written))
    if of.name in rules.names() and rules.load(of.name).to_dict() == of.to_dict():
        return of.name, ""
    from damka import box  # noqa: PLC0415  only house rules need it

    link = box.encode(of)
    return ("-", f"r={link}") if len(link) <= box.MAX_LINK else (None, "")


def about(of: Rules, topic: str) -> str:
    """Return the address that leads on to the level about a topic of the rules; "" for none.

    It never searches for a course: without one, the path decides whether it has a level.
    """
    # In the browser, the lessons arrive after a first game has begun.
    return _about(msgspec.json.encode(of.to_dict()), topic) if _LESSONS.is_dir() else ""


def of_topics(of: Rules) -> dict[str, str]:
    """Return the addresses of the first levels about each topic; none if it takes a search."""
    return _of_topics(msgspec.json.encode(of.to_dict()))


@functools.lru_cache(maxsize=64)
def _of_topics(written: bytes) -> dict[str, str]:
    from damka.study.lessons import shipped  # noqa: PLC0415  as above

    of = rules.from_dict(msgspec.json.decode(written))
    course = shipped.read(of)
    levels = () if course is None else course.levels
    return {level.topic: lesson_path(of, level.id) for level in reversed(levels)}


@functools.lru_cache(maxsize=1024)
def _about(written: bytes, topic: str) -> str:
    from damka.study.lessons import shipped  # noqa: PLC0415

    of = rules.from_dict(msgspec.json.decode(written))
    course = shipped.read(of)
    if course is not None and course.about(topic) is None:
        return ""
    return lesson_path(of, query=f"about={topic}")
