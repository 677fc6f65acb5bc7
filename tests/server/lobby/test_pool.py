"""Seeks: which players are paired, how often, and which are never paired."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select, update

from damka.server.accounts import members
from damka.server.lobby import pool, seeks, service
from damka.server.lobby.seeks import Seek
from damka.server.store import ConflictError
from damka.server.store.account_models import RatingRow
from damka.server.store.lobby_models import SeekRow
from damka.server.store.models import GameRow, SeatRow
from tests.server.accounts.support import form, store_of
from tests.server.lobby.support import BLITZ, RAPID, Guests, accept, challenge, name_of, seek
from tests.server.support import PATIENCE, Browser, Server


def holder_of(server: Server, browser: Browser) -> str:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name_of(browser))
    assert account is not None
    return account.holder


def set_rating(server: Server, browser: Browser, rating: float) -> None:
    """Set a member's Dama64 rating."""
    with store_of(server).transaction() as connection:
        account = members.find(connection, name_of(browser))
        assert account is not None
        row = {
            "account_id": account.id,
            "rules": "dama64",
            "rating": rating,
            "deviation": 60.0,
            "volatility": 0.06,
            "games": 30,
            "last": datetime.now(UTC),
        }
        connection.execute(insert(RatingRow), row)


def test_compatible_seeks_are_paired(guests: Guests) -> None:
    first, second, third = guests(3)
    seek_id = seek(first)
    first_lobby = guests.watch(first, "bg")
    state = first_lobby.until(lambda state: state["seeking"])
    assert state["seeking"]["id"] == seek_id
    assert "5+3" in state["seeking"]["game"]
    assert "никой друг" in state["seeking"]["sentence"]
    seek(third, clock=RAPID)
    third_lobby = guests.watch(third)
    seek(second)
    game = first_lobby.game()
    assert guests.watch(second).game() == game
    assert third_lobby.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith(
        "Nobody"
    )
    live = first.live(game)
    state = live.state()
    assert state["online"]
    assert {*state["you"], *second.live(game).state()["you"]} == {"W", "B"}
    assert not state["rated"]
    # The new game is listed as a running game before the first move.
    assert game in second.http.get("/").text
    # A redirected page does not redirect again.
    first_lobby.connection.send(f'{{"t":"went","id":"{seek_id}"}}')
    first_lobby.connection.send('{"t":"ping"}')
    first_lobby.receive("pong")
    assert guests.watch(first).receive("lobby")["seeking"] is None


def test_a_seek_can_be_cancelled(guests: Guests) -> None:
    first, second = guests(2)
    seek_id = seek(first, clock=RAPID, rules="turkish")
    first_lobby = guests.watch(first)
    first_lobby.until(lambda state: state["seeking"])
    assert second.post(f"/api/lobby/{seek_id}/cancel").status_code == 409, "not their own seek"
    assert first.post(f"/api/lobby/{seek_id}/cancel").status_code == 200
    first_lobby.until(lambda state: not state["seeking"])
    seek(second, clock=RAPID, rules="turkish")
    second_lobby = guests.watch(second)
    state = second_lobby.until(lambda state: state["seeking"])
    assert state["seeking"]["sentence"].startswith("Nobody else")


def test_closing_the_page_ends_the_seek(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeks, "EXPIRY_WHEN_LEFT", timedelta(seconds=0.3))
    leaving, arriving = guests(2)
    seek_id = seek(leaving, rules="brazilian")
    leaving_lobby = guests.watch(leaving)
    leaving_lobby.until(lambda state: state["seeking"])
    leaving_lobby.connection.close()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with store_of(server).transaction() as connection:
            if seeks.find(connection, seek_id) is None:
                break
    seek(arriving, rules="brazilian")
    arriving_lobby = guests.watch(arriving)
    assert arriving_lobby.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith(
        "Nobody"
    )
    # A page that reconnects in time keeps its seek.
    monkeypatch.setattr(seeks, "EXPIRY_WHEN_LEFT", timedelta(seconds=5))
    arriving_lobby.connection.close()
    time.sleep(0.2)
    reconnected = guests.watch(arriving)
    assert reconnected.receive("lobby")["seeking"]


def test_seeks_need_a_clock(guests: Guests) -> None:
    [guest] = guests(1)
    response = guest.post("/api/lobby/pool", {"rules": "dama64"})
    assert (response.status_code, response.json()["error"]) == (422, "pool_clock")


def test_a_new_seek_replaces_the_old_one(server: Server, guests: Guests) -> None:
    [guest] = guests(1)
    seek(guest, rules="italian")
    seek_ids = [seek(guest, rules=rules) for rules in ("russian", "italian")]
    with store_of(server).transaction() as connection:
        pooled = [row.id for row in connection.execute(select(SeekRow.__table__)) if row.pooled]
    assert [each for each in pooled if each in seek_ids] == seek_ids[-1:]


def test_each_seeker_is_paired_once(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve players seek at once, each twice."""
    all_seeking = threading.Event()

    async def leads(_: str) -> bool:
        return all_seeking.is_set()

    monkeypatch.setattr(server.app.state.damka.cluster, "leads", leads, raising=False)
    browsers = guests(12)
    for each in browsers:
        challenge(each, rules="american")  # to set its cookie
    barrier = threading.Barrier(len(browsers))

    def seek_twice(browser: Browser) -> None:
        barrier.wait()
        for _ in range(2):
            response = browser.post("/api/lobby/pool", {"rules": "czech", "clock": BLITZ})
            assert response.status_code in {201, 409}

    with ThreadPoolExecutor(len(browsers)) as threads:
        list(threads.map(seek_twice, browsers))
    all_seeking.set()
    games = [guests.watch(each).game() for each in browsers]
    assert sorted(map(games.count, games)) == [2] * 12
    with store_of(server).transaction() as connection:
        seats = connection.execute(
            select(SeatRow.holder)
            .join(GameRow, GameRow.id == SeatRow.game_id)
            .where(GameRow.id.in_(games))
        )
        holders = list(seats.scalars())
    assert len(holders) == len(set(holders)) == 12


def test_a_seek_is_paired_by_one_process(server: Server) -> None:
    """A second process that pairs the same seek gets a conflict."""
    now = datetime.now(UTC)
    waiting = [
        Seek(
            id=f"once{n}",
            holder=f"holder{n}",
            pool=True,
            rules="dama64",
            clock=None,
            created=now,
            seen=now - timedelta(seconds=3),
        )
        for n in range(3)
    ]
    store = store_of(server)
    with store.transaction() as connection:
        for each in waiting:
            seeks.add(connection, each, 500)
    with store.transaction() as connection:
        seeks.take(connection, waiting[:2], "first", "holder0", "holder1")
    with pytest.raises(ConflictError), store.transaction() as connection:
        seeks.take(connection, waiting[1:], "second", "holder1", "holder2")
    with store.transaction() as connection:
        games = {each.id: each.game_id for each in seeks.all_seeks(connection)}
        for n in range(3):
            seeks.cancel_all(connection, f"holder{n}")
    assert [games[each.id] for each in waiting] == ["first", "first", None]


def test_blocked_players_are_never_paired(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    assert form(first, f"/@/{name_of(second)}/block").status_code == 303
    for each in (first, second):
        seek(each, rules="frisian")
    first_lobby = guests.watch(first)
    first_lobby.until(lambda state: state["seeking"])
    # After this many waves any other opponent would be accepted.
    with store_of(server).transaction() as connection:
        connection.execute(update(SeekRow).values(missed=100))
    [guest] = guests(1)
    seek(guest, rules="frisian")
    game = guests.watch(guest).game()
    sides = [each.live(game).state()["you"] for each in (first, second)]
    assert sum(map(bool, sides)) == 1, "the guest plays one of them"


def test_players_with_similar_ratings_are_paired(server: Server, guests: Guests) -> None:
    browsers = guests.members(4)
    for each, rating in zip(browsers, (1400, 1430, 1700, 1720), strict=True):
        set_rating(server, each, rating)
    now = datetime.now(UTC)
    with store_of(server).transaction() as connection:
        waiting = [
            Seek(
                id=f"near{n}",
                holder=holder_of(server, each),
                pool=True,
                rules="dama64",
                clock=None,
                created=now,
                seen=now,
            )
            for n, each in enumerate(browsers)
        ]
        [group] = pool.groups(connection, waiting)
    assert [round(seeker.rating) for _, seeker in group] == [1400, 1430, 1700, 1720]
    pairs, unpaired = pool.pairs(group)
    assert not unpaired
    assert {frozenset((white.id, black.id)) for white, black in pairs} == {
        frozenset(("near0", "near1")),
        frozenset(("near2", "near3")),
    }


def test_players_are_paired_without_the_matching_library(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with store_of(server).transaction() as connection:
        waiting = [
            Seek(
                id=f"many{n}",
                holder=f"holder{n}",
                pool=True,
                rules="dama64",
                clock=None,
                created=now,
                seen=now,
            )
            for n in range(25)
        ]
        [group] = pool.groups(connection, waiting)
    pairs, unpaired = pool.pairs(group)
    assert (len(pairs), len(unpaired)) == (12, 1)


def test_recent_opponents_are_avoided_and_colours_alternate(server: Server, guests: Guests) -> None:
    ana, petra = guests.members(2)
    game = accept(petra, challenge(ana, colour="first")).json()["id"]
    white, black = (holder_of(server, each) for each in (ana, petra))
    assert ana.live(game).state()["you"] == ["W"]
    now = datetime.now(UTC)

    def waiting(missed: int) -> pool.Waiting:
        both = [
            Seek(
                id=f"last{n}",
                holder=holder,
                pool=True,
                rules="dama64",
                clock=None,
                missed=missed,
                created=now,
                seen=now,
            )
            for n, holder in enumerate((white, black))
        ]
        with store_of(server).transaction() as connection:
            [group] = pool.groups(connection, both)
        return group

    assert pool.pairs(waiting(0))[0] == []
    [(first, second)] = pool.pairs(waiting(3))[0]
    assert (first.holder, second.holder) == (black, white), "the colours are swapped"


def test_only_the_leading_process_pairs(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = server.app.state.damka.cluster
    checked = threading.Event()

    async def leads(task: str) -> bool:
        assert task == service.TOPIC
        checked.set()
        return False

    monkeypatch.setattr(cluster, "leads", leads, raising=False)
    first, second = guests(2)
    for each in (first, second):
        seek(each, rules="spanish")
    first_lobby = guests.watch(first)
    state = first_lobby.until(
        lambda state: state["seeking"] and "One" in state["seeking"]["sentence"]
    )
    checked.clear()
    assert checked.wait(5)
    assert state["seeking"]
    monkeypatch.undo()
    assert first_lobby.game()
