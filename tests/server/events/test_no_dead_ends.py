"""Tournaments that cannot be paired: manual pairings, a change of rounds, or an early end."""

from __future__ import annotations

import html
import re

import pytest

from damka.locales import LANGUAGES
from tests.server.events.support import act, create_event, event_data, form, join, wait_for
from tests.server.support import Browser, Server

NAMES = ("Ana", "Ben", "Cvetan", "Dina")


def start_event(
    server: Server, arbiter: Browser, names: tuple[str, ...] = NAMES, **fields: object
) -> str:
    """Create a tournament at real boards and start it."""
    path = create_event(arbiter, server, **{"play": "hand", "rounds": 5, **fields})
    for name in names:
        act(arbiter, path, "add", name=name)
    act(arbiter, path, "start")
    return path


def play_round(arbiter: Browser, path: str, action: str = "pair", **fields: object) -> None:
    """Pair and start a round, and let White win every game."""
    act(arbiter, path, action, **fields)
    act(arbiter, path, "begin")
    settle_round(arbiter, path)


def settle_round(arbiter: Browser, path: str) -> None:
    event = event_data(arbiter, path)
    for each in event["round"]["boards"]:
        number = event["event"]["round"]
        act(arbiter, path, "settle", round=number, board=each["board"], before="", after="1-0")


def arbiter_page(arbiter: Browser, path: str, language: str = "en") -> str:
    """Return the text of the arbiter's page."""
    return html.unescape(arbiter.http.get(f"{path}/arbiter?lang={language}").text)


@pytest.fixture
def unpairable(server: Server, browser: Browser) -> str:
    """A tournament of four players after three of five rounds: all have met."""
    path = start_event(server, browser)
    for _ in range(3):
        play_round(browser, path)
    act(browser, path, "pair")
    assert event_data(browser, path)["event"]["round"] == 3
    assert event_data(browser, path)["event"]["trouble"]
    return path


def test_too_many_rounds_cause_a_warning_before_the_start(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, play="hand", rounds=5)
    for name in NAMES:
        act(browser, path, "add", name=name)
    for language, expected in {
        "en": "4 players can’t play 5 rounds without rematches. The limit is 3.",
        "it": "4 giocatori non possono giocare 5 turni",
        "sk": "Hráčov je 4, na 5 kôl bez opakovaného stretnutia to nestačí",
        "bg": "4 играчи не могат да изиграят 5 кръга",
    }.items():
        assert expected in arbiter_page(browser, path, language)
    assert set(LANGUAGES) == {"en", "it", "sk", "bg"}
    act(browser, path, "rounds", rounds=3)
    assert "can’t play" not in arbiter_page(browser, path)
    assert event_data(browser, path)["event"]["rounds"] == 3
    for name in ("Emil", "Fina"):
        act(browser, path, "add", name=name)
    act(browser, path, "rounds", rounds=5)
    assert "5 rounds, a late round may be impossible to pair" in arbiter_page(browser, path)
    act(browser, path, "start")
    assert "may be impossible" in arbiter_page(browser, path), "also shown after the start"
    act(browser, path, "rounds", rounds=3)
    assert "may be impossible" not in arbiter_page(browser, path)


def test_the_page_offers_solutions_when_pairing_fails(browser: Browser, unpairable: str) -> None:
    page = arbiter_page(browser, unpairable)
    assert "Pair it by hand, change the number of rounds or the players" in page
    assert '<details class="hand" open>' in page
    assert "The next round could not be paired." in browser.http.get(unpairable).text


def test_a_round_can_be_paired_by_hand(browser: Browser, unpairable: str) -> None:
    names = {each["name"]: each["id"] for each in event_data(browser, unpairable)["standings"]}
    ana, ben, cvetan, dina = (names[each] for each in NAMES)
    boards = {"white1": ana, "black1": ben, "white2": cvetan, "black2": dina}
    for invalid in (
        {**boards, "black2": ana},
        {**boards, "black2": "99"},
        {**boards, "black2": ""},
        {**boards, "black1": ana},
        dict.fromkeys(boards, ""),
    ):
        response = form(browser, f"{unpairable}/arbiter/hand", **invalid)
        assert response.status_code == 422, invalid
        assert response.json()["error"] == "event_hand"
    act(browser, unpairable, "hand", **boards)
    event = event_data(browser, unpairable)
    pairs = [(each["white"], each["black"]) for each in event["round"]["boards"]]
    assert pairs == [("Ana", "Ben"), ("Cvetan", "Dina")]
    assert not event["event"]["trouble"]
    page = arbiter_page(browser, unpairable)
    assert re.search(r"Ana and Ben already met in round [123]\.", page)
    assert "paired round 4 by hand" in page
    # A round that has not started can be paired again, also by names.
    act(browser, unpairable, "hand", names=1, white1="BEN", black1="ana", rest="H")
    event = event_data(browser, unpairable)
    assert [(each["white"], each["black"]) for each in event["round"]["boards"]] == [("Ben", "Ana")]
    assert {each["kind"] for each in event["round"]["byes"]} == {"bye, counts as a draw"}
    act(browser, unpairable, "begin")
    assert form(browser, f"{unpairable}/arbiter/hand", **boards).status_code == 409
    settle_round(browser, unpairable)
    play_round(browser, unpairable, "hand", **boards)
    wait_for(
        lambda: event_data(browser, unpairable)["event"]["status"], lambda status: status == "over"
    )
    assert len(event_data(browser, unpairable)["standings"]) == 4


def test_the_number_of_rounds_can_be_changed(browser: Browser, unpairable: str) -> None:
    response = form(browser, f"{unpairable}/arbiter/rounds", rounds=2)
    assert response.status_code == 422
    assert "Round 3 is already paired" in response.json()["message"]
    for invalid in ("", "0", "101", "x", "Ж", "1" * 30):
        assert form(browser, f"{unpairable}/arbiter/rounds", rounds=invalid).status_code == 422
    act(browser, unpairable, "rounds", rounds=3)
    wait_for(
        lambda: event_data(browser, unpairable)["event"]["status"], lambda status: status == "over"
    )
    assert [each["points"] for each in event_data(browser, unpairable)["standings"]]
    assert not event_data(browser, unpairable)["event"]["trouble"]
    assert "set the number of rounds to 3" in arbiter_page(browser, unpairable)
    assert form(browser, f"{unpairable}/arbiter/rounds", rounds=4).status_code == 409


def test_more_players_allow_more_rounds(browser: Browser, unpairable: str) -> None:
    for name in ("Emil", "Fina", "Gino", "Hana"):
        act(browser, unpairable, "add", name=name)
    act(browser, unpairable, "rounds", rounds=6)
    play_round(browser, unpairable)
    assert event_data(browser, unpairable)["event"]["rounds"] == 6
    assert event_data(browser, unpairable)["event"]["round"] == 4


def test_finishing_early_keeps_the_standings(browser: Browser, unpairable: str) -> None:
    act(browser, unpairable, "finish", sure=1)
    event = event_data(browser, unpairable)
    assert event["event"]["status"] == "over"
    assert len(event["standings"]) == 4
    assert not event["event"]["trouble"]


def test_a_round_robin_needs_complete_cycles_of_rounds(server: Server, browser: Browser) -> None:
    path = start_event(server, browser, kind="round-robin")
    play_round(browser, path)
    response = form(browser, f"{path}/arbiter/rounds", rounds=5)
    assert response.status_code == 422
    assert "Choose 3 rounds, so that everyone plays everyone once" in response.json()["message"]
    act(browser, path, "rounds", rounds=6)
    for _ in range(5):
        play_round(browser, path)
    wait_for(lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over")


@pytest.mark.parametrize("pace", ["arbiter", "auto"])
def test_the_tournament_ends_when_all_players_have_withdrawn(
    server: Server, browser: Browser, pace: str
) -> None:
    path = start_event(server, browser, NAMES, pace=pace, **{"break": 0})
    if pace == "arbiter":
        act(browser, path, "pair")
        act(browser, path, "begin")
    else:
        wait_for(lambda: event_data(browser, path)["event"]["begun"], bool)
    for number in range(1, 5):
        act(browser, path, "remove", player=number)
    settle_round(browser, path)
    wait_for(lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over")
    assert [each["points"] for each in event_data(browser, path)["standings"]] == [
        "2",
        "2",
        "0",
        "0",
    ]
    assert not event_data(browser, path)["event"]["trouble"]


def test_pairing_a_single_player_ends_the_tournament(server: Server, browser: Browser) -> None:
    path = start_event(server, browser)
    play_round(browser, path)
    for number in range(1, 4):
        act(browser, path, "remove", player=number)
    page = arbiter_page(browser, path)
    assert "Fewer than two players are left" in page
    assert "Pair round 2<" not in page
    act(browser, path, "pair")
    assert event_data(browser, path)["event"]["status"] == "over"
    assert len(event_data(browser, path)["standings"]) == 4


def test_a_second_bye_causes_a_warning(server: Server, browser: Browser) -> None:
    path = start_event(server, browser, ("Ana", "Ben", "Cvetan", "Dina", "Emil"), rounds=4)
    pages, byes = "", []
    for _ in range(4):
        act(browser, path, "pair")
        pages += arbiter_page(browser, path)
        byes += [each["name"] for each in event_data(browser, path)["round"]["byes"]]
        act(browser, path, "begin")
        settle_round(browser, path)
    repeated = {name for name in byes if byes.count(name) > 1}
    # Random colours do not always lead to a second bye; manual pairings do.
    for name in repeated:
        assert f"{name} has a second bye" in pages
    path = start_event(server, browser, ("Ana", "Ben", "Cvetan"), rounds=3)
    ids = {each["name"]: each["id"] for each in event_data(browser, path)["standings"]}
    for _ in range(2):
        play_round(browser, path, "hand", white1=ids["Ana"], black1=ids["Ben"])
    assert "Cvetan has a second bye" in arbiter_page(browser, path)


def test_a_half_point_bye_in_the_last_round_is_an_option(server: Server, browser: Browser) -> None:
    for setting, kind in ((None, "absent, no points"), (1, "bye, counts as a draw")):
        fields = {} if setting is None else {"last_half": setting}
        path = create_event(browser, server, play="hand", rounds=2, **fields)
        with server.browser() as ana, server.browser() as ben, server.browser() as cvetan:
            for guest, name in ((ana, "Ana"), (ben, "Ben"), (cvetan, "Cvetan")):
                join(guest, path, name)
            act(browser, path, "start")
            assert "Skip the next round (bye, counts as a draw)" in ana.http.get(path).text
            assert form(ana, f"{path}/bye").status_code == 303
            play_round(browser, path)
            assert event_data(browser, path)["round"]["byes"][0]["kind"] == "bye, counts as a draw"
            assert f"Skip the next round ({kind})" in ben.http.get(path).text
            assert form(ben, f"{path}/bye").status_code == 303
            # The arbiter may set any result.
            act(
                browser,
                path,
                "bye",
                player=event_data(cvetan, path)["me"]["player"]["id"],
                kind="H",
            )
            act(browser, path, "pair")
            kinds = {
                each["name"]: each["kind"] for each in event_data(browser, path)["round"]["byes"]
            }
            assert kinds["Ben"] == kind
            assert kinds["Cvetan"] == "bye, counts as a draw"


def test_a_bye_is_shown_on_the_page_of_the_finished_game(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, rounds=3)
    with server.browser() as ana, server.browser() as ben, server.browser() as cvetan:
        guests = {"Ana": ana, "Ben": ben, "Cvetan": cvetan}
        for name, guest in guests.items():
            join(guest, path, name)
        act(browser, path, "start")
        with_bye = set()
        for number in (1, 2):
            act(browser, path, "pair")
            [bye] = event_data(browser, path)["round"]["byes"]
            for stage in ("paired", "begun"):
                message = event_data(guests[bye["name"]], path)["me"]["next"]
                expected = f"Round {number}. No opponent this round: bye, counts as a win."
                assert message == expected, stage
                if stage == "paired":
                    act(browser, path, "begin")
            with_bye.add(bye["name"])
            for name, guest in guests.items():
                if name != bye["name"]:
                    assert "No opponent" not in event_data(guest, path)["me"]["next"]
            board = event_data(browser, path)["round"]["boards"][0]
            wait_for(lambda: event_data(browser, path)["round"]["boards"][0]["url"], bool)
            fields = {"round": number, "board": board["board"], "before": "", "after": "1-0"}
            act(browser, path, "settle", **fields)
            assert event_data(guests[bye["name"]], path)["me"]["next"] == ""
        assert len(with_bye) == 2
