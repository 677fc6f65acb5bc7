"""Games that a page saves and loads in Portable Draughts Notation."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from damka import Game, box, pdn, rules
from damka.errors import PdnError
from damka.live import pdn_files
from damka.live.pdn_files import MEDIA_TYPE
from damka.locales import LANGUAGES
from damka.server.settings import Limits
from tests.server.support import LIMITS, Browser, serving

TWO = (
    '[White "Ana"]\n[Black "Bo"]\n[Date "2024.05.??"]\n[GameType "20"]\n[Result "1-1"]\n\n'
    "1. 32-28 19-23 2. 28x19 14x23 {quiet} (2... 13x24 3. 33-28) 1-1\n\n"
    '[White "Ci"]\n[GameType "25"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n'
)


def load(browser: Browser, text: str | bytes, **query: Any) -> httpx.Response:
    return browser.http.post(
        "/api/games/load", content=text, params=query, headers={"content-type": MEDIA_TYPE}
    )


def loaded(browser: Browser, text: str | bytes, **query: Any) -> dict[str, Any]:
    answer = load(browser, text, **query)
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = browser.live(answer.json()["id"]).state()
    return state


def moves(state: dict[str, Any]) -> list[str]:
    return [ply["text"] for ply in state["history"]]


def test_a_game_is_saved_and_loaded(browser: Browser) -> None:
    game = browser.new_game(rules="international", names=["Ana", "Бо"])
    live = browser.live(game)
    live.state()
    live.play("32-28")
    live.play("19-23")
    answer = browser.http.get(f"/api/games/{game}/pdn")
    assert answer.headers["content-type"] == f"{MEDIA_TYPE}; charset=utf-8"
    day = datetime.now(UTC).date()
    file = f"damka-international-{day.isoformat()}.pdn"
    assert answer.headers["content-disposition"] == f'attachment; filename="{file}"'
    [read] = pdn.read(answer.text)
    assert read.headers == {
        "Date": day.strftime("%Y.%m.%d"),
        "White": "Ana",
        "Black": "Бо",
        "WhiteType": "human",
        "BlackType": "human",
        "Result": "*",
        "GameType": "20,W,10,10,N2,0",
    }
    state = loaded(browser, answer.content)
    assert moves(state) == ["32-28", "19-23"]
    assert {side: each["name"] for side, each in state["players"].items()} == {
        "W": "Ana",
        "B": "Бо",
    }


def test_a_game_against_the_computer_goes_on_against_it(browser: Browser) -> None:
    game = browser.new_game(rules="dama64", opponent="computer", level=2, colour="first")
    answer = browser.http.get(f"/api/games/{game}/pdn")
    [read] = pdn.read(answer.text)
    assert read.headers["Black"] == "Damka, level 2"
    assert (read.headers["WhiteType"], read.headers["BlackType"]) == ("human", "program")
    state = loaded(browser, answer.content, opponent="person")
    assert state["players"]["B"]["kind"] == "computer"


@pytest.mark.parametrize("name", ["dama64", "dama100", "american-11man", "turkish", "frisian"])
def test_a_loaded_game_is_the_saved_one(browser: Browser, name: str) -> None:
    lots = random.Random(name)
    openings = rules.load(name).openings
    game = Game(name, ballot=1 if openings else None)
    for _ in range(40):
        if game.result is None:
            game.play(lots.choice((*game.legal_moves, *game.offence_moves)))
        if game.result is None and game.offences:
            game.huff(game.offences[0])
    id_ = browser.load_game(game.to_json())
    saved = browser.http.get(f"/api/games/{id_}/pdn").text
    again = load(browser, saved)
    assert again.status_code == 201, again.text
    file = browser.http.get(f"/api/games/{again.json()['id']}/file").text
    assert Game.from_json(file).events == game.events
    assert Game.from_json(file).rules == game.rules


def test_a_house_box_goes_with_its_game(browser: Browser) -> None:
    mine = rules.load("dama64").replace(name="mine", king_landing="any", title={"en": "Nonna"})
    made = browser.post("/api/games", {"rules": box.table(mine), "opponent": "person"})
    saved = browser.http.get(f"/api/games/{made.json()['id']}/pdn").text
    again = load(browser, saved)
    file = browser.http.get(f"/api/games/{again.json()['id']}/file").text
    assert Game.from_json(file).rules == mine
    assert Game.from_json(file).rules.title == {"en": "Nonna"}


def test_several_games_are_listed(browser: Browser) -> None:
    answer = load(browser, TWO)
    assert answer.status_code == 200
    assert answer.json() == {
        "games": [
            {
                "number": 1,
                "white": "Ana",
                "black": "Bo",
                "date": "2024.05",
                "result": "1-1",
                "rules": rules.load("international").title_in("en"),
                "plies": 4,
            },
            {
                "number": 2,
                "white": "Ci",
                "black": "",
                "date": "",
                "result": "*",
                "rules": rules.load("russian").title_in("en"),
                "plies": 3,
            },
        ],
        "more": False,
    }
    assert moves(loaded(browser, TWO, game=2)) == ["c3-d4", "d6-c5", "b2-c3"]
    first = loaded(browser, TWO, game=1)
    assert moves(first) == ["32-28", "19-23", "28x19", "14x23"], "the main line"
    assert first["result"]["reason"] == "agreement"


def test_games_that_are_wrong_are_listed_with_what_is_wrong(browser: Browser) -> None:
    text = TWO.replace("19-23 2.", "19-24 2.").replace("1. c3-d4", "1. c3-e5") + "\n1. 32-28 *\n"
    games = load(browser, text).json()["games"]
    assert [each["number"] for each in games] == [1, 2, 3]
    assert games[0]["error"].startswith("Game 1, line 7, column 19: 28x19")
    assert "error" not in games[2]
    answer = load(browser, text, game=1)
    assert (answer.status_code, answer.json()["message"]) == (422, games[0]["error"])
    assert moves(loaded(browser, text, game=3)) == ["32-28"]
    assert load(browser, text, game=4).status_code == 422


@pytest.mark.parametrize(
    ("text", "rules_", "played"),
    [
        ("1. 32-28 19-23 *", "international", 2),
        ("1. c3-d4 d6-c5", "russian", 2),
        ('[FEN "W:W22,23:B9"]\n[GameType "21"]\n*', "american", 0),
        ("W:W31-50:B1-20", "international", 0),
        (" B:Wc3,e3:Bf6,h8 \n", "russian", 0),
        ('/FEN "W:W32:B19"/ 1. 32-28', None, 1),
    ],
)
def test_positions_and_games_without_a_type(
    browser: Browser, text: str, rules_: str | None, played: int
) -> None:
    answer = load(browser, text)
    assert answer.status_code == 201, answer.text
    file = Game.from_json(browser.http.get(f"/api/games/{answer.json()['id']}/file").text)
    assert rules_ in (None, file.rules.name)
    assert len(file.moves) == played


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1251", "koi8-r"])
def test_any_encoding(browser: Browser, encoding: str) -> None:
    text = '[White "Чижов Алексей"]\n[GameType "25"]\n\n1. c3-d4 *\n'
    state = loaded(browser, text.encode(encoding))
    assert state["players"]["W"]["name"] == "Чижов Алексей"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[GameType "20"] 1. 32-28 19-23\n2. 33-29 *', (1, 2, 4)),
        ("1. 32-28 {a {b} c} *", (1, 1, 13)),
        ("1. 32-28 {a", (1, 1, 10)),
        ("1. 32-28 banana *", (1, 1, 10)),
        ('[White "a"]\n[FEN "x"]\n\n1. 32-28 *', (1, 2, 2)),
        ('[Rules "{}"]\n\n1. 32-28 *', (1, 1, 2)),
        ("\n\n" + "(" * 70 + "1. 32-28", (1, 3, 65)),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_with_its_place(
    browser: Browser, text: str, place: tuple[int, int, int], language: str
) -> None:
    answer = load(browser, text, lang=language)
    assert (answer.status_code, answer.json()["error"]) == (422, "bad_file")
    message = answer.json()["message"]
    assert tuple(map(int, re.findall(r"\d+", message)[:3])) == place, message
    assert "{what}" not in message
    if language != "en":
        assert message != load(browser, text, lang="en").json()["message"]


@pytest.mark.parametrize("text", ["", "\n \n", "{a remark}", "% nothing"])
def test_no_game_at_all(browser: Browser, text: str) -> None:
    answer = load(browser, text)
    assert answer.status_code == 422
    assert "no game in it" in answer.json()["message"]


def test_every_code_has_its_sentence() -> None:
    for code in (*pdn.FAULTS, "slow", "other"):
        for language in LANGUAGES:
            assert pdn_files.said(PdnError("x", code=code), language)


def test_limits(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "1. 32-28 *\n" * (pdn_files.MAX_GAMES + 1)
    found = load(browser, many).json()
    assert (len(found["games"]), found["more"]) == (pdn_files.MAX_GAMES, True)
    assert load(browser, many, game=pdn_files.MAX_GAMES + 1).status_code == 422
    bad = load(browser, '[White "a"]\n\n1. c3-e5 *\n\n' * 20_000).json()
    assert (len(bad["games"]), bad["more"]) == (pdn_files.MAX_GAMES, True)
    long = '[FEN "W:WK1:BK50"] ' + "1-7 50-44 7-1 44-50 " * (pdn_files.MAX_PLIES // 4 + 1)
    assert "more moves" in load(browser, long).json()["message"]
    # Times are compared with the clock's next reading.
    monkeypatch.setattr(pdn_files, "SECONDS", -1.0)
    answer = load(browser, TWO)
    assert "too long" in answer.json()["message"]


def test_moves_that_go_on_after_the_end(browser: Browser) -> None:
    text = '[FEN "W:WK1:BK50"] ' + "1-7 50-44 7-1 44-50 " * 30
    answer = load(browser, text)
    assert answer.status_code == 422
    assert answer.json()["message"] == "1-7: The game is over."


def test_the_size_of_a_file(tmp_path: Any) -> None:
    limits = Limits(post_burst=1000, body_bytes=1000, pdn_bytes=3000)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        text = "1. 32-28 * " + "{x} " * 400
        assert load(browser, text).status_code == 201
        assert load(browser, text * 2).status_code == 413
        # Nothing else may be so large.
        assert browser.http.post("/api/games/load", content=text).status_code == 413
        headers = {"content-type": MEDIA_TYPE}
        answer = browser.http.post("/api/games", content=b" " * 2000, headers=headers)
        assert answer.status_code == 413
    assert LIMITS.pdn_bytes > LIMITS.body_bytes


def test_a_file_that_is_not_there(browser: Browser) -> None:
    assert browser.http.get("/api/games/AAAAAAAAAAAAAAAAAAAAAA/pdn").status_code == 404
