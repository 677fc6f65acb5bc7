"""Saving and loading games in Portable Draughts Notation over HTTP."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, get_args

import httpx
import pytest

from damka import Game, box, pdn, rules
from damka.errors import PdnError
from damka.live import pdn_files
from damka.live.pdn_files import MEDIA_TYPE
from damka.locales import LANGUAGES
from damka.result import Reason, Result
from damka.server.settings import Limits
from tests.server import online
from tests.server.support import LIMITS, Browser, Server, serving

TWO_GAMES = (
    '[White "Ana"]\n[Black "Bo"]\n[Date "2024.05.??"]\n[GameType "20"]\n[Result "1-1"]\n\n'
    "1. 32-28 19-23 2. 28x19 14x23 {quiet} (2... 13x24 3. 33-28) 1-1\n\n"
    '[White "Ci"]\n[GameType "25"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n'
)


def load(browser: Browser, text: str | bytes, **query: Any) -> httpx.Response:
    return browser.http.post(
        "/api/games/load", content=text, params=query, headers={"content-type": MEDIA_TYPE}
    )


def load_state(browser: Browser, text: str | bytes, **query: Any) -> dict[str, Any]:
    response = load(browser, text, **query)
    assert response.status_code == 201, response.text
    state: dict[str, Any] = browser.live(response.json()["id"]).state()
    return state


def move_texts(state: dict[str, Any]) -> list[str]:
    return [ply["text"] for ply in state["history"]]


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (None, "-"),
        ({"kind": "sudden", "seconds": 600}, "600"),
        ({"kind": "fischer", "seconds": 180, "increment": 2}, "180+2"),
        ({"kind": "fischer", "seconds": 0, "increment": 2}, "3+2"),
        ({"kind": "delay", "seconds": 300, "increment": 3}, "300d3"),
        ({"kind": "days", "seconds": 2 * 86400}, "1/172800"),
    ],
)
def test_the_file_of_an_online_game_records_its_site_and_clock(
    server: Server, browser: Browser, clock: dict[str, Any] | None, expected: str
) -> None:
    with server.browser() as guest:
        first, second = online.start_online_game(browser, guest, clock=clock)
        game = first.current["id"]
        text = browser.http.get(f"/api/games/{game}/pdn").text
        [game_record] = pdn.read(text)
        assert list(game_record.headers)[:4] == ["Event", "Site", "Date", "Round"]
        assert game_record.headers["Event"] == "Casual game"
        assert game_record.headers["Site"] == f"{server.url}/game/{game}"
        assert game_record.headers["Round"] == "-"
        assert game_record.headers["TimeControl"] == expected
        assert "Termination" not in game_record.headers
        online.play(first, second, "22-18 11-15")
        second.send("resign")
        first.state(lambda state: state["result"])
        text = browser.http.get(f"/api/games/{game}/pdn").text
        [game_record] = pdn.read(text)
        assert game_record.headers["Termination"] == "resignation"
        assert Game.from_pdn(text).result == Result("W", "resignation")


def draw_by_agreement(game: Game) -> None:
    game.offer_draw("W")
    game.accept_draw("B")


ENDINGS: Final[dict[Reason, Callable[[Game], object]]] = {
    "resignation": lambda game: game.resign("B"),
    "agreement": draw_by_agreement,
    "time": lambda game: game.flag("B"),
    "time_draw": lambda game: game.flag("B", drawn=True),
    "abandonment": lambda game: game.abandon("B"),
    "abandonment_draw": lambda game: game.abandon("B", drawn=True),
    "aborted": lambda game: game.abort("W"),
}
"""Results that do not follow from the moves."""


@pytest.mark.parametrize("reason", ENDINGS)
def test_every_result_survives_a_round_trip(reason: Reason) -> None:
    from_moves = {"no_pieces", "no_moves", "breakthrough", "repetition", "same_move"}
    by_counting = {"no_progress", "material", "move_limit"}
    assert {*ENDINGS, *from_moves, *by_counting} == set(get_args(Reason))
    game = Game("dama64")
    game.play("22-18")
    ENDINGS[reason](game)
    text = game.pdn({"Event": "Open", "Site": "Assen", "Round": "2", "TimeControl": "600+5"})
    assert Game.from_pdn(text).result == game.result
    [game_record] = pdn.read(text)
    assert game_record.headers["Termination"] == reason
    assert game_record.headers["TimeControl"] == "600+5"


def test_a_game_is_saved_and_loaded(browser: Browser) -> None:
    game = browser.new_game(rules="international", names=["Ana", "Бо"])
    live = browser.live(game)
    live.state()
    live.play("32-28")
    live.play("19-23")
    response = browser.http.get(f"/api/games/{game}/pdn")
    assert response.headers["content-type"] == f"{MEDIA_TYPE}; charset=utf-8"
    day = datetime.now(UTC).date()
    file = f"damka-international-{day.isoformat()}.pdn"
    assert response.headers["content-disposition"] == f'attachment; filename="{file}"'
    [game_record] = pdn.read(response.text)
    assert game_record.headers == {
        "Date": day.strftime("%Y.%m.%d"),
        "White": "Ana",
        "Black": "Бо",
        "WhiteType": "human",
        "BlackType": "human",
        "Result": "*",
        "GameType": "20,W,10,10,N2,0",
    }
    state = load_state(browser, response.content)
    assert move_texts(state) == ["32-28", "19-23"]
    assert {side: each["name"] for side, each in state["players"].items()} == {
        "W": "Ana",
        "B": "Бо",
    }


def test_a_loaded_game_keeps_the_computer_as_opponent(browser: Browser) -> None:
    game = browser.new_game(rules="dama64", opponent="computer", level=2, colour="first")
    response = browser.http.get(f"/api/games/{game}/pdn")
    [game_record] = pdn.read(response.text)
    assert game_record.headers["Black"] == "Damka, level 2"
    assert (game_record.headers["WhiteType"], game_record.headers["BlackType"]) == (
        "human",
        "program",
    )
    state = load_state(browser, response.content, opponent="person")
    assert state["players"]["B"]["kind"] == "computer"


@pytest.mark.parametrize("name", ["dama64", "dama100", "american-11man", "turkish", "frisian"])
def test_a_loaded_game_equals_the_saved_one(browser: Browser, name: str) -> None:
    rng = random.Random(name)
    openings = rules.load(name).openings
    game = Game(name, ballot=1 if openings else None)
    for _ in range(40):
        if game.result is None:
            game.play(rng.choice((*game.legal_moves, *game.offence_moves)))
        if game.result is None and game.offences:
            game.huff(game.offences[0])
    game_id = browser.load_game(game.to_json())
    saved = browser.http.get(f"/api/games/{game_id}/pdn").text
    response = load(browser, saved)
    assert response.status_code == 201, response.text
    file = browser.http.get(f"/api/games/{response.json()['id']}/file").text
    assert Game.from_json(file).events == game.events
    assert Game.from_json(file).rules == game.rules


def test_a_file_includes_custom_rules(browser: Browser) -> None:
    custom = rules.load("dama64").replace(name="mine", king_landing="any", title={"en": "Nonna"})
    created = browser.post("/api/games", {"rules": box.table(custom), "opponent": "person"})
    saved = browser.http.get(f"/api/games/{created.json()['id']}/pdn").text
    response = load(browser, saved)
    file = browser.http.get(f"/api/games/{response.json()['id']}/file").text
    assert Game.from_json(file).rules == custom
    assert Game.from_json(file).rules.title == {"en": "Nonna"}


def test_several_games_are_listed(browser: Browser) -> None:
    response = load(browser, TWO_GAMES)
    assert response.status_code == 200
    assert response.json() == {
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
    assert move_texts(load_state(browser, TWO_GAMES, game=2)) == ["c3-d4", "d6-c5", "b2-c3"]
    first = load_state(browser, TWO_GAMES, game=1)
    assert move_texts(first) == ["32-28", "19-23", "28x19", "14x23"], "the main line"
    assert first["result"]["reason"] == "agreement"


def test_invalid_games_are_listed_with_their_errors(browser: Browser) -> None:
    text = (
        TWO_GAMES.replace("19-23 2.", "19-24 2.").replace("1. c3-d4", "1. c3-e5") + "\n1. 32-28 *\n"
    )
    games = load(browser, text).json()["games"]
    assert [each["number"] for each in games] == [1, 2, 3]
    assert games[0]["error"].startswith("Game 1, line 7, column 19: 28x19")
    assert "error" not in games[2]
    response = load(browser, text, game=1)
    assert (response.status_code, response.json()["message"]) == (422, games[0]["error"])
    assert move_texts(load_state(browser, text, game=3)) == ["32-28"]
    assert load(browser, text, game=4).status_code == 422


@pytest.mark.parametrize(
    ("text", "name", "plies"),
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
    browser: Browser, text: str, name: str | None, plies: int
) -> None:
    response = load(browser, text)
    assert response.status_code == 201, response.text
    file = Game.from_json(browser.http.get(f"/api/games/{response.json()['id']}/file").text)
    assert name in (None, file.rules.name)
    assert len(file.moves) == plies


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1251", "koi8-r"])
def test_files_of_several_encodings_are_read(browser: Browser, encoding: str) -> None:
    text = '[White "Чижов Алексей"]\n[GameType "25"]\n\n1. c3-d4 *\n'
    state = load_state(browser, text.encode(encoding))
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
def test_an_error_is_reported_with_its_position(
    browser: Browser, text: str, place: tuple[int, int, int], language: str
) -> None:
    response = load(browser, text, lang=language)
    assert (response.status_code, response.json()["error"]) == (422, "bad_file")
    message = response.json()["message"]
    assert tuple(map(int, re.findall(r"\d+", message)[:3])) == place, message
    assert "{what}" not in message
    if language != "en":
        assert message != load(browser, text, lang="en").json()["message"]


@pytest.mark.parametrize("text", ["", "\n \n", "{a remark}", "% nothing"])
def test_a_text_without_a_game_is_refused(browser: Browser, text: str) -> None:
    response = load(browser, text)
    assert response.status_code == 422
    assert "No game found." in response.json()["message"]


def test_every_error_code_has_a_message() -> None:
    for code in (*pdn.FAULTS, "slow", "other"):
        for language in LANGUAGES:
            assert pdn_files.error_message(PdnError("x", code=code), language)


def test_limits_of_games_moves_and_time(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "1. 32-28 *\n" * (pdn_files.MAX_GAMES + 1)
    listed = load(browser, many).json()
    assert (len(listed["games"]), listed["more"]) == (pdn_files.MAX_GAMES, True)
    assert load(browser, many, game=pdn_files.MAX_GAMES + 2).status_code == 422
    invalid = load(browser, '[White "a"]\n\n1. c3-e5 *\n\n' * 20_000).json()
    assert (len(invalid["games"]), invalid["more"]) == (pdn_files.MAX_GAMES, True)
    too_long = '[FEN "W:WK1:BK50"] ' + "1-7 50-44 7-1 44-50 " * (pdn_files.MAX_PLIES // 4 + 1)
    assert "more moves" in load(browser, too_long).json()["message"]
    # A negative limit, so that any elapsed time exceeds it.
    monkeypatch.setattr(pdn_files, "SECONDS", -1.0)
    response = load(browser, TWO_GAMES)
    assert "too long" in response.json()["message"]


def test_moves_after_the_end_of_the_game_are_refused(browser: Browser) -> None:
    text = '[FEN "W:WK1:BK50"] ' + "1-7 50-44 7-1 44-50 " * 30
    response = load(browser, text)
    assert response.status_code == 422
    assert response.json()["message"] == "1-7: The game is over."


def test_pdn_files_have_their_own_size_limit(tmp_path: Any) -> None:
    limits = Limits(post_burst=1000, body_bytes=1000, pdn_bytes=3000)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        text = "1. 32-28 * " + "{x} " * 400
        assert load(browser, text).status_code == 201
        assert load(browser, text * 2).status_code == 413
        # No other body may be this large.
        assert browser.http.post("/api/games/load", content=text).status_code == 413
        headers = {"content-type": MEDIA_TYPE}
        response = browser.http.post("/api/games", content=b" " * 2000, headers=headers)
        assert response.status_code == 413
    assert LIMITS.pdn_bytes > LIMITS.body_bytes


def test_the_file_of_an_unknown_game_is_not_found(browser: Browser) -> None:
    assert browser.http.get("/api/games/AAAAAAAAAAAAAAAAAAAAAA/pdn").status_code == 404


# Rules chosen on the page


def rules_of(browser: Browser, response: httpx.Response) -> str:
    assert response.status_code == 201, response.text
    file = browser.http.get(f"/api/games/{response.json()['id']}/file").text
    return Game.from_json(file).rules.name


@pytest.mark.parametrize("chosen", ["american", "russian", "italian", "pool"])
@pytest.mark.parametrize(
    "text", ["W:W22:B9", '[White "Ana"]\n\n[GameType "?"]\n*', "*\n1. 23-19 *"]
)
def test_a_text_without_a_tag_is_read_by_the_chosen_rules(
    browser: Browser, chosen: str, text: str
) -> None:
    if text.endswith("1. 23-19 *"):
        first_side = rules.load(chosen).first
        text = "1. 23-19 *" if first_side == "W" else "1. 11-15 *"
        if chosen == "russian":
            text = "1. c3-d4 *"
    assert rules_of(browser, load(browser, text, rules=chosen)) == chosen


def test_labels_match_the_chosen_game(browser: Browser) -> None:
    response = load(browser, "W:W22,23:B9", rules="spanish")
    file = Game.from_json(browser.http.get(f"/api/games/{response.json()['id']}/file").text)
    assert pdn.read('[GameType "24"]\n[FEN "W:W22,23:B9"]\n*').__next__().fen == file.start_fen


@pytest.mark.parametrize(
    "tag", ['[GameType "25"]', '[GameType "25,W,8,8,A0,0"]', '[Variant "russian"]']
)
def test_a_file_of_another_game_offers_both_readings(browser: Browser, tag: str) -> None:
    text = f"{tag}\n\n1. c3-d4 d6-c5 *"
    response = load(browser, text, rules="brazilian")
    assert response.status_code == 200, response.text
    data = response.json()
    russian, brazilian = (rules.load(name).title_in("en") for name in ("russian", "brazilian"))
    assert data["choice"] == {
        "number": 1,
        "sentence": f"This is a game of “{russian}”, but you chose “{brazilian}”.",
        "named": russian,
        "chosen": brazilian,
        "error": None,
    }
    assert (data["games"], data["more"]) == ([], False)
    for read_as, name in (("named", "russian"), ("chosen", "brazilian")):
        again = load(browser, text, rules="brazilian", game=1, read_as=read_as)
        assert rules_of(browser, again) == name
    assert rules_of(browser, load(browser, text, rules="russian")) == "russian"
    assert rules_of(browser, load(browser, text)) == "russian"


def test_a_file_of_another_board_cannot_be_read_by_the_chosen_rules(browser: Browser) -> None:
    text = '[GameType "20"]\n\n1. 32-28 19-23 *'
    data = load(browser, text, rules="dama64").json()["choice"]
    assert data["error"].startswith("Game 1, line 3, column 4: 32-28")
    assert (
        rules_of(browser, load(browser, text, rules="dama64", read_as="named")) == "international"
    )
    refused = load(browser, text, rules="dama64", read_as="chosen")
    assert (refused.status_code, refused.json()["error"]) == (422, "bad_file")


def test_a_text_that_does_not_fit_suggests_another_game(browser: Browser) -> None:
    text = "1. 32-28 19-23 2. 28x19 14x23 *"
    data = load(browser, text, rules="dama64").json()["choice"]
    assert data["sentence"] == (
        f"This does not match the game you chose, “{rules.load('dama64').title_in('en')}”. "
        f"It may be a game of “{rules.load('international').title_in('en')}”."
    )
    assert (
        rules_of(browser, load(browser, text, rules="dama64", read_as="named")) == "international"
    )
    # Text that fits no game is reported with errors by the chosen rules.
    response = load(browser, "1. 9-13 22-18\n2. 13-9 *", rules="american")
    answer = response.json()
    assert (response.status_code, answer["plies"]) == (422, 2)
    assert (answer["line"], answer["column"]) == (2, 4)
    assert answer["message"].startswith(
        "This text names no game type, so it was read by the rules of “American checkers”. "
        "The first move that isn’t possible is 13-9 in line 2, column 4: "
    )


def test_a_named_game_blames_its_move(browser: Browser) -> None:
    answer = load(browser, '[GameType "21"]\n1. 9-13 22-18 2. 13-9 *', rules="american").json()
    assert answer["message"].startswith("Game 1, line 2, column 18: 13-9: ")
    # So does a text without a game type whose fault is no move.
    answer = load(browser, "1. 9-13 {open", rules="american").json()
    assert answer["message"].startswith("Game 1, line 1, column 9: ")


@pytest.mark.parametrize("chosen", ["american", "american-3move", "american-11man"])
def test_an_ambiguous_game_type_means_the_chosen_rules(browser: Browser, chosen: str) -> None:
    text = '[GameType "21"]\n\n1. 11-15 23-19 *'
    assert rules_of(browser, load(browser, text, rules=chosen)) == chosen


def test_custom_rules_in_a_file_differ_from_the_chosen_rules(browser: Browser) -> None:
    custom = rules.load("dama64").replace(name="mine", king_landing="any", title={"en": "Nonna"})
    text = Game(custom).pdn()
    data = load(browser, text, rules="dama64").json()["choice"]
    assert (data["named"], data["error"]) == ("Nonna", None)
    assert rules_of(browser, load(browser, text, rules="dama64", read_as="named")) == "mine"


def test_the_chosen_obligation_is_used(browser: Browser) -> None:
    for obligation in ("huff", "forced"):
        response = load(browser, "1. 32-28 *", rules="dama100", obligation=obligation)
        assert response.status_code == 201, response.text
        file = browser.http.get(f"/api/games/{response.json()['id']}/file").text
        assert Game.from_json(file).rules.obligation == obligation
    refused = load(browser, "1. 22-18 *", rules="american", obligation="huff")
    assert (refused.status_code, refused.json()["error"]) == (422, "no_huffing")
    assert load(browser, "1. 22-18 *", rules="nonsense").status_code == 404


def test_a_game_file_has_its_own_rules(browser: Browser) -> None:
    response = browser.http.post(
        "/api/games/load", content=Game("russian").to_json(), params={"rules": "american"}
    )
    assert rules_of(browser, response) == "russian"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choice_has_a_sentence_in_every_language(browser: Browser, language: str) -> None:
    sentences = set()
    for text in ('[GameType "25"]\n1. c3-d4 *', "1. 32-28 19-23 2. 28x19 14x23 *"):
        data = load(browser, text, rules="dama64", lang=language).json()["choice"]
        assert data["named"] in data["sentence"]
        assert data["chosen"] == rules.load("dama64").title_in(language)
        assert data["chosen"] in data["sentence"]
        sentences.add(data["sentence"])
    assert len(sentences) == 2


# Files with many games, and invalid games

MANY_GAMES = "".join(
    f'[White "Player {n}"]\n[Black "Žofia {n % 7}"]\n[Event "Cup {n % 3}"]\n'
    f'[Date "{1900 + n % 90}.1.1"]\n\n1. 32-28 *\n\n'
    for n in range(1, 452)
)


def test_all_games_of_a_long_file_can_be_reached(browser: Browser) -> None:
    numbers: list[int] = []
    after = None
    while True:
        query: dict[str, Any] = {} if after is None else {"after": after}
        page = load(browser, MANY_GAMES, **query).json()
        assert len(page["games"]) <= pdn_files.MAX_GAMES
        numbers += [each["number"] for each in page["games"]]
        after = numbers[-1]
        if not page["more"]:
            break
    assert numbers == list(range(1, 452))
    response = load(browser, MANY_GAMES, game=451)
    state = browser.live(response.json()["id"]).state()
    assert state["players"]["W"]["name"] == "Player 451"
    assert load(browser, MANY_GAMES, game=452).status_code == 422


@pytest.mark.parametrize(
    ("find", "numbers"),
    [
        ("player 450", [450]),
        ("PLAYER 44 zofia", [44, *range(440, 450)]),
        ("Cup 1 1989", [n for n in range(1, 452) if n % 90 == 89]),
        ("CUP.2 1901", [271]),
        ("no such player", []),
        (" 451 ", [451]),
    ],
)
def test_games_of_a_long_file_can_be_searched(
    browser: Browser, find: str, numbers: list[int]
) -> None:
    page = load(browser, MANY_GAMES, find=find).json()
    listed = [each["number"] for each in page["games"]]
    assert (listed, page["more"]) == (numbers, False)


def test_a_search_continues_after_the_last_listed_game(browser: Browser) -> None:
    first = load(browser, MANY_GAMES, find="player").json()
    assert (len(first["games"]), first["more"]) == (pdn_files.MAX_GAMES, True)
    next_page = load(browser, MANY_GAMES, find="player", after=first["games"][-1]["number"]).json()
    assert next_page["games"][0]["number"] == first["games"][-1]["number"] + 1


def test_a_game_can_be_loaded_up_to_an_error(browser: Browser) -> None:
    text = '[GameType "20"]\n\n1. 32-28 19-23 2. 33-29 23x34 *'
    response = load(browser, text)
    assert (response.status_code, response.json()["plies"]) == (422, 2)
    assert move_texts(load_state(browser, text, partial=True)) == ["32-28", "19-23"]
    # Without moves there is nothing to load.
    response = load(browser, "1. banana *", partial=True)
    assert response.status_code == 422
    assert "plies" not in response.json()
    # An error in a variation does not affect the main line.
    with_variation = '[GameType "20"]\n\n1. 32-28 (1. 32-99) 19-23 *'
    assert move_texts(load_state(browser, with_variation)) == ["32-28", "19-23"]


def test_a_file_with_one_game_can_be_listed(browser: Browser) -> None:
    page = load(browser, "1. 32-28 *", after=0).json()
    assert [each["number"] for each in page["games"]] == [1]


@pytest.mark.parametrize(
    "query",
    [{"after": -1}, {"game": 0}, {"read_as": "other"}, {"find": "x" * 81}, {"partial": "?"}],
)
def test_invalid_query_parameters_are_refused(browser: Browser, query: dict[str, Any]) -> None:
    response = load(browser, TWO_GAMES, **query)
    assert (response.status_code, response.json()["error"]) == (422, "bad_field")
