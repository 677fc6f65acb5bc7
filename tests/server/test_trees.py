"""Requests of the analysis board: lines, trees and their limits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from damka import Game
from damka.live.files import MEDIA_TYPE
from tests.server.support import Browser


def origin(browser: Browser) -> str:
    return str(browser.http.base_url).rstrip("/")


def post(browser: Browser, path: str, body: Any, status: int = 200) -> dict[str, Any]:
    kind = "application/json" if not isinstance(body, str) else MEDIA_TYPE
    data = body if isinstance(body, str) else json.dumps(body)
    headers = {"content-type": kind, "origin": origin(browser)}
    answer = browser.http.post(path, content=data.encode(), headers=headers)
    assert answer.status_code == status, answer.text
    result: dict[str, Any] = answer.json()
    return result


def test_a_line_has_its_positions_and_the_possible_moves(browser: Browser) -> None:
    line = {"moves": ["22-18", "11-15"]}
    answer = post(browser, "/api/line?base=dama64", line)
    assert [each.get("text") for each in answer["positions"]] == [None, "22-18", "11-15"]
    assert [each["hub"] for each in answer["legal"]] == ["18x11x15"]
    assert answer["status"] == "White to move. The man on 18 must capture."
    assert answer["spoken"].startswith("Black: 11 to 15.")
    [last] = post(browser, "/api/line?base=dama64", {**line, "after": 2})["positions"]
    assert (last["ply"], last["pieces"]) == (2, answer["pieces"])
    refused = post(browser, "/api/line?base=dama64", {**line, "attempt": [23, 19]})
    assert refused["refusal"]["code"] == "must_capture"


def test_a_line_continues_after_a_draw_but_not_after_a_win(browser: Browser) -> None:
    kings = {"fen": "W:WK30:BK1", "moves": ["30-25", "1-6", "25-30", "6-1"] * 3}
    drawn = post(browser, "/api/line?base=russian", kings)
    assert drawn["result"]["winner"] is None
    assert drawn["legal"]
    won = post(browser, "/api/line?base=dama64", {"fen": "W:W22:B18", "moves": ["22x15x18"]})
    assert won["result"]["winner"] == "W"
    assert (won["legal"], won["counters"]) == ([], [])


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/line", {"moves": ["22-13"]}, 422, "bad_line"),
        ("/api/line", {"moves": ["(22)", "11-15"]}, 422, "bad_line"),
        ("/api/line", {"moves": ["22-18"] * 1001}, 422, "bad_field"),
        ("/api/line", {"fen": "W:W99:B1"}, 422, "bad_position"),
        ("/api/line", {"nonsense": 1}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": []}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": [{"marks": [["G", 33, 33]]}]}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": [{"marks": [["G\n", 1, 1]]}]}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": [{"children": [1]}, {"key": "1-2"}]}, 422, "bad_line"),
        ("/api/tree/pdn", {"nodes": [{}], "tags": {"a b": "c"}}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": [{}], "tags": {"a\n": "c"}}, 422, "bad_field"),
        ("/api/tree/pdn", {"nodes": [{"comment": "x" * 1_100_000}]}, 413, "too_large"),
        ("/api/tree", "1. nonsense", 422, "bad_file"),
    ],
)
def test_faulty_requests_are_refused(
    browser: Browser, path: str, body: Any, status: int, code: str
) -> None:
    refused = post(browser, f"{path}?base=dama64", body, status)
    assert refused["error"] == code
    assert refused["message"]


def test_a_tree_has_its_page_and_is_written_again(browser: Browser) -> None:
    read = post(browser, "/api/tree?base=dama64", "1. 22-18! {[%csl G18] so} (1. 23-18) 11-15 *")
    assert (read["path"], read["title"]) == ("/analyse/dama64", "Bulgarian box")
    written = post(browser, "/api/tree/pdn?base=dama64", read["tree"])
    assert written["name"] == "dama64.pdn"
    assert "1. 22-18 $1 {[%csl G18] so} (1. 23-18) 1... 11-15 *" in written["pdn"]
    picture = browser.http.get("/line.svg?base=dama64&moves=22-18,11-15")
    assert picture.headers["content-disposition"].endswith('"dama64-replay.svg"')
    assert picture.text.startswith("<svg")
    assert browser.http.get(f"/line.svg?base=dama64&moves={'22-18,' * 1500}").status_code == 422


def test_a_game_is_a_tree_with_its_huffs(browser: Browser) -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    game.play("8-13")
    headers = {"content-type": "application/json", "origin": origin(browser)}
    loaded = browser.http.post("/api/games/load", content=game.to_json(), headers=headers).json()
    tree = browser.http.get(f"/api/games/{loaded['id']}/tree").json()
    assert [node.get("text") for node in tree["tree"]["nodes"]] == [None, "33-29", "(32) 8-13"]
    page = browser.http.get(f"/analyse?game={loaded['id']}", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert browser.http.get("/api/games/nosuchgame/tree").status_code == 404
