"""Open challenges: visibility, acceptance and end."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from damka.locales import LANGUAGES
from damka.server.accounts import members, moderation
from damka.server.lobby import Lobby, seeks
from tests.server.accounts.support import form, store_of
from tests.server.lobby.support import (
    BLITZ,
    RAPID,
    Guests,
    accept,
    challenge,
    ids,
    name_of,
    seek,
)
from tests.server.support import LIMITS, PATIENCE, Browser, Server, serving


def test_a_challenge_is_shown_and_its_game_begins_for_both(guests: Guests) -> None:
    maker, taker, watcher = guests(3)
    before = guests.watch(watcher, "it")
    made = challenge(maker, rules="russian", colour="second")
    here = guests.watch(maker)
    mine = next(each for each in here.until(ids)["challenges"] if each["id"] == made)
    assert mine["mine"]
    assert mine["colour"] == "you play black"
    shown = before.until(lambda state: made in ids(state))
    [seen] = [each for each in shown["challenges"] if each["id"] == made]
    assert seen == {
        "id": made,
        "who": "Ospite",
        "rating": None,
        "game": "Dama russa",
        "clock": "5+3",
        "colour": "per te: bianco",
        "rated": "Amichevole",
        "mine": False,
    }
    answer = accept(taker, made)
    assert answer.status_code == 200
    game = answer.json()["id"]
    assert here.game() == game
    assert made not in ids(before.until(lambda state: made not in ids(state)))
    assert taker.live(game).state()["you"] == ["W"]
    state = maker.live(game).state()
    assert (state["you"], state["online"], state["clock"]["text"]) == (["B"], True, "5+3")
    assert state["clock"]["due"] is not None, "a first move is due"


def test_two_accept_one_challenge_and_one_wins(guests: Guests) -> None:
    maker, *others = guests(5)
    made = challenge(maker)
    barrier = threading.Barrier(len(others))

    def take(browser: Browser) -> tuple[int, Any]:
        barrier.wait()
        answer = accept(browser, made)
        return answer.status_code, answer.json()

    with ThreadPoolExecutor(len(others)) as threads:
        answers = list(threads.map(take, others))
    assert sorted(status for status, _ in answers) == [200, 409, 409, 409]
    [game] = [told["id"] for status, told in answers if status == 200]
    assert {told["error"] for status, told in answers if status == 409} == {"challenge_gone"}
    sides = [each.live(game).state()["you"] for each in others]
    assert sum(map(len, sides)) == 1


def test_a_challenge_is_accepted_or_cancelled(guests: Guests) -> None:
    """Whichever comes first wins: never both."""
    maker, taker = guests(2)
    barrier = threading.Barrier(2)

    def take(path: str, browser: Browser) -> int:
        barrier.wait()
        return browser.post(path, {}).status_code

    for _ in range(6):
        made = challenge(maker)
        with ThreadPoolExecutor(2) as threads:
            taken = threads.submit(take, f"/api/lobby/{made}/accept", taker)
            cancelled = threads.submit(take, f"/api/lobby/{made}/cancel", maker)
        assert sorted((taken.result(), cancelled.result())) == [200, 409]


def test_what_cannot_be_accepted(server: Server, guests: Guests) -> None:
    maker, other = guests(2)
    made = challenge(maker)
    answer = accept(maker, made)
    assert (answer.status_code, answer.json()["error"]) == (409, "own_challenge")
    assert other.post(f"/api/lobby/{made}/cancel").status_code == 409
    for wrong in ("A" * 22, "..%2f..", "x", "A" * 300, "%00", "'; drop table seeks;--"):
        assert accept(other, wrong).status_code in {404, 409}
    assert accept(other, made).status_code == 200


def test_blocked_players_do_not_see_or_accept_challenges(guests: Guests) -> None:
    maker, other = guests.members(2)
    made = challenge(maker)
    assert made in ids(guests.watch(other).until(ids))
    assert form(other, f"/@/{name_of(maker)}/block").status_code == 303
    answer = accept(other, made)
    assert (answer.status_code, answer.json()["error"]) == (403, "no_meeting")
    assert made not in ids(guests.watch(other).receive("lobby"))
    theirs = challenge(other)
    assert theirs not in ids(guests.watch(maker).receive("lobby")), "in both directions"
    assert accept(maker, theirs).status_code == 403


def test_banned_players_get_no_opponent(server: Server, guests: Guests) -> None:
    [maker, seeker], [other] = guests.members(2), guests(1)
    made = challenge(maker)
    seek(seeker, rules="thai")
    watch = guests.watch(other)
    watch.until(lambda state: made in ids(state))
    with store_of(server).transaction() as connection:
        for each in (maker, seeker):
            account = members.find(connection, name_of(each))
            assert account is not None
            moderation.ban(connection, account_id=account.id)
    watch.until(lambda state: made not in ids(state))
    assert accept(other, made).status_code == 409
    assert maker.post("/api/lobby", {"rules": "dama64"}).json()["error"] == "banned"
    seek(other, rules="thai")
    here = guests.watch(other)
    assert here.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith("Nobody")


def test_a_challenge_ends_when_its_maker_is_gone(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays, goes, watcher, late = guests(4)
    kept, left = challenge(stays), challenge(goes)
    watch = guests.watch(watcher)
    here, there = guests.watch(stays), guests.watch(goes)
    watch.until(lambda state: {kept, left} <= {*ids(state)})
    for each in (here, there):
        each.until(ids)
    monkeypatch.setattr("damka.server.lobby.service._RENEW_SECONDS", 0.1)
    monkeypatch.setattr(seeks, "EXPIRY", timedelta(seconds=1))
    there.connection.close()
    state = watch.until(lambda state: left not in ids(state))
    assert kept in ids(state)
    assert accept(late, left).status_code == 409
    deadline = time.monotonic() + PATIENCE
    stored = True
    while stored and time.monotonic() < deadline:
        with store_of(server).transaction() as connection:
            assert seeks.find(connection, kept)
            stored = seeks.find(connection, left) is not None
    assert not stored, "it was deleted"
    # A challenge expires, however long its maker waits.
    monkeypatch.setattr(seeks, "MAX_AGE", timedelta(seconds=0.5))
    watch.until(lambda state: kept not in ids(state))


def test_an_accepted_challenge_cancels_its_players_other_challenges(guests: Guests) -> None:
    maker, taker, watcher = guests(3)
    first, second = challenge(maker), challenge(maker, rules="russian")
    theirs = challenge(taker)
    assert accept(taker, first).status_code == 200
    watch = guests.watch(watcher)
    watch.until(lambda state: not {first, second, theirs} & {*ids(state)})


def test_a_player_has_three_challenges_at_most(guests: Guests) -> None:
    [maker] = guests(1)
    made = [challenge(maker) for _ in range(3)]
    answer = maker.post("/api/lobby", {"rules": "dama64", "clock": BLITZ})
    assert (answer.status_code, answer.json()["error"]) == (429, "many_challenges")
    for each in made:
        assert maker.post(f"/api/lobby/{each}/cancel").status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"rules": "chess"}, 404, "unknown_rules"),
        ({"rules": {"name": "mine"}}, 422, "bad_field"),
        ({"rules": "dama64", "clock": {"kind": "sudden", "seconds": 0}}, 422, "bad_field"),
        ({"rules": "dama64", "clock": {"kind": "sudden", "seconds": 1e30}}, 422, "bad_field"),
        ({"rules": "dama64", "colour": "pink"}, 422, "bad_field"),
        ({"rules": "dama64", "holder": "somebody"}, 422, "bad_field"),
        ({"rules": "dama64", "rated": True}, 422, "rated_clock"),
        ({"rules": "dama64", "rated": True, "clock": BLITZ}, 403, "rated_members"),
        (
            {"rules": "dama64", "rated": True, "clock": BLITZ, "colour": "first"},
            422,
            "rated_colour",
        ),
        ([], 422, "bad_field"),
    ],
)
def test_invalid_challenges_are_refused(guests: Guests, body: Any, status: int, error: str) -> None:
    [browser] = guests(1)
    answer = browser.post("/api/lobby", body)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert len(answer.json()["message"]) > 10


def test_other_sites_change_nothing(guests: Guests) -> None:
    [browser] = guests(1)
    for path in ("/api/lobby", "/api/lobby/pool", f"/api/lobby/{'A' * 22}/accept"):
        answer = browser.http.post(path, json={}, headers={"origin": "https://evil.example"})
        assert answer.json()["error"] == "cross_origin"


def test_garbage_does_not_disturb_a_connection(guests: Guests) -> None:
    [browser] = guests(1)
    watch = guests.watch(browser)
    for frame in ("", "[", "[" * 3000, '{"t":"went"}', '{"t":"went","id":9}', "\ud7ff", '{"t":1}'):
        watch.connection.send(frame)
    watch.connection.send(b"\xff\x00")
    watch.connection.send('{"t":"went","id":"A"}')
    watch.connection.send('{"t":"ping"}')
    assert watch.receive("pong")
    watch.connection.send("x" * 5000)
    with pytest.raises(ConnectionClosed, match="1009"):
        watch.receive("never")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_lobby(guests: Guests, language: str) -> None:
    [browser] = guests(1)
    page = browser.http.get(f"/lobby?lang={language}")
    assert page.status_code == 200
    assert "damka_seat" not in page.cookies, "looking changes nothing"


def test_challenges_per_address_are_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, challenge_burst=5, challenge_rate=0.001, open_seeks=3)
    with serving(tmp_path, limits=limits) as server, ExitStack() as stack:
        one, two, three = Guests(server, stack)(3)
        challenge(one)
        challenge(two)
        seek(three)
        # The lobby is full for everyone; then the address reaches its rate limit.
        body = {"rules": "dama64", "clock": BLITZ}
        answer = three.post("/api/lobby", body)
        assert (answer.status_code, answer.json()["error"]) == (429, "lobby_full")
        seek(three, clock=RAPID)  # replaces the other one
        for path in ("/api/lobby", "/api/lobby/pool"):
            answer = two.post(path, body)
            assert (answer.status_code, answer.json()["error"]) == (429, "too_many")


def test_connections_per_address_are_limited_in_the_lobby(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, connections_per_address=2)
    with serving(tmp_path, limits=limits) as server, ExitStack() as stack:
        guests = Guests(server, stack)
        [browser] = guests(1)
        first, second = guests.watch(browser), guests.watch(browser)
        for each in (first, second):
            each.receive("lobby")
        with pytest.raises(ConnectionClosed, match="1013"):
            guests.watch(browser).receive("lobby")
        first.connection.close()
        # A place is free once the server has noticed the disconnection.
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(ConnectionClosed):
                guests.watch(browser).receive("lobby")
                return
        pytest.fail("no room")


def test_a_lobby_has_several_processes(server: Server, guests: Guests) -> None:
    """Processes share a database: viewers at one see the challenges of the other."""
    app_state = server.app.state.damka
    [maker] = guests(1)

    class Page:
        holder = None

        def __init__(self) -> None:
            self.woken = threading.Event()

        def wake(self) -> None:
            self.woken.set()

    async def other_process() -> bool:
        there = Lobby(app_state.settings, app_state.sessions, app_state.accounts, app_state.cluster)
        page = Page()
        there.start()
        try:
            await there.enter(page)
            page.woken.clear()
            made = await asyncio.to_thread(challenge, maker)
            seen = await asyncio.to_thread(page.woken.wait, PATIENCE)
            return seen and made in {each.id for each, _ in there.snapshot.challenges}
        finally:
            there.leave(page)
            await there.close()

    loop = next(iter(app_state.lobby._tasks)).get_loop()
    assert asyncio.run_coroutine_threadsafe(other_process(), loop).result(PATIENCE)
