"""Progress of lessons in accounts: merging, reset, limits, export and deletion."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from damka import rules
from damka.server.accounts import members
from damka.server.store import Store
from damka.server.store import lessons as rows
from damka.server.store.lesson_models import CourseRow
from damka.study.lessons import fingerprint
from tests.server.accounts.support import PASSWORD, ROOMY, form, register
from tests.server.support import Browser, Server, serving

ONE, TWO = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("stars"), limits=ROOMY) as server:
        yield server


@pytest.fixture
def member(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        register(browser)
        yield browser


def send(browser: Browser, **body: Any) -> Any:
    answer = browser.post("/account/lessons", body)
    assert answer.status_code == 200, answer.text
    return answer.json()["courses"]


def test_the_better_stars_of_each_level_are_kept(member: Browser) -> None:
    assert send(member, courses={ONE: {"capture.jump": 1, "game": 3}}) == {
        ONE: {"capture.jump": 1, "game": 3}
    }
    merged = send(member, courses={ONE: {"capture.jump": 2, "game": 0}, TWO: {"men.a": 0}})
    assert merged == {ONE: {"capture.jump": 2, "game": 3}, TWO: {"men.a": 0}}
    assert send(member) == merged
    assert send(member, reset=ONE, had=merged[ONE]) == {TWO: {"men.a": 0}}


def test_invalid_progress_and_guests_are_refused(server: Server, member: Browser) -> None:
    invalid: tuple[dict[str, dict[str, int]], ...] = (
        {"x": {}},
        {ONE: {"men.a": 4}},
        {ONE: {"men.a": -1}},
        {ONE: {"men.a": True}},
        {f"{ONE}\n": {}},
        {ONE: {str(n): 1 for n in range(301)}},
        {f"{n:016x}": {} for n in range(201)},
    )
    for courses in invalid:
        answer = member.post("/account/lessons", {"courses": courses})
        assert answer.status_code == 422, courses
    assert member.post("/account/lessons", {"reset": f"{ONE}\n"}).status_code == 422
    assert send(member) == {}
    with server.browser() as guest:
        assert guest.post("/account/lessons", {}).status_code == 401


def test_ids_that_are_none_of_a_level_are_dropped(member: Browser) -> None:
    junk = {"A b": 1, "a": 1, "men.a\n": 1, "": 2, ".": 2, f"men.{'x' * 80}": 3}
    shipped = fingerprint(rules.load("dama64"))
    levels = {"capture.jump": 3, "game": 3}
    sent = {ONE: {"men.a": 2, **junk}, shipped: {"no.such.level": 3, **levels, **junk}}
    assert send(member, courses=sent) == {ONE: {"men.a": 2}, shipped: levels}
    assert send(member) == {ONE: {"men.a": 2}, shipped: levels}


def test_a_reset_is_not_undone_by_another_device(member: Browser) -> None:
    """A device that has not seen a reset has old stars; later stars count."""
    first = member.post("/account/lessons", {"courses": {ONE: {"men.a": 3}}}).json()
    account = first["account"]
    assert first["resets"] == {}
    had = {"men.a": 3}
    assert send(member, account=account, reset=ONE, had=had) == {}
    old = {"account": account, "courses": {ONE: {"men.a": 3}}}
    answer = member.post("/account/lessons", old).json()
    assert (answer["courses"], answer["resets"]) == ({}, {ONE: 1})
    assert send(member, **old, resets={ONE: 1}) == {ONE: {"men.a": 3}}
    assert send(member, account="someone-else", reset=ONE, had=had) == {ONE: {"men.a": 3}}
    assert send(member, account=account, reset=ONE, had=had) == {}
    # The first stars of a device were no part of what was reset.
    assert send(member, courses={ONE: {"men.b": 1}}) == {ONE: {"men.b": 1}}


def test_a_late_reset_keeps_stars_from_after_it(member: Browser) -> None:
    """Without a connection it waits, while another device earns stars."""
    had = {"men.a": 1, "men.b": 0}
    sent = member.post("/account/lessons", {"courses": {ONE: had}}).json()
    account = sent["account"]
    send(member, account=account, courses={ONE: {"men.a": 3, "men.c": 2}})
    assert send(member, account=account, reset=ONE, had=had) == {ONE: {"men.a": 3, "men.c": 2}}


def test_an_account_takes_its_stars_along_and_away(server: Server) -> None:
    with server.browser() as browser:
        name = register(browser)
        send(browser, courses={ONE: {"men.a": 2}})
        exported = form(browser, "/account/export")
        with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
            assert json.loads(archive.read("account.json"))["lessons"] == {ONE: {"men.a": 2}}
        closed = form(browser, "/account/close", name=name, password=PASSWORD)
        assert closed.status_code in (200, 303)
        assert browser.post("/account/lessons", {}).status_code == 401


def keep_the_better(store: Store) -> None:
    """Exercise the database's functions; PostgreSQL runs the same."""
    with store.transaction() as connection:
        one, two = (members.create(connection, name, None) for name in ("Ana", "Bea"))
        many = {f"{n:016x}": {"a": 1} for n in range(rows.MAX_COURSES)}
        assert rows.merge(connection, one, many) == many
        rows.merge(connection, two, {ONE: {"a": 3}})
        more = rows.merge(connection, one, {ONE: {f"{n}": 1 for n in range(rows.MAX_LEVELS + 1)}})
        assert len(more) == rows.MAX_COURSES
        assert len(more[ONE]) == rows.MAX_LEVELS
        assert rows.progress(connection, one) == more
        members.close(connection, one)
        rows.reset(connection, two, TWO, {})
        rows.reset(connection, two, TWO, {})
        assert rows.resets(connection, two) == {TWO: 2}
        assert rows.merge(connection, two, {TWO: {"b": 1}}, {TWO: 1}) == {ONE: {"a": 3}}
        left = connection.scalars(select(CourseRow.account_id)).all()
        assert left == [two, two]


def test_the_stored_courses_are_limited(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/games.sqlite3")
    keep_the_better(store)
    store.close()
