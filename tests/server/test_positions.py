"""The board editor over HTTP: its page, checking and reading positions, and games from them."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from damka import Game, box, locales, rules
from damka.live.files import MEDIA_TYPE
from damka.locales import LANGUAGES
from damka.notation.fen import CODES
from damka.pages import analyse, rulesets
from tests.server.support import Browser

HTML = {"accept": "text/html"}
MAX_PAGE = 60_000
"""Maximum size of a page as it is sent, with its scripts and styles, in bytes."""
KITCHEN = rules.load("dama100").replace(
    name="kitchen", title={"en": "Kitchen"}, king_range="short", obligation="forced"
)


def check(browser: Browser, fen: str, **query: str) -> dict[str, Any]:
    parameters = urlencode({"base": "dama64", "fen": fen, **query})
    response = browser.http.get(f"/api/position?{parameters}")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def read(browser: Browser, text: str, status: int = 200, **query: str) -> dict[str, Any]:
    kind = "application/json" if text.startswith("{") else MEDIA_TYPE
    response = browser.http.post(
        f"/api/position?{urlencode({'base': 'dama64', **query})}",
        content=text.encode(),
        headers={"content-type": kind, "origin": str(browser.http.base_url).rstrip("/")},
    )
    assert response.status_code == status, response.text
    answer: dict[str, Any] = response.json()
    return answer


def state(browser: Browser, game: str) -> dict[str, Any]:
    live = browser.live(game)
    now = live.state()
    live.close()
    return now


def page_data(html: str) -> dict[str, Any]:
    match = re.search(r'id="page">(.*?)</script>', html)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_every_language_for_every_game(browser: Browser, language: str) -> None:
    for name in rules.names():
        page = browser.http.get(f"/analyse/{name}?lang={language}", headers=HTML)
        assert page.status_code == 200
        assert locales.translate(language, "edit.play") in page.text
        assert f'value="/analyse/{name}" data-board="' in page.text
        data = page_data(page.text)
        assert data["rules"]["title"] == rules.load(name).title_in(language)
        assert data["edit"]["rules"] == name
        assert "edit.say.loaded" in data["strings"]
    assert browser.http.get("/analyse", headers=HTML).status_code == 200
    assert browser.http.get("/analyse/nonsense", headers=HTML).status_code == 404


def test_the_page_is_small(browser: Browser) -> None:
    text = browser.http.get("/analyse/dama100", headers=HTML).text
    size, seen, queue = len(gzip.compress(text.encode())), set[str](), [text]
    while queue:
        content = queue.pop()
        folder = re.search(r"/static/[0-9a-f]+/", text)
        assert folder is not None
        names = re.findall(r"/static/[0-9a-f]+/([\w.]+\.(?:js|css))", content)
        names += re.findall(r'from\s*"\./([\w.]+)"|import\s*"\./([\w.]+)"', content)
        for name in {
            part for each in names for part in ([each] if isinstance(each, str) else each)
        }:
            if name and name not in seen:
                seen.add(name)
                file = browser.http.get(f"{folder[0]}{name}").text
                size += len(gzip.compress(file.encode()))
                queue.append(file)
    assert "analysis_board.js" in seen
    assert "board_view.js" in seen
    assert size <= MAX_PAGE


def test_house_rules_have_an_editor(browser: Browser) -> None:
    link = box.encode(KITCHEN)
    page = browser.http.get(f"/analyse?r={link}", headers=HTML)
    data = page_data(page.text)["edit"]
    assert data["path"] == f"/analyse?r={link}"
    assert f'value="/analyse?r={link}" data-board="dark-10-10-left" selected>Kitchen' in page.text
    # A king that moves one square has few moves.
    assert "2 legal moves" in check(browser, "W:WK50:B1", r=link)["sentence"]
    game = browser.post("/api/games", {"rules": data["rules"], "fen": "B:WK50:B1"})
    assert game.status_code == 201
    now = state(browser, game.json()["id"])
    assert (now["turn"], now["pieces"][49]) == ("B", "W")


@pytest.mark.parametrize("language", LANGUAGES)
def test_problems_have_the_librarys_codes_and_are_explained(
    browser: Browser, language: str
) -> None:
    crowning = check(browser, "W:W1,22:B31,K5", lang=language)
    assert crowning["problem"] == "crowning_row"
    assert crowning["squares"] == [1, 31]
    listing = locales.listing(language, ["1", "31"])
    sentence = locales.translate(language, "edit.fen.crowning_row", squares=listing)
    assert crowning["sentence"] == sentence
    texts = {
        "empty": "W:W:B",
        "no_pieces": "B:W21:B",
        "no_moves": "W:W21:B17,14",
        "square": "W:W21,x:B1",
        "off_board": "W:W33:B1",
        "duplicate": "W:W21,21:B1",
        "range": "W:W24-21:B1",
        "turn": "X:W21:B1",
        "group": "W",
        "group_twice": "W:W21:W22",
        "length": "W:W" + ",".join(["21"] * 400),
    }
    answers = {code: check(browser, fen, lang=language) for code, fen in texts.items()}
    assert {code: answer["problem"] for code, answer in answers.items()} == {
        code: code for code in texts
    }
    sentences = {answer["sentence"] for answer in answers.values()}
    assert len(sentences) == len(texts), "each has a sentence of its own"
    assert texts.keys() | {"crowning_row"} >= set(CODES)


def test_squares_are_named_as_on_the_board(browser: Browser) -> None:
    assert "b8" in check(browser, "W:W1,22:B5", base="russian")["sentence"]


def test_a_legal_position_says_who_moves(browser: Browser) -> None:
    assert check(browser, "W:W22:B5") == {
        "problem": None,
        "sentence": "White to move. 2 legal moves.",
        "squares": [],
    }
    assert check(browser, "W:W22:B18")["sentence"] == "White to move. 1 possible capture."


def test_a_position_is_read_from_fen_in_the_games_numbering(browser: Browser) -> None:
    text = '[FEN "W:WK30:B1"]'
    plain = read(browser, text, base="portuguese")
    assert plain["fen"] == "W:WK3:BK32"
    numbered = read(browser, text, base="portuguese", labels="false")
    assert numbered["fen"] == "W:WK30:B1"
    assert plain["path"] == "/analyse/portuguese"
    # A man that has reached its last row is a king.
    assert read(browser, "W:W1,22:B5")["fen"] == "W:WK1,22:B5"


def test_a_fen_that_does_not_fit_offers_both_games(browser: Browser) -> None:
    choice = read(browser, "W:W31-50:B1-20")["choice"]
    assert choice["named"] == "International draughts"
    assert choice["error"] == "This board has no square “31-50”."
    switched = read(browser, "W:W31-50:B1-20", read_as="named", game="1")
    assert switched["path"] == "/analyse/international"
    tagged = '[GameType "25"]\n[FEN "W:W22:B11"]\n*'
    choice = read(browser, tagged)["choice"]
    assert choice["error"] is None
    assert choice["sentence"].startswith("This is a game of “Russian draughts”")
    kept = read(browser, tagged, read_as="chosen", game="1")
    assert (kept["path"], kept["fen"]) == ("/analyse/dama64", "W:W22:B11")
    assert read(browser, tagged, read_as="named", game="1")["path"] == "/analyse/russian"


def test_a_game_gives_its_last_and_its_first_position(browser: Browser) -> None:
    game = Game("dama64", "W:W22,30:B11,5")
    for move in ("22-18", "11-16"):
        game.play(move)
    for text in (game.pdn(), game.to_json()):
        answer = read(browser, text)
        assert answer["start"] == "W:W22,30:B5,11"
        assert (answer["fen"], answer["plies"]) == (game.board.fen, 2)
    two = read(browser, game.pdn() + "\n" + game.pdn())
    assert [each["number"] for each in two["games"]] == [1, 2]
    assert read(browser, game.pdn() + "\n" + game.pdn(), game="2")["plies"] == 2


def test_a_text_without_a_position_is_refused(browser: Browser) -> None:
    assert "hello" in read(browser, "hello", 422)["message"]
    wrong = read(browser, "W:W22,x:B5", 422)
    assert (wrong["error"], wrong["detail"]) == ("bad_position", "square")
    assert wrong["message"].startswith("“x” is not a square")
    assert read(browser, "W:W22:B5", 422, after="x")["error"] == "bad_field"


@pytest.mark.parametrize(("colour", "side"), [("first", "B"), ("second", "W")])
def test_a_game_starts_from_a_position(browser: Browser, colour: str, side: str) -> None:
    """The side to move is the first player, whichever colour moves first in the game."""
    body = {"rules": "dama64", "fen": "B:W22,K30:B11", "level": 1, "colour": colour}
    game = browser.post("/api/games", body)
    assert game.status_code == 201, game.text
    now = state(browser, game.json()["id"])
    assert now["you"] == [side]
    assert now["pieces"].count("W") == 1


def test_a_rematch_starts_from_the_same_position(browser: Browser) -> None:
    body = {"rules": "russian", "opponent": "person", "fen": "W:W22:B11", "colour": "first"}
    game = browser.post("/api/games", body).json()["id"]
    live = browser.live(game)
    live.state()
    live.send("resign", side="W")
    live.state(lambda now: now["result"] is not None)
    rematch = browser.post(f"/api/games/{game}/rematch").json()["id"]
    assert state(browser, rematch)["pieces"].count("w") == 1


def test_a_game_cannot_start_from_an_illegal_position(browser: Browser) -> None:
    body = {"rules": "dama64", "fen": "W:W1:B5"}
    response = browser.post("/api/games", body)
    assert response.status_code == 422
    assert response.json()["error"] == "bad_position"
    assert response.json()["detail"] == "crowning_row"
    rated = {**body, "fen": "W:W22:B5", "opponent": "invite", "rated": True}
    assert browser.post("/api/games", rated).status_code == 422


def test_an_invitation_starts_from_a_position(browser: Browser) -> None:
    body = {"rules": "dama64", "opponent": "invite", "fen": "W:W22:B5", "colour": "first"}
    game = browser.post("/api/games", body).json()["id"]
    assert state(browser, game)["invitation"]["code"]


def test_the_picture_shows_the_position(browser: Browser) -> None:
    response = browser.http.get("/position.svg?base=dama64&fen=W:WK22:B5")
    assert response.headers["content-type"].startswith("image/svg+xml")
    assert 'filename="dama64.svg"' in response.headers["content-disposition"]
    assert "<title>white K22, black 5</title>" in response.text
    flipped = browser.http.get("/position.svg?base=dama64&fen=W:WK22:B5&flip=1")
    assert flipped.text != response.text
    assert browser.http.get("/position.svg?base=dama64&fen=W:W99:B5").status_code == 422


def test_openings_that_do_not_fit_a_link_are_left_out(browser: Browser) -> None:
    board = rules.load("russian")
    squares = random.Random(1).choices(range(1, 33), k=24_000)
    openings = [
        f"{n}. {n * 7919}: W:WK{a}:BK{b}"
        for n, (a, b) in enumerate(itertools.pairwise(squares), 1)
        if a != b
    ]
    crowded = board.replace(name="crowded", rows=2, ballots=tuple(openings[:2000]))
    assert rulesets.change(crowded) == ""
    query = analyse.data(crowded, "en")["query"]
    answer = browser.http.get(f"/api/position?{query}&fen=W:WK1:BK32")
    assert answer.status_code == 200, answer.text
    assert analyse.data(crowded, "en")["path"] == f"/analyse?{query}"
