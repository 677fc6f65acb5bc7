"""Requests of the board editor on the static site."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from damka import box, rules
from damka.live.files import MEDIA_TYPE
from damka_site import Answer, Games, Requests


def ask(path: str, body: str | None = None, kind: str = MEDIA_TYPE) -> Answer:
    """Handle a request that needs no store."""
    data = None if body is None else body.encode()
    requests = Requests(cast("Games", None))
    return asyncio.run(requests.answer(path, data, kind, "en"))


def values(answer: Answer) -> Any:
    assert answer.status == 200, answer.text
    return json.loads(answer.text)


def test_a_position_is_checked_read_and_drawn() -> None:
    checked = values(ask("/api/position?base=dama64&fen=W:W1:B5"))
    assert (checked["problem"], checked["squares"]) == ("crowning_row", [1])
    read = values(ask("/api/position?base=dama64", "W:W22:B5"))
    assert (read["path"], read["fen"]) == ("/analyse/dama64", "W:W22:B5")
    numbered = values(ask("/api/position?base=portuguese&labels=false&lang=en", "W:WK30:BK1"))
    assert numbered["fen"] == "W:WK30:BK1"
    picture = ask("/position.svg?base=dama64&fen=W:W22:B5&flip=1")
    assert (picture.type, picture.name) == ("image/svg+xml", "dama64.svg")
    assert picture.text.startswith("<svg")
    refused = ask("/api/position?base=dama64", "W:W99:B5")
    assert "This board has no square “99”." in json.loads(refused.text)["message"]


def test_house_rules_have_the_editors_data() -> None:
    house = rules.load("dama100").replace(
        name="kitchen", title={"en": "Kitchen"}, king_range="short"
    )
    link = box.encode(house)
    start = values(ask(f"/analyse?r={link}"))
    assert start["title"] == start["page"]["rules"]["title"] == "Kitchen"
    assert start["edit"]["path"] == f"/analyse?r={link}"
    assert rules.from_dict(start["edit"]["rules"]) == house


def test_trees_and_lines_as_on_a_server() -> None:
    read = values(ask("/api/tree?base=dama64", "1. 22-18! {[%csl G18] so} (1. 23-18) 11-15 *"))
    assert read["path"] == "/analyse/dama64"
    body = json.dumps(read["tree"])
    written = values(ask("/api/tree/pdn?base=dama64", body, "application/json"))
    assert "1. 22-18 $1 {[%csl G18] so} (1. 23-18) 1... 11-15 *" in written["pdn"]
    line = json.dumps({"moves": ["22-18", "11-15"]})
    answer = values(ask("/api/line?base=dama64", line, "application/json"))
    assert [each["hub"] for each in answer["legal"]] == ["18x11x15"]
    picture = ask("/line.svg?base=dama64&moves=22-18")
    assert (picture.type, picture.name) == ("image/svg+xml", "dama64-replay.svg")


def test_lessons_as_on_a_server() -> None:
    told = values(ask("/api/lesson?base=dama64&level=capture.jump"))
    assert (told["number"], told["goal"]["kind"]) == (3, "move")
    hint = values(ask("/api/lesson/hint?base=dama64&level=capture.jump&hint=2"))
    assert hint["squares"] == [14]
    given = json.dumps({"level": "capture.jump", "answer": [14, 5]})
    verdict = values(ask("/api/lesson/answer?base=dama64", given, "application/json"))
    assert (verdict["done"], verdict["stars"]) == (True, 3)
    assert ask("/api/lesson?base=dama64&level=nonsense").status == 404
