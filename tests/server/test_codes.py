"""Seat codes: they cannot be guessed, and their holders are not locked out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import text

from damka.live import codes
from damka.server.events import changes, values
from damka.server.limits import Buckets
from damka.server.settings import Limits
from tests.server.accounts.support import store_of
from tests.server.events import support as event_support
from tests.server.online import code_of, create_invitation
from tests.server.support import LIMITS, Browser, Live, Server, serving

PROXY = "127.0.0.1"
STRICT = dataclasses.replace(LIMITS, guess_burst=3, event_guess_burst=3, short_codes=2)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("codes"), limits=STRICT) as server:
        yield server


def at(server: Server, address: str) -> Browser:
    """Return a browser whose address comes from a trusted proxy."""
    return server.browser(**{"x-forwarded-for": address})


# Guessing probability


def test_codes_cannot_be_guessed_within_a_day() -> None:
    """Two thousand guesses a second, from any number of addresses, at 50,000 open seats."""
    guesses = 2_000 * 24 * 3600
    assert len(codes.LETTERS) ** codes.LENGTH > 1.8e20
    assert codes.guess_probability(2_000, 50_000) == guesses * 50_000 / 28**14 < 1e-7
    # A hundred such servers on one database, and twice the seats.
    assert codes.guess_probability(200_000, 50_000) < 1e-5
    assert codes.guess_probability(20_000, 100_000) < 1e-6
    assert changes.MAX_PLAYERS <= 50_000


def test_every_seat_code_has_the_full_length(server: Server, browser: Browser) -> None:
    live = browser.live(create_invitation(browser))
    live.state()
    assert re.fullmatch(r"([B-Z2-9]{5}-){2}[B-Z2-9]{4}", code_of(live))
    assert len(event_support.operator_code(server)) == codes.LENGTH
    path = event_support.create_event(browser, server)
    event_support.join(browser, path, "Ana")
    page = browser.http.get(f"{path}/arbiter").text
    codes_shown = re.findall(r'class="codes">([^<]+)<', page)
    event_code, *seats = codes_shown
    assert len(event_code) == 4, "the event code gives no seat"
    assert {len(codes.normalise(each)) for each in seats} == {codes.LENGTH}
    assert len(seats) == 2


def test_a_part_of_a_code_is_not_a_code(browser: Browser) -> None:
    live = browser.live(create_invitation(browser))
    live.state()
    code = codes.normalise(code_of(live))
    for part in (code[: codes.STORED], code[:-1], code[:4], code[: codes.STORED] + "BBBBBB"):
        assert browser.http.get(f"/join/{part}").status_code == 404, part
        assert browser.http.get(f"/api/invitations/{part}").status_code == 404, part


def test_codes_with_the_same_stored_part_differ_by_game() -> None:
    first, second = (codes.full_code("BKRTDFGH", each * 22) for each in "ab")
    assert first[: codes.STORED] == second[: codes.STORED]
    assert first != second
    assert codes.full_code("BKRT", "a" * 22) == "BKRT"


# No lockout


def test_a_valid_invitation_code_works_after_wrong_guesses(strict: Server) -> None:
    with strict.browser() as host, strict.browser() as guest:
        live = host.live(create_invitation(host))
        live.state()
        wrong = [guest.http.get(f"/join/{codes.new()}") for _ in range(6)]
        assert [each.status_code for each in wrong] == [404] * 3 + [429] * 3
        assert int(wrong[-1].headers["retry-after"]) > 0
        assert guest.http.get(f"/join/{code_of(live)}").status_code == 200


def test_a_valid_seat_code_works_after_wrong_guesses(strict: Server) -> None:
    with strict.browser() as arbiter, strict.browser() as player, strict.browser() as other:
        path = event_support.create_event(arbiter, strict)
        event_support.join(player, path, "Ana")
        page = arbiter.http.get(f"{path}/arbiter").text
        seats = re.findall(r'class="codes">([^<]+)<', page)[1:]
        for code, target in zip(seats, (f"{path}/arbiter", path), strict=True):
            wrong = [event_support.form(other, f"{path}/seat", code=codes.new()) for _ in range(5)]
            assert {each.status_code for each in wrong} <= {404, 429}
            response = event_support.form(other, f"{path}/seat", code=code.lower())
            assert (response.status_code, response.headers["location"]) == (303, target)
        response_to_event = event_support.form(
            other, "/events", name="x", arbiter="A", rules="dama64", rounds=3,
            code=event_support.operator_code(strict),
        )  # fmt: skip
        assert response_to_event.status_code == 303


# Codes issued by an earlier version


def set_short_code(server: Server, game: str, code: str) -> None:
    with store_of(server).transaction() as connection:
        connection.execute(
            text("UPDATE games SET code = :code WHERE id = :id"), {"code": code, "id": game}
        )


def test_a_short_code_works_within_a_daily_limit(tmp_path: Path) -> None:
    with serving(tmp_path, limits=STRICT) as server, server.browser() as host:
        game = create_invitation(host)
        set_short_code(server, game, "BKRT")
        with at(server, "192.0.2.1") as guest:
            assert guest.http.get("/join/bk-rt").status_code == 200
        for number in range(2, 6):
            with at(server, f"192.0.2.{number}") as guesser:
                assert guesser.http.get("/join/BBBB").status_code == 404
        with at(server, "192.0.2.9") as guest:
            assert guest.http.get("/join/BKRT").status_code == 404, (
                "the daily limit of lookups is reached"
            )


def test_short_seat_codes_have_a_daily_limit(tmp_path: Path) -> None:
    with serving(tmp_path, limits=STRICT) as server, server.browser() as arbiter:
        path = event_support.create_event(arbiter, server)
        for number in range(5):
            with at(server, f"2001:db8:{number}::1") as guesser:
                response = event_support.form(guesser, f"{path}/seat", code="BKRTDF")
                assert response.status_code == (404 if number < 2 else 429)


def test_a_seat_code_of_six_letters_still_works() -> None:
    entrant = values.Entrant(id="1", name="Ana", holder="a", code="BKRTDF", device=True)
    state = values.EventState(
        setup=values.Setup(name="x", rules={}, kind="swiss"),
        arbiters=(),
        arbiter_code="BKRTDFGH",
        entrants=(entrant,),
    )
    claimed, before = changes.claim_seat(state, "BKRTDF", "b")
    assert before == entrant
    assert claimed.entrants[0].holder == "b"
    assert len(claimed.entrants[0].code) == codes.LENGTH
    assert changes.add_arbiter(state, "BKRTDFGH", values.Arbiter("c", "Rossi")).arbiters


# Letters of any alphabet


@pytest.mark.parametrize(
    "code", ["ЖЖЖЖЖЖЖЖ", "ЖЖЖЖЖЖ", "Ｂ" * 14, "é" * 14, "\0" * 8, "x" * 10**5, ""]
)
def test_any_text_counts_as_a_wrong_guess(tmp_path: Path, code: str) -> None:
    with serving(tmp_path, limits=STRICT) as server, server.browser() as arbiter:
        path = event_support.create_event(arbiter, server)
        for _ in range(3):
            with server.browser() as guesser:
                responses = [event_support.form(guesser, f"{path}/seat", code=code)]
                responses.append(
                    event_support.form(guesser, "/events", name="x", arbiter="A", code=code)
                )
                responses.append(guesser.http.get("/join/" + quote(code[:200] or "-")))
                responses.append(guesser.http.get("/join", params={"code": code[:200]}))
                assert all(each.status_code < 500 for each in responses), responses
        with server.browser() as guesser:
            response = event_support.form(guesser, f"{path}/seat", code=code)
            # A form with control characters is rejected.
            assert response.status_code == (400 if "\0" in code else 429)


# Addresses


def test_addresses_of_one_network_share_a_limit() -> None:
    buckets = Buckets(2, 0.0, 100)
    assert [buckets.take(f"2001:db8:1:2::{n:x}") for n in range(4)] == [True, True, False, False]
    assert not buckets.has_token("event 2001:db8:1:2::9"[6:])
    # With a prefix: the counter of an address for one event.
    other = Buckets(1, 0.0, 100)
    assert [other.take(f"event 2001:db8:1:2::{n}") for n in range(2)] == [True, False]


def test_a_wide_network_has_a_higher_limit() -> None:
    buckets = Buckets(2, 0.0, 10_000)
    taken = [buckets.take(f"2001:db8:1:{n:x}::1") for n in range(100)]
    assert taken == [True] * 16 + [False] * 84
    assert buckets.take("2001:db8:2::1")


def test_a_refused_request_does_not_count_towards_the_wide_limit() -> None:
    buckets = Buckets(1, 0.0, 10_000)
    assert [buckets.take("2001:db8:1:1::1") for _ in range(50)] == [True] + [False] * 49
    assert [buckets.take(f"2001:db8:1:{n}::1") for n in range(2, 9)] == [True] * 7


def test_mapped_addresses_are_unmapped() -> None:
    buckets = Buckets(1, 0.0, 100)
    assert buckets.take("::ffff:192.0.2.1")
    assert not buckets.take("192.0.2.1")
    assert buckets.take("::ffff:192.0.2.2")


def test_connections_of_one_network_are_counted_together(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=2, connect_burst=100)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()

        def watch(address: str) -> Live:
            headers: dict[str, Any] = {"x-forwarded-for": address}
            return browser.live(game, **headers)

        for number in range(2):
            watch(f"2001:db8::{number + 1}").state()
        assert watch("2001:db8::77").closed_with() == 1013
        watch("2001:db8:0:1::1").state()
