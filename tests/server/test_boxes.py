"""House rules over HTTP: the form, the rules page, links with rules, and games."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damka import box, rules
from damka.draw import svg
from damka.locales import LANGUAGES
from tests.server.support import Browser, serving

HTML = {"accept": "text/html"}


def form_url(**answers: str) -> str:
    return "/api/box?" + urlencode(answers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_is_in_every_language(browser: Browser, language: str) -> None:
    page = browser.http.get(f"/box?lang={language}", headers=HTML)
    assert page.status_code == 200
    assert len(re.findall(r"<select", page.text)) > 20
    for key in box.KEYS - {"precedence", "colours"}:
        assert f'name="{key}"' in page.text
    first = box.prompt(language, "man_capture")
    assert first in page.text
    assert "box.q." not in page.text


def test_answers_return_rules_and_a_link(browser: Browser) -> None:
    response = browser.http.get(
        form_url(base="russian", king_range="short", title="Kitchen")
    ).json()
    assert response["problems"] == {}
    assert response["heading"] == "Kitchen"
    assert response["differences"] == "1 rule is different"
    assert "A king moves one square diagonally" in response["html"]
    assert response["rules"] == {
        "base": "russian",
        "name": "kitchen",
        "title": {"en": "Kitchen"},
        "king_range": "short",
    }
    decoded = box.decode(response["link"].partition("r=")[2])
    assert decoded.king_range == "short"
    page = browser.http.get(response["link"], headers=HTML)
    assert '<h1 id="heading">Kitchen</h1>' in page.text
    assert "A king moves one square diagonally" in page.text


@pytest.mark.parametrize("name", ["dama64", "american", "turkish", "italian"])
def test_the_rules_have_the_numbers_of_the_rules_page(browser: Browser, name: str) -> None:
    """Refusals name rules by these numbers."""
    item = re.compile(
        r'<li id="p-(\w+)"[^>]*><span class="number"[^>]*>(\d+)</span>\s*<div[^>]*><p>([^<]+)'
    )
    page = browser.http.get(f"/rules/{name}", headers=HTML).text
    book = {topic: (number, text) for topic, number, text in item.findall(page)}
    preview = browser.http.get(form_url(base=name)).json()["html"]
    shown = item.findall(preview)
    assert shown == [(topic, *book[topic]) for topic, _, _ in shown]
    # All paragraphs but the last one, how to move a piece on the page.
    assert [int(number) for _, number, _ in shown] == list(range(1, len(book)))
    assert "how_to_move" not in preview


def test_conflicting_answers_are_explained_and_cannot_be_played(browser: Browser) -> None:
    response = browser.http.get(form_url(rows="4", lang="it")).json()
    assert response["link"] is None
    assert response["rules"] is None
    assert "Le file di pedine sono troppe" in response["problems"]["rows"]
    assert "Le file di pedine sono troppe" in response["html"]


def test_the_form_shows_the_rules_without_javascript(browser: Browser) -> None:
    page = browser.http.get("/box?base=dama64&king_landing=any&title=Ours", headers=HTML)
    assert "may land on any empty square" in page.text
    wrong = browser.http.get("/box?base=dama64&board=all-8-8", headers=HTML)
    assert wrong.status_code == 200
    assert "not possible on this board" in wrong.text


def test_custom_rules_can_be_played(browser: Browser) -> None:
    rule_set = browser.http.get(form_url(base="turkish", rows="1", title="Кухня")).json()["rules"]
    response = browser.post(
        "/api/games", {"rules": rule_set, "opponent": "person", "colour": "first"}
    )
    assert response.status_code == 201, response.text
    page = browser.http.get(response.json()["url"], headers=HTML)
    assert "Кухня" in page.text
    rules_page = browser.http.get(f"{response.json()['url']}/rules", headers=HTML)
    assert "/box?r=" in rules_page.text


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"base": "nonsense"},
        {"base": "dama64", "rows": 4},
        {"base": "dama64", "rowz": 3},
        {"base": "dama64", "ballots": ["x"] * 2000},
        {"base": ["dama64"]},
        {"base": "dama64", "title": {"en": "x" * 500}},
    ],
)
def test_invalid_rules_are_refused(browser: Browser, table: dict[str, Any]) -> None:
    refused = browser.post("/api/games", {"rules": table, "opponent": "person"})
    assert refused.status_code == 422
    assert refused.json()["error"] == "bad_box"
    assert refused.json()["where"] == "rules"


def test_an_illegal_opening_is_refused(browser: Browser) -> None:
    for opening in ("99-1", "x", "9-13 9-13", "W:W1:B1 9-13"):
        request = {"rules": {"base": "american", "name": "mine", "ballots": [opening]}}
        refused = browser.post("/api/games", request)
        assert refused.status_code == 422, refused.text
        assert refused.json()["error"] == "bad_box"
        assert f"drawn by lot? The opening “{opening}” can’t" in refused.json()["message"]


def test_an_illegal_opening_is_reported_in_the_form(browser: Browser) -> None:
    custom = rules.load("american").replace(name="mine", ballots=["9-13 99-1"])
    page = browser.http.get(f"/box?r={box.encode(custom)}", headers=HTML)
    assert "“9-13 99-1” can’t be played" in page.text
    response = browser.http.get(form_url(base="american-3move", dark_corner="right")).json()
    assert response["rules"] is None
    assert "ballots" in response["problems"]


def test_only_the_diagram_of_the_notation_has_numbers(browser: Browser) -> None:
    html = browser.http.get(form_url(base="dama64")).json()["html"]
    pictures = dict(re.findall(r'<li id="p-(\w+)"[^>]*>.*?(<svg.*?)</svg>', html, re.DOTALL))
    assert len(pictures) > 10
    assert [topic for topic, picture in pictures.items() if "<text" in picture] == ["notation"]


def test_the_base_rule_set_does_not_change(browser: Browser) -> None:
    """The base stays even if the answers are now closer to another rule set."""
    answers = {key: ",".join(values) for key, values in box.answers(rules.load("russian")).items()}
    answers |= {"colours": "white", "precedence": "none", "rows": "2"}
    del answers["colours"]
    response = browser.http.get(form_url(base="american", title="Ours", **answers)).json()
    assert response["rules"]["base"] == "american"
    assert tomllib.loads(browser.http.get(response["file"]).text)["base"] == "american"
    page = browser.http.get(response["link"], headers=HTML).text
    assert '<option value="american" selected>' in page
    assert box.base_of(response["link"].partition("r=")[2]).name == "american"


def test_another_base_keeps_the_answers(browser: Browser) -> None:
    old = {key: values[0] for key, values in box.answers(rules.load("dama64")).items() if values}
    del old["colours"]
    answers = old | {"rows": "2", "title": "Ours"}
    response = browser.http.get(form_url(base="american", was="dama64", **answers)).json()
    rule_set = rules.from_dict(response["rules"])
    assert rule_set == rules.load("american").replace(name="ours", rows=2)


def test_another_base_keeps_the_lists_of_a_link(browser: Browser) -> None:
    openings = ["11-15 23-19"]
    custom = rules.load("american").replace(name="mine", ballots=openings)
    link = box.encode(custom, rules.load("american"))
    answers = {key: values[0] for key, values in box.answers(custom).items() if values}
    del answers["colours"]
    query = answers | {"r": link, "was": "american", "base": "thai", "title": "Ours"}
    page = browser.http.get("/box?" + urlencode(query), headers=HTML).text
    assert '<option value="thai" selected>' in page
    assert '<option value="own" selected>yes, from 1 opening</option>' in page
    response = browser.http.get(form_url(**query)).json()
    assert "ballots" in response["problems"], "the openings do not fit this base, but are kept"
    # The form on this page has its own link, which preserves the lists.
    match = re.search(r'name="r" value="([^"]+)"', page)
    assert match is not None
    response = browser.http.get(form_url(r=match[1], ballots="own", rows="3")).json()
    assert response["rules"] == {
        "base": "thai",
        "name": "my-box",
        "rows": 3,
        "ballots": openings,
    }


def test_the_lists_of_the_old_base_are_dropped(browser: Browser) -> None:
    query = {"was": "american-3move", "base": "russian", "ballots": "own", "material_draws": "own"}
    response = browser.http.get(form_url(title="Ours", **query)).json()
    assert response["rules"] == {"base": "russian", "name": "ours", "title": {"en": "Ours"}}


def test_the_colours_are_in_the_language_of_the_page(browser: Browser) -> None:
    page = browser.http.get("/box?lang=sk&base=american", headers=HTML).text
    assert re.findall(r'name="colours" value="([^"]+)"', page) == ["biely", "červený"]
    query = urlencode({"lang": "sk", "base": "american", "colours": ["biely", "Modrý"]}, doseq=True)
    response = browser.http.get(f"/api/box?{query}").json()
    assert response["rules"]["colours"] == ["white", "blue"]
    assert "biely, modrý" in response["html"]
    query = urlencode({"lang": "sk", "colours": ["biely", "z dreva"]}, doseq=True)
    response = browser.http.get(f"/api/box?{query}").json()
    assert response["rules"]["colours"] == ["white", "z dreva"]


def test_a_server_offers_its_own_rule_sets(tmp_path: Path) -> None:
    rule_set = rules.load("russian").replace(name="ours", rows=2, title={"en": "Our <box>"})
    with serving(tmp_path, boxes=(rule_set,)) as server, server.browser() as browser:
        page = browser.http.get("/").text
        assert "Our &lt;box&gt;" in page
        [link] = re.findall(r'href="(/box\?r=[^"]+)"', page)
        assert "8 men" in browser.http.get(link, headers=HTML).text
        [picture] = re.findall(r'src="(/box\.svg\?r=[^"]+)"', page)
        assert browser.http.get(picture).text == svg.mini(rule_set)


def test_a_picture_of_the_board_of_a_rule_set_or_a_link(browser: Browser) -> None:
    response = browser.http.get("/box.svg?base=turkish")
    assert response.headers["content-type"].startswith("image/svg+xml")
    assert response.text == svg.mini(rules.load("turkish"))
    assert browser.http.get("/box.svg?base=nonsense").status_code == 404
    assert browser.http.get("/box.svg?r=nonsense").status_code == 400


def test_rules_that_are_too_large_are_refused(browser: Browser) -> None:
    table = {"base": "dama64", "sources": ["x" * 299] * 400}
    assert browser.post("/api/games", {"rules": table}).status_code == 413


def test_a_rule_set_can_be_downloaded(browser: Browser) -> None:
    link = browser.http.get(form_url(base="russian", obligation="free", title="Mine")).json()[
        "file"
    ]
    response = browser.http.get(link)
    assert 'filename="mine.toml"' in response.headers["content-disposition"]
    assert tomllib.loads(response.text)["obligation"] == "free"
    assert rules.load(response.text).obligation == "free"


def test_a_broken_link_shows_an_error_page(browser: Browser) -> None:
    link = box.encode(rules.load("dama64").replace(name="mine", king_range="short"))
    for broken in (link[:-9], "garbage!", link + "A", "A" * 5000, "Я"):
        response = browser.http.get("/box", params={"r": broken}, headers=HTML)
        assert response.status_code == 400
        assert "This link is incomplete or damaged" in response.text
    assert browser.http.get("/box?base=nonsense", headers=HTML).status_code == 404


QUERIES = st.dictionaries(
    st.sampled_from(("r", "base", "title", "lang", *sorted(box.KEYS))),
    st.one_of(st.text(max_size=20), st.sampled_from(("dama64", "none", "own", "russian", "3"))),
    max_size=6,
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(QUERIES)
def test_no_query_causes_a_server_error(browser: Browser, query: dict[str, str]) -> None:
    for path in ("/box", "/api/box", "/box.toml"):
        response = browser.http.get(path, params=query, headers=HTML)
        assert response.status_code in (200, 400, 404, 422, 429), response.text
