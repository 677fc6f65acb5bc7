"""Seeks: which players are paired, that each is paired once, and which are never paired."""

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


def rated_at(server: Server, browser: Browser, rating: float) -> None:
    """Give a member a rating at Dama64."""
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
    one, two, three = guests(3)
    waits = seek(one)
    here = guests.watch(one, "bg")
    state = here.until(lambda state: state["seeking"])
    assert state["seeking"]["id"] == waits
    assert "5+3" in state["seeking"]["game"]
    assert "никой друг" in state["seeking"]["sentence"]
    seek(three, clock=RAPID)
    there = guests.watch(three)
    seek(two)
    game = here.game()
    assert guests.watch(two).game() == game
    assert there.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith("Nobody")
    live = one.live(game)
    state = live.state()
    assert state["online"]
    assert {*state["you"], *two.live(game).state()["you"]} == {"W", "B"}
    assert not state["rated"]
    # The new game counts as a running game of both, before the first move.
    assert game in two.http.get("/").text
    # A redirected page does not redirect again.
    here.connection.send(f'{{"t":"went","id":"{waits}"}}')
    here.connection.send('{"t":"ping"}')
    here.receive("pong")
    assert guests.watch(one).receive("lobby")["seeking"] is None


def test_waiting_is_cancelled(guests: Guests) -> None:
    one, two = guests(2)
    waits = seek(one, clock=RAPID, rules="turkish")
    here = guests.watch(one)
    here.until(lambda state: state["seeking"])
    assert two.post(f"/api/lobby/{waits}/cancel").status_code == 409, "it is not theirs"
    assert one.post(f"/api/lobby/{waits}/cancel").status_code == 200
    here.until(lambda state: not state["seeking"])
    seek(two, clock=RAPID, rules="turkish")
    there = guests.watch(two)
    state = there.until(lambda state: state["seeking"])
    assert state["seeking"]["sentence"].startswith("Nobody else")


def test_closing_the_page_ends_the_seek(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeks, "EXPIRY_WHEN_LEFT", timedelta(seconds=0.3))
    goes, comes = guests(2)
    waits = seek(goes, rules="brazilian")
    there = guests.watch(goes)
    there.until(lambda state: state["seeking"])
    there.connection.close()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with store_of(server).transaction() as connection:
            if seeks.find(connection, waits) is None:
                break
    seek(comes, rules="brazilian")
    here = guests.watch(comes)
    assert here.until(lambda state: state["seeking"])["seeking"]["sentence"].startswith("Nobody")
    # A page that reconnects in time retains the seek.
    monkeypatch.setattr(seeks, "EXPIRY_WHEN_LEFT", timedelta(seconds=5))
    here.connection.close()
    time.sleep(0.2)
    again = guests.watch(comes)
    assert again.receive("lobby")["seeking"]


def test_strangers_play_with_a_clock(guests: Guests) -> None:
    [one] = guests(1)
    answer = one.post("/api/lobby/pool", {"rules": "dama64"})
    assert (answer.status_code, answer.json()["error"]) == (422, "pool_clock")


def test_a_player_has_one_seek_in_the_pool(server: Server, guests: Guests) -> None:
    [one] = guests(1)
    seek(one, rules="italian")
    seeking = [seek(one, rules=rules) for rules in ("russian", "italian")]
    with store_of(server).transaction() as connection:
        mine = [row.id for row in connection.execute(select(SeekRow.__table__)) if row.pooled]
    assert [each for each in mine if each in seeking] == seeking[-1:]


def test_a_seeker_is_paired_once(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many seek at once, with double clicks."""
    pressed = threading.Event()

    async def leads(_: str) -> bool:
        return pressed.is_set()

    monkeypatch.setattr(server.app.state.damka.cluster, "leads", leads, raising=False)
    browsers = guests(12)
    for each in browsers:
        challenge(each, rules="american")  # to set its cookie
    barrier = threading.Barrier(len(browsers))

    def look(browser: Browser) -> None:
        barrier.wait()
        for _ in range(2):
            answer = browser.post("/api/lobby/pool", {"rules": "czech", "clock": BLITZ})
            assert answer.status_code in {201, 409}

    with ThreadPoolExecutor(len(browsers)) as threads:
        list(threads.map(look, browsers))
    pressed.set()
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


def test_a_seek_leads_to_one_game(server: Server) -> None:
    """The second process finds the seek gone and writes nothing."""
    now = datetime.now(UTC)
    made = [
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
        for each in made:
            seeks.add(connection, each, 500)
    with store.transaction() as connection:
        seeks.take(connection, made[:2], "first", "holder0", "holder1")
    with pytest.raises(ConflictError), store.transaction() as connection:
        seeks.take(connection, made[1:], "second", "holder1", "holder2")
    with store.transaction() as connection:
        found = {each.id: each.game_id for each in seeks.all_seeks(connection)}
        for n in range(3):
            seeks.cancel_all(connection, f"holder{n}")
    assert [found[each.id] for each in made] == ["first", "first", None]


def test_blocked_people_never_meet(server: Server, guests: Guests) -> None:
    one, two = guests.members(2)
    assert form(one, f"/@/{name_of(two)}/block").status_code == 303
    for each in (one, two):
        seek(each, rules="frisian")
    here = guests.watch(one)
    here.until(lambda state: state["seeking"])
    # After this many waves anyone else would be accepted.
    with store_of(server).transaction() as connection:
        connection.execute(update(SeekRow).values(missed=100))
    [guest] = guests(1)
    seek(guest, rules="frisian")
    game = guests.watch(guest).game()
    sides = [each.live(game).state()["you"] for each in (one, two)]
    assert sum(map(bool, sides)) == 1, "the third plays one of them"


def test_the_nearest_in_rating_are_paired(server: Server, guests: Guests) -> None:
    browsers = guests.members(4)
    for each, rating in zip(browsers, (1400, 1430, 1700, 1720), strict=True):
        rated_at(server, each, rating)
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
    matched, alone = pool.pairs(group)
    assert not alone
    assert {frozenset((white.id, black.id)) for white, black in matched} == {
        frozenset(("near0", "near1")),
        frozenset(("near2", "near3")),
    }


def test_more_are_paired_without_the_library_for_many(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with store_of(server).transaction() as connection:
        waiting = [
            Seek(
                id=f"many{n}",
                holder=f"nobody{n}",
                pool=True,
                rules="dama64",
                clock=None,
                created=now,
                seen=now,
            )
            for n in range(25)
        ]
        [group] = pool.groups(connection, waiting)
    matched, alone = pool.pairs(group)
    assert (len(matched), len(alone)) == (12, 1)


def test_the_last_opponent_is_avoided_for_a_while_and_colours_alternate(
    server: Server, guests: Guests
) -> None:
    one, two = guests.members(2)
    game = accept(two, challenge(one, colour="first")).json()["id"]
    white, black = (holder_of(server, each) for each in (one, two))
    assert one.live(game).state()["you"] == ["W"]
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


def test_only_the_process_that_leads_pairs(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = server.app.state.damka.cluster
    asked = threading.Event()

    async def leads(task: str) -> bool:
        assert task == service.TOPIC
        asked.set()
        return False

    monkeypatch.setattr(cluster, "leads", leads, raising=False)
    one, two = guests(2)
    for each in (one, two):
        seek(each, rules="spanish")
    here = guests.watch(one)
    state = here.until(lambda state: state["seeking"] and "One" in state["seeking"]["sentence"])
    asked.clear()
    assert asked.wait(5)
    assert state["seeking"]
    monkeypatch.undo()
    assert here.game()
