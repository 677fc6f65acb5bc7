"""The pages of courses over HTTP: their levels, house rules, and the level about a topic."""

from __future__ import annotations

import re

import pytest

from damka import box, locales, rules
from damka.locales import LANGUAGES
from damka.study import lessons
from tests.server.support import Browser

HTML = {"accept": "text/html"}


def get(browser: Browser, path: str) -> str:
    answer = browser.http.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_a_course(browser: Browser, language: str) -> None:
    page = get(browser, f"/learn?lang={language}")
    links = re.findall(r'href="/learn/([a-z0-9-]+)"', page)
    assert links[:3] == [*rules.names()[:3]]
    assert sorted(links) == sorted(rules.names())
    assert locales.translate(language, "learn.path.lead") in page


def test_a_course_has_all_its_levels_and_the_guided_game(browser: Browser) -> None:
    page = get(browser, "/learn/dama100")
    course = lessons.course(rules.load("dama100"))
    assert re.findall(r'data-level="([^"]+)"', page) == [level.id for level in course.levels]
    assert re.findall(r'data-stage="([^"]+)"', page)[-1] == "game"
    assert lessons.fingerprint(course.rules) in page
    for level in course.levels:
        assert f'href="/learn/dama100/{level.id}"' in page


def test_house_rules_have_a_course(browser: Browser) -> None:
    house = rules.load("dama64").replace(name="ours", title={"en": "Ours"}, king_range="short")
    link = box.encode(house)
    page = get(browser, f"/learn/-?r={link}")
    assert "<h1>Ours <small>8×8</small></h1>" in page
    assert f'href="/learn/-/king_range.short?r={link}"' in page


def test_a_topic_leads_to_its_level(browser: Browser) -> None:
    answer = browser.http.get("/learn/dama64?about=king_move", headers=HTML)
    assert answer.headers["location"] == "/learn/dama64/king_range.flying"
    # There is no level about it.
    answer = browser.http.get("/learn/dama64?about=nonsense", headers=HTML)
    assert answer.headers["location"] == "/learn/dama64"


def test_unknown_rules_and_broken_links_are_refused(browser: Browser) -> None:
    assert browser.http.get("/learn/nonsense", headers=HTML).status_code == 404
    assert browser.http.get("/learn/-?r=nonsense", headers=HTML).status_code == 400


def test_a_level_that_was_not_found_is_mentioned(browser: Browser) -> None:
    note = re.compile(r'id="missing" role="status"( hidden)?')
    for query, hidden in (("", " hidden"), ("?missing=1", None)):
        found = note.search(get(browser, f"/learn/dama64{query}"))
        assert found is not None
        assert found[1] == hidden
