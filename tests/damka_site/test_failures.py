"""Errors of the site's worker when its store or its searches fail."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from damka.live.problems import Problem
from damka.locales import translate
from damka_site import Games, Requests, search
from damka_site.search import SearchFailedError
from damka_site.store import NewerVersionError, StorageError
from tests.damka_site.test_session import Page, run


def test_a_failed_search_is_reported_and_retried_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The browser's kernel creates the search tasks.
    monkeypatch.setattr(search, "_search_task", lambda *_, **__: (b"", b"", None))

    class FailingSearcher:
        async def search(self, rules: bytes, weights: str | None, task: bytes) -> bytes:
            raise SearchFailedError

        def stop(self) -> None:
            pass

    async def work() -> None:
        page = Page()
        page.games = Games(page.store, FailingSearcher())
        page.requests = Requests(page.games)
        game = await page.new(opponent="computer", colour="second", level=1)
        await game.wait_idle()
        failed = translate("en", "server.error.search_failed")
        assert {"t": "error", "code": "search_failed", "message": failed} in page.frames
        assert page.state["status"]["sentence"] == failed
        assert not page.state["thinking"]
        page.frames.clear()
        await game.receive('{"t": "draw"}')
        await game.wait_idle()
        assert "search_failed" in [each.get("code") for each in page.frames], "retried"

    run(work())


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda record: record[:-9], "bad_game"),
        (lambda record: "[" * 100_000, "bad_game"),
        (lambda record: "7", "bad_game"),
        (lambda record: record.replace("american", "no such rules"), "bad_game"),
        (lambda record: record.replace('"seats":[', '"seats":[3,'), "bad_game"),
        (lambda record: record.replace('"side":"W"', '"side":"B"'), "bad_game"),
        (lambda record: record.replace('"version":1', '"version":2'), "newer_game"),
        (lambda record: '{"version": 2}', "newer_game"),
    ],
)
def test_each_damage_to_a_record_is_reported(damage: Callable[[str], str], code: str) -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        record, log = page.store.games[game.live.id]
        assert damage(record) != record
        page.store.games[game.live.id] = (damage(record), log)
        with pytest.raises(Problem, match=code):
            await page.games.load(game.live.id)
        answer = await page.fetch(f"/api/games/{game.live.id}/shown")
        assert answer.status == 422
        assert json.loads(answer.text)["error"] == code
        page.store.games[game.live.id] = (record, log)
        assert (await page.fetch(f"/api/games/{game.live.id}/shown")).status == 200

    run(work())


@pytest.mark.parametrize(
    ("error", "code"),
    [(StorageError("closed"), "no_games"), (NewerVersionError("2"), "newer_game")],
)
def test_an_unreadable_store_is_reported(error: StorageError, code: str) -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()

        async def load(_: str) -> None:
            raise error

        page.store.load = load  # type: ignore[method-assign, assignment]
        answer = await page.fetch(f"/api/games/{game.live.id}/shown")
        assert json.loads(answer.text)["error"] == code
        page.frames.clear()
        # A move that was not stored, in a game that cannot be read again, is not shown.
        page.store.full = True
        await page.move_at(game, 0, "11-15")
        assert page.frames[-1]["code"] == "not_kept"

    run(work())
