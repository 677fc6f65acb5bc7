"""The page of a level, and the limits of its requests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from damka import box
from damka.study import lessons
from tests.server.support import Browser
from tests.support import RULE_SETS


def test_an_unknown_level_leads_to_the_path(browser: Browser) -> None:
    answer = browser.http.get("/learn/dama64/nonsense", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/learn/dama64?missing=1"
    link = box.encode(RULE_SETS["dama64"].replace(name="kitchen", man_capture="all"))
    answer = browser.http.get(f"/learn/-/nonsense?r={link}", follow_redirects=False)
    assert answer.headers["location"] == f"/learn/-?r={link}&missing=1"


def test_a_page_has_its_level_before_any_script(browser: Browser) -> None:
    level = lessons.course(RULE_SETS["dama64"]).level("capture.jump")
    assert level is not None
    text = browser.http.get("/learn/dama64/capture.jump?lang=it").text
    assert level.task("it") in text
    assert "14x5x9" in text, "the possible moves"
    assert "solutions" not in text
    assert browser.http.get("/learn/chess/capture.jump").status_code == 404
    assert browser.http.get("/learn/-/capture.jump?r=nonsense").status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"level": "capture.jump", "answer": [14, 5]}, 200),
        ({"level": "capture.jump", "answer": []}, 422),
        ({"level": "capture.jump", "answer": [1] * 200}, 422),
        ({"level": "capture.jump", "answer": "14-5"}, 422),
        ({"level": "capture.jump", "answer": [14, 5], "mistakes": -1}, 422),
        ({"level": "capture.jump"}, 422),
        ({"level": "nonsense", "answer": 1}, 404),
        ("{", 400),
    ],
)
def test_answers_have_limits(browser: Browser, body: Any, status: int) -> None:
    data = body if isinstance(body, str) else json.dumps(body)
    origin = str(browser.http.base_url).rstrip("/")
    headers = {"content-type": "application/json", "origin": origin}
    answer = browser.http.post("/api/lesson/answer?base=dama64", content=data, headers=headers)
    assert answer.status_code == status, answer.text
    stranger = {**headers, "origin": "https://elsewhere.example"}
    refused = browser.http.post("/api/lesson/answer?base=dama64", content=data, headers=stranger)
    assert refused.status_code == 403
