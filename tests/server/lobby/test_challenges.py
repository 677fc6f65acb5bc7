"""Open challenges: visibility, acceptance, cancellation and expiry."""

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


def test_an_accepted_challenge_starts_a_game(guests: Guests) -> None:
    challenger, opponent, spectator = guests(3)
    spectator_lobby = guests.watch(spectator, "it")
    challenge_id = challenge(challenger, rules="russian", colour="second")
    challenger_lobby = guests.watch(challenger)
    own = next(
        each for each in challenger_lobby.until(ids)["challenges"] if each["id"] == challenge_id
    )
    assert own["mine"]
    assert own["colour"] == "you play black"
    lobby_state = spectator_lobby.until(lambda state: challenge_id in ids(state))
    [entry] = [each for each in lobby_state["challenges"] if each["id"] == challenge_id]
    assert entry == {
        "id": challenge_id,
        "who": "Ospite",
        "rating": None,
        "game": "Dama russa",
        "clock": "5+3",
        "colour": "per te: bianco",
        "rated": "Amichevole",
        "mine": False,
    }
    response = accept(opponent, challenge_id)
    assert response.status_code == 200
    game = response.json()["id"]
    assert challenger_lobby.game() == game
    assert challenge_id not in ids(
        spectator_lobby.until(lambda state: challenge_id not in ids(state))
    )
    assert opponent.live(game).state()["you"] == ["W"]
    state = challenger.live(game).state()
    assert (state["you"], state["online"], state["clock"]["text"]) == (["B"], True, "5+3")
    assert state["clock"]["due"] is not None, "the first move has a deadline"


def test_only_one_player_can_accept_a_challenge(guests: Guests) -> None:
    challenger, *others = guests(5)
    challenge_id = challenge(challenger)
    barrier = threading.Barrier(len(others))

    def take(browser: Browser) -> tuple[int, Any]:
        barrier.wait()
        response = accept(browser, challenge_id)
        return response.status_code, response.json()

    with ThreadPoolExecutor(len(others)) as threads:
        responses = list(threads.map(take, others))
    assert sorted(status for status, _ in responses) == [200, 409, 409, 409]
    [game] = [data["id"] for status, data in responses if status == 200]
    assert {data["error"] for status, data in responses if status == 409} == {"challenge_gone"}
    sides = [each.live(game).state()["you"] for each in others]
    assert sum(map(len, sides)) == 1


def test_a_challenge_is_either_accepted_or_cancelled(guests: Guests) -> None:
    """Only one of two concurrent requests succeeds."""
    challenger, opponent = guests(2)
    barrier = threading.Barrier(2)

    def take(path: str, browser: Browser) -> int:
        barrier.wait()
        return browser.post(path, {}).status_code

    for _ in range(6):
        challenge_id = challenge(challenger)
        with ThreadPoolExecutor(2) as threads:
            accepted = threads.submit(take, f"/api/lobby/{challenge_id}/accept", opponent)
            cancelled = threads.submit(take, f"/api/lobby/{challenge_id}/cancel", challenger)
        assert sorted((accepted.result(), cancelled.result())) == [200, 409]


def test_own_and_unknown_challenges_cannot_be_accepted(server: Server, guests: Guests) -> None:
    challenger, other = guests(2)
    challenge_id = challenge(challenger)
    response = accept(challenger, challenge_id)
    assert (response.status_code, response.json()["error"]) == (409, "own_challenge")
    assert other.post(f"/api/lobby/{challenge_id}/cancel").status_code == 409
    for invalid in ("A" * 22, "..%2f..", "x", "A" * 300, "%00", "'; drop table seeks;--"):
        assert accept(other, invalid).status_code in {404, 409}
    assert accept(other, challenge_id).status_code == 200


def test_blocked_players_do_not_see_or_accept_challenges(guests: Guests) -> None:
    challenger, other = guests.members(2)
    challenge_id = challenge(challenger)
    assert challenge_id in ids(guests.watch(other).until(ids))
    assert form(other, f"/@/{name_of(challenger)}/block").status_code == 303
    response = accept(other, challenge_id)
    assert (response.status_code, response.json()["error"]) == (403, "no_meeting")
    assert challenge_id not in ids(guests.watch(other).receive("lobby"))
    other_id = challenge(other)
    assert other_id not in ids(guests.watch(challenger).receive("lobby")), "in both directions"
    assert accept(challenger, other_id).status_code == 403


def test_banned_players_get_no_opponent(server: Server, guests: Guests) -> None:
    [challenger, seeker], [other] = guests.members(2), guests(1)
    challenge_id = challenge(challenger)
    seek(seeker, rules="thai")
    lobby = guests.watch(other)
    lobby.until(lambda state: challenge_id in ids(state))
    with store_of(server).transaction() as connection:
        for each in (challenger, seeker):
            account = members.find(connection, name_of(each))
            assert account is not None
            moderation.ban(connection, account_id=account.id)
    lobby.until(lambda state: challenge_id not in ids(state))
    assert accept(other, challenge_id).status_code == 409
    assert challenger.post("/api/lobby", {"rules": "dama64"}).json()["error"] == "banned"
    seek(other, rules="thai")
    other_lobby = guests.watch(other)
    assert other_lobby.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith(
        "Nobody"
    )


def test_a_challenge_expires_when_its_page_is_closed(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected, leaving, spectator, late = guests(4)
    open_id, expired_id = challenge(connected), challenge(leaving)
    watch = guests.watch(spectator)
    connected_lobby, leaving_lobby = guests.watch(connected), guests.watch(leaving)
    watch.until(lambda state: {open_id, expired_id} <= {*ids(state)})
    for each in (connected_lobby, leaving_lobby):
        each.until(ids)
    monkeypatch.setattr("damka.server.lobby.service._RENEW_SECONDS", 0.1)
    monkeypatch.setattr(seeks, "EXPIRY_WHEN_LEFT", timedelta(0))
    leaving_lobby.connection.close()
    state = watch.until(lambda state: expired_id not in ids(state))
    assert open_id in ids(state)
    assert accept(late, expired_id).status_code == 409
    deadline = time.monotonic() + PATIENCE
    is_stored = True
    while is_stored and time.monotonic() < deadline:
        with store_of(server).transaction() as connection:
            assert seeks.find(connection, open_id)
            is_stored = seeks.find(connection, expired_id) is not None
    assert not is_stored, "the challenge was deleted"
    # A challenge also expires by age.
    monkeypatch.setattr(seeks, "MAX_AGE", timedelta(seconds=0.5))
    watch.until(lambda state: open_id not in ids(state))


def test_an_accepted_challenge_cancels_its_players_other_challenges(guests: Guests) -> None:
    challenger, opponent, spectator = guests(3)
    first, second = challenge(challenger), challenge(challenger, rules="russian")
    of_opponent = challenge(opponent)
    assert accept(opponent, first).status_code == 200
    watch = guests.watch(spectator)
    watch.until(lambda state: not {first, second, of_opponent} & {*ids(state)})


def test_a_player_has_at_most_three_challenges(guests: Guests) -> None:
    [challenger] = guests(1)
    challenge_id = [challenge(challenger) for _ in range(3)]
    response = challenger.post("/api/lobby", {"rules": "dama64", "clock": BLITZ})
    assert (response.status_code, response.json()["error"]) == (429, "many_challenges")
    for each in challenge_id:
        assert challenger.post(f"/api/lobby/{each}/cancel").status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"rules": "chess"}, 404, "unknown_rules"),
        ({"rules": {"name": "mine"}}, 422, "bad_field"),
        ({"rules": "dama64", "clock": {"kind": "sudden", "seconds": 0}}, 422, "bad_field"),
        ({"rules": "dama64", "clock": {"kind": "sudden", "seconds": 1e30}}, 422, "bad_field"),
        ({"rules": "dama64", "colour": "pink"}, 422, "bad_field"),
        ({"rules": "dama64", "holder": "x"}, 422, "bad_field"),
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
    response = browser.post("/api/lobby", body)
    assert (response.status_code, response.json()["error"]) == (status, error)
    assert len(response.json()["message"]) > 10


def test_cross_origin_requests_are_refused(guests: Guests) -> None:
    [browser] = guests(1)
    for path in ("/api/lobby", "/api/lobby/pool", f"/api/lobby/{'A' * 22}/accept"):
        response = browser.http.post(path, json={}, headers={"origin": "https://evil.example"})
        assert response.json()["error"] == "cross_origin"


def test_invalid_frames_do_not_close_a_connection(guests: Guests) -> None:
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
def test_the_lobby_page_sets_no_cookie(guests: Guests, language: str) -> None:
    [browser] = guests(1)
    page = browser.http.get(f"/lobby?lang={language}")
    assert page.status_code == 200
    assert "damka_seat" not in page.cookies, "no cookie for a visit"


def test_challenges_per_address_are_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, challenge_burst=5, challenge_rate=0.001, open_seeks=3)
    with serving(tmp_path, limits=limits) as server, ExitStack() as stack:
        first, second, third = Guests(server, stack)(3)
        challenge(first)
        challenge(second)
        seek(third)
        # The lobby is full for everyone; then the address reaches its rate limit.
        body = {"rules": "dama64", "clock": BLITZ}
        response = third.post("/api/lobby", body)
        assert (response.status_code, response.json()["error"]) == (429, "lobby_full")
        seek(third, clock=RAPID)  # replaces the first seek
        for path in ("/api/lobby", "/api/lobby/pool"):
            response = second.post(path, body)
            assert (response.status_code, response.json()["error"]) == (429, "too_many")


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
        # A new connection is accepted once the server has noticed the disconnect.
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(ConnectionClosed):
                guests.watch(browser).receive("lobby")
                return
        pytest.fail("the closed connection was not released")


def test_challenges_are_shared_between_processes(server: Server, guests: Guests) -> None:
    """A lobby of another process on the same database shows the challenge."""
    app_state = server.app.state.damka
    [challenger] = guests(1)

    class Page:
        holder = None

        def __init__(self) -> None:
            self.woken = threading.Event()

        def wake(self) -> None:
            self.woken.set()

    async def other_process() -> bool:
        lobby = Lobby(app_state.settings, app_state.sessions, app_state.accounts, app_state.cluster)
        page = Page()
        lobby.start()
        try:
            await lobby.enter(page)
            page.woken.clear()
            challenge_id = await asyncio.to_thread(challenge, challenger)
            is_woken = await asyncio.to_thread(page.woken.wait, PATIENCE)
            return is_woken and challenge_id in {each.id for each, _ in lobby.snapshot.challenges}
        finally:
            lobby.leave(page)
            await lobby.close()

    loop = next(iter(app_state.lobby._tasks)).get_loop()
    assert asyncio.run_coroutine_threadsafe(other_process(), loop).result(PATIENCE)
