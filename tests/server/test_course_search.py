"""Searches for the courses of house rules."""

from __future__ import annotations

import asyncio

import pytest

from damka import box
from damka.live.problems import Problem
from damka.server.course_search import CourseSearches
from damka.server.limits import Buckets
from damka.study import lessons
from tests.server.support import Browser
from tests.support import RULE_SETS

HOUSE = RULE_SETS["dama64"].replace(name="search", man_capture="all", king_landing="any")


def test_new_house_rules_are_rationed() -> None:
    searches = CourseSearches(Buckets(1, 0.001, 10))
    others = [HOUSE.replace(no_progress_moves=n) for n in (31, 32)]

    async def find() -> None:
        await searches.find(others[0], "a")
        await searches.find(others[0], "a")
        await searches.find(RULE_SETS["dama64"], "a")
        with pytest.raises(Problem, match="too_many"):
            await searches.find(others[1], "a")
        await searches.find(others[1], "b")

    asyncio.run(find())
    assert all(lessons.is_known(each) for each in others)


def test_another_title_needs_no_other_search() -> None:
    first = lessons.course(HOUSE)
    renamed = HOUSE.replace(name="other", title={"en": "Another title"})
    assert lessons.is_known(renamed)
    second = lessons.course(renamed)
    assert [each.fen for each in second.levels] == [each.fen for each in first.levels]
    assert {each.rules.name for each in second.levels} == {"other"}


def test_too_many_waiting_searches_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = CourseSearches(Buckets(100, 1, 10))

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    async def fill() -> None:
        monkeypatch.setattr(lessons, "is_known", lambda _: False)
        monkeypatch.setattr(searches._slot, "acquire", never)
        tasks = [asyncio.create_task(searches.find(HOUSE, "a")) for _ in range(16)]
        while searches._waiting < len(tasks):
            await asyncio.sleep(0)
        with pytest.raises(Problem, match="busy"):
            await searches.find(HOUSE, "b")
        for task in tasks:
            task.cancel()

    asyncio.run(fill())


def test_a_path_of_house_rules_opens(browser: Browser) -> None:
    page = browser.http.get(f"/learn/-?r={box.encode(HOUSE)}")
    assert page.status_code == 200
    assert lessons.course(HOUSE).levels[0].id in page.text
