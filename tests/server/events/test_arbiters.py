"""Arbiters' decisions, including concurrent ones, and missing permissions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.accounts.support import store_of
from tests.server.events.support import act, create_event, event_data, form, join, wait_for
from tests.server.support import Browser, Server


@pytest.fixture
def path(server: Server, browser: Browser) -> str:
    """A Swiss tournament of four players at real boards, in its first round."""
    path = create_event(browser, server, play="hand", rounds=3)
    for name in ("Ana", "Ben", "Cvetan", "Dina"):
        act(browser, path, "add", name=name)
    act(browser, path, "start")
    act(browser, path, "pair")
    act(browser, path, "begin")
    return path


def second_arbiter(server: Server, browser: Browser, path: str) -> Browser:
    text = browser.http.get(f"{path}/arbiter").text
    code = text.partition("for other arbiters:")[2].partition('codes">')[2][:16]
    other = server.browser()
    response = form(other, f"{path}/seat", code=code.lower(), name="Bianchi")
    assert response.headers["location"] == f"{path}/arbiter"
    return other


def test_one_of_two_concurrent_result_changes_is_refused(
    server: Server, browser: Browser, path: str
) -> None:
    with second_arbiter(server, browser, path) as other, ThreadPoolExecutor(2) as pool:
        futures = [
            pool.submit(
                form, each, f"{path}/arbiter/settle", round=1, board=1, before="", after=after
            )
            for each, after in ((browser, "1-0"), (other, "0-1"))
        ]
        codes = [each.result().status_code for each in futures]
        assert sorted(codes) == [303, 409]
        result = event_data(browser, path)["round"]["boards"][0]["result"]
        assert result == ("2-0" if codes[0] == 303 else "0-2")
        log = other.http.get(f"{path}/arbiter").text
        assert log.count("round 1, board 1:") == 1
        # Both pair at once; only one second round is created.
        act(browser, path, "settle", round=1, board=2, before="", after="=")
        version = event_data(browser, path)["event"]["version"]
        futures = [
            pool.submit(form, each, f"{path}/arbiter/pair", version=version)
            for each in (browser, other)
        ]
        assert sorted(each.result().status_code for each in futures) == [303, 409]
    assert event_data(browser, path)["event"]["round"] == 2


def test_corrected_results_are_logged(browser: Browser, path: str) -> None:
    act(browser, path, "settle", round=1, board=1, before="", after="1-0")
    stale = form(browser, f"{path}/arbiter/settle", round=1, board=1, before="", after="0-1")
    assert stale.status_code == 409
    act(
        browser, path, "settle", round=1, board=1, before="1-0", after="=", why="<b>score</b> sheet"
    )
    assert event_data(browser, path)["round"]["boards"][0]["result"] == "1-1"
    text = browser.http.get(f"{path}/arbiter").text
    assert "round 1, board 1: changed 2-0 to 1-1" in text
    assert "&lt;b&gt;score&lt;/b&gt; sheet" in text
    act(browser, path, "settle", round=1, board=1, before="=", after="=")
    assert "round 1, board 1: confirmed 1-1" in browser.http.get(f"{path}/arbiter").text


def test_pairings_can_be_changed_before_the_round_starts(browser: Browser, path: str) -> None:
    for board in (1, 2):
        act(browser, path, "settle", round=1, board=board, before="", after="1-0")
    act(browser, path, "pair")
    before = event_data(browser, path)["round"]["boards"]
    ids = {each[side]: each[f"{side}_id"] for each in before for side in ("white", "black")}
    names = [before[0]["white"], before[1]["white"]]
    act(browser, path, "swap", one=ids[names[0]], other=ids[names[1]])
    after = event_data(browser, path)["round"]["boards"]
    assert [each["white"] for each in after] == names[::-1]
    act(browser, path, "repair")
    assert event_data(browser, path)["round"]["boards"] == before
    act(browser, path, "unpair")
    act(browser, path, "add", name="Late", rating="2100")
    act(browser, path, "pair")
    assert event_data(browser, path)["round"]["byes"]
    act(browser, path, "begin")
    assert form(browser, f"{path}/arbiter/repair").status_code == 409


def test_an_automatic_tournament_can_be_paused(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, pace="auto", play="hand", **{"break": 0})
    for name in ("Ana", "Ben"):
        act(browser, path, "add", name=name)
    act(browser, path, "start")
    wait_for(lambda: event_data(browser, path)["event"]["begun"], bool)
    act(browser, path, "pause")
    act(browser, path, "settle", round=1, board=1, before="", after="1-0")
    assert event_data(browser, path)["event"]["paused"]
    assert event_data(browser, path)["event"]["round"] == 1
    act(browser, path, "resume")
    # Two players cannot meet again: the arbiter is notified, and ends the tournament.
    wait_for(lambda: event_data(browser, path)["event"]["trouble"], bool)
    assert "could not be paired" in browser.http.get(f"{path}/arbiter").text
    act(browser, path, "finish", sure=1)
    assert event_data(browser, path)["event"]["status"] == "over"


def test_only_arbiters_can_act(server: Server, browser: Browser, path: str) -> None:
    with server.browser() as player, server.browser() as stranger:
        join(player, path, "Pavel")
        for each in (player, stranger):
            assert each.http.get(f"{path}/arbiter").status_code == 403
            for action in ("settle", "pair", "finish", "add", "remove"):
                response = form(
                    each, f"{path}/arbiter/{action}", round=1, board=1, after="1-0", player="1",
                    name="X", sure=1,
                )  # fmt: skip
                assert response.status_code == 403, action
        response = player.http.post(
            f"{path}/arbiter/finish", data={"sure": "1"}, headers={"origin": "https://evil.example"}
        )
        assert response.status_code == 403
    assert event_data(browser, path)["event"]["status"] == "running"


def test_events_are_created_with_a_code_or_by_arbiters(server: Server, browser: Browser) -> None:
    response = form(browser, "/events", name="X", arbiter="Y", code="BCDFGHJK", rules="dama64")
    assert response.status_code == 403
    assert "not a valid operator’s code" in response.text
    assert form(browser, "/events", name="", arbiter="Y").status_code == 422
    with store_of(server).transaction() as connection:
        from damka.server.accounts import members  # noqa: PLC0415

        account = members.create(connection, "Petra", None)
        members.set_right(connection, account, "arbiter")
        member = members.get(connection, account)
        assert member is not None
        session = members.log_in(connection, member, "?")
    with server.browser() as petra:
        petra.http.cookies.set("damka_session", session.token)
        assert "operator_code" not in petra.http.get("/events/new").text
        response = form(
            petra, "/events", name="Petra's", rules="american", kind="arena", clock="5+3"
        )
        assert response.status_code == 303
        assert petra.http.get(response.headers["location"]).status_code == 200
