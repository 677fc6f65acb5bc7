"""The site's worker, run in Python with a store in memory."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from typing import Any

import pytest

from damka import Game as Played
from damka.live.problems import Problem
from damka_site import Answer, FullError, Games, Requests, url
from damka_site.games import Game
from damka_site.store import StoredElsewhereError


class MemoryStore:
    """A store that can be full."""

    def __init__(self) -> None:
        self.games: dict[str, tuple[str, list[str]]] = {}
        self.next: dict[str, str] = {}
        self.shown: dict[str, Any] = {}
        self.over: set[str] = set()
        self.results: dict[str, Any] = {}
        self.listings: dict[str, dict[str, Any]] = {}
        self.full = False

    async def create(self, game_id: str, record: str, previous: str | None) -> str:
        if self.full:
            raise FullError("full")
        if previous is not None and previous in self.next:
            return self.next[previous]
        if previous is not None:
            self.next[previous] = game_id
        self.games[game_id] = (record, [])
        return game_id

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        if game_id not in self.games:
            return None
        record, log = self.games[game_id]
        return record, tuple(log), self.next.get(game_id)

    async def append(self, game_id: str, seq: int, event: str, result: str | None) -> None:
        if self.full:
            raise FullError("full")
        log = self.games[game_id][1]
        if seq < len(log):
            raise StoredElsewhereError("there")
        log.append(event)
        if result is not None:
            self.over.add(game_id)
            self.results[game_id] = json.loads(result)

    async def list(self) -> str:
        rows = [
            {
                "id": game_id,
                "record": record,
                "updated": number,
                "played": bool(log),
                "title": self.listings.get(game_id, {}).get("title"),
                "over": game_id in self.over,
                "result": self.results.get(game_id),
            }
            for number, (game_id, (record, log)) in enumerate(self.games.items())
            if not self.listings.get(game_id, {}).get("removed")
        ]
        return json.dumps(rows)

    async def change_listing(self, game_id: str, change: str) -> str:
        if game_id not in self.games:
            return ""
        listing = self.listings.setdefault(game_id, {"title": None, "removed": False})
        listing |= json.loads(change)
        return json.dumps(listing)

    async def load_rest(self) -> None:
        pass

    async def save_shown(self, game_id: str, state: str) -> None:
        self.shown[game_id] = json.loads(state)


class UnusedSearcher:
    """A searcher that must not be called."""

    async def search(self, rules: bytes, weights: str | None, task: bytes) -> bytes:
        raise AssertionError

    def stop(self) -> None:
        pass


class Page:
    """A page and its worker."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.games = Games(self.store, UnusedSearcher())
        self.requests = Requests(self.games)
        self.frames: list[Any] = []

    async def fetch(self, path: str, body: object = None, kind: str = "application/json") -> Answer:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return await self.requests.answer(path, data, kind, "en")

    async def new(self, **options: object) -> Game:
        body = {"rules": "american", "opponent": "person", "colour": "first", **options}
        answer = await self.fetch("/api/games", body)
        assert answer.status == 201, answer.text
        return await self.open(json.loads(answer.text)["id"])

    async def open(self, game_id: str) -> Game:
        return await self.games.open(
            game_id, "en", lambda frame: self.frames.append(json.loads(frame))
        )

    @property
    def state(self) -> Any:
        return [each for each in self.frames if each["t"] == "state"][-1]

    async def move(self, game: Game, text: str, version: int | None = None) -> None:
        await self.move_at(game, self.state["ply"], text, version)

    async def move_at(self, game: Game, ply: int, text: str, version: int | None = None) -> None:
        message = {"t": "move", "ply": ply, "move": text, "version": version}
        await game.receive(json.dumps(message))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_a_move_is_stored_and_shown() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        await page.move(game, "11-15")
        assert page.state["ply"] == 1
        reopened = await page.open(page.state["id"])
        assert reopened.live.game.board.pieces == page.state["pieces"]
        await reopened.wait_idle()
        assert page.store.shown[reopened.live.id]["state"]["ply"] == 1

    run(work())


def test_a_full_store_refuses_moves_with_an_error() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        page.store.full = True
        await page.move(game, "11-15")
        assert page.frames[-1]["code"] == "full"
        assert page.state["ply"] == 0
        page.store.full = False
        await page.move(game, "11-15")
        assert page.state["ply"] == 1
        page.store.full = True
        answer = await page.fetch("/api/games", {"rules": "american", "opponent": "person"})
        assert answer.status == 507
        assert json.loads(answer.text)["error"] == "full"

    run(work())


def test_a_move_after_a_move_of_another_window_is_refused() -> None:
    async def work() -> None:
        page = Page()
        first = await page.new()
        second = await page.open(page.state["id"])
        await page.move(first, "11-15")
        page.frames.clear()
        await second.receive(json.dumps({"t": "move", "ply": 0, "move": "11-16"}))
        assert [each["t"] for each in page.frames][-2:] == ["error", "state"]
        assert page.state["history"][0]["text"] == "11-15"

    run(work())


def test_damaged_and_unknown_games_have_different_errors() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        page.store.games[game.live.id][1].append('{"kind": "move", "side": "W"}')
        with pytest.raises(Problem, match="bad_game"):
            await page.games.load(game.live.id)
        page.store.games[game.live.id][1][:] = ['{"kind": "no such thing"}']
        with pytest.raises(Problem, match="bad_game"):
            await page.games.load(game.live.id)
        with pytest.raises(Problem, match="unknown_game"):
            await page.games.load("unknown")

    run(work())


def test_refusals_and_moves_are_explained() -> None:
    async def work() -> None:
        page = Page()
        saved = Played("american", "W:W22,32:B3,18").to_json().encode()
        answer = await page.fetch("/api/games/load", saved)
        game = await page.open(json.loads(answer.text)["id"])
        await game.receive('{"t": "why", "clicks": [32, 28]}')
        assert page.frames[-1]["sentence"] == "You must capture: the man on 22 can take 18."
        move = '{"t": "move", "ply": 0, "move": "22x15x18", "side": "W"}'
        await game.receive(move)
        await game.receive('{"t": "why_allowed", "ply": 1}')
        assert page.frames[-1]["sentence"] == "Capturing is compulsory. The piece on 22 took 18."
        await game.receive("nonsense")
        assert page.frames[-1]["code"] == "bad_message"

    run(work())


def test_a_rematch_is_created_once() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        await game.receive('{"t": "resign", "side": "B"}')
        path = f"/api/games/{game.live.id}/rematch"
        first, second = [await page.fetch(path, b"{}") for _ in range(2)]
        assert json.loads(first.text)["id"] == json.loads(second.text)["id"]

    run(work())


def test_another_level_starts_another_game() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new(opponent="computer", level=1, colour="first")
        await game.receive('{"t": "resign"}')
        path = f"/api/games/{game.live.id}/rematch"
        first, second = [await page.fetch(path, b'{"level": 2}') for _ in range(2)]
        assert json.loads(first.text)["id"] != json.loads(second.text)["id"]
        following = await page.open(json.loads(first.text)["id"])
        assert {seat.level for seat in following.live.seats.values()} == {None, 2}

    run(work())


def test_files_and_rule_sets_are_served() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        await page.move(game, "11-15")
        file = await page.fetch(f"/api/games/{game.live.id}/file")
        assert Played.from_json(file.text.encode()).board.pieces == page.state["pieces"]
        assert "1. 11-15" in (await page.fetch(f"/api/games/{game.live.id}/pdn")).text
        picture = await page.fetch(f"/api/games/{game.live.id}/picture.svg?flip=true")
        assert picture.text.startswith("<svg")
        assert picture.name.endswith(".svg")
        replay = await page.fetch(f"/api/games/{game.live.id}/replay.svg")
        assert "<animateTransform" in replay.text
        data = json.loads((await page.fetch("/api/box?base=american&man_capture=all")).text)
        assert data["link"].startswith("/box?r=")
        assert (await page.fetch(data["file"])).name.endswith(".toml")
        html = (await page.fetch("/box?base=american")).text
        assert 'value="person"' in html
        assert 'value="invite"' not in html, "no invitations without a server"
        html = (await page.fetch(f"/game/{game.live.id}/rules")).text
        assert f'href="game.html?game={game.live.id}"' in html

    run(work())


def test_own_games_are_listed_renamed_removed_and_downloaded() -> None:
    async def work() -> None:
        page = Page()
        lost = await page.new(opponent="computer", level=3)
        await lost.receive(json.dumps({"t": "resign"}))
        await lost.wait_idle()
        running = await page.new()
        await page.move(running, "11-15")
        unplayed = await page.new(rules="dama64")
        html = (await page.fetch("/games")).text
        ids = re.findall(r'data-game="([^"]+)"', html)
        assert ids == [running.live.id, lost.live.id]
        assert unplayed.live.id not in html
        assert f'href="game.html?game={lost.live.id}"' in html
        assert "1 lost" in html
        path = f"/api/games/{lost.live.id}/listing"
        assert (await page.fetch(path, {"title": " First  try "})).status == 200
        assert "First try" in (await page.fetch("/games?result=lost&find=first")).text
        assert (await page.fetch(path, {"title": "x" * 61})).status == 422
        assert (await page.fetch("/api/games/unknown/listing", {"removed": True})).status == 404
        file = await page.fetch("/games.pdn")
        assert file.name.endswith(".pdn")
        assert file.text.count("[GameType ") == 2
        await page.fetch(path, {"removed": True})
        assert lost.live.id not in (await page.fetch("/games")).text
        await page.fetch(path, {"removed": False})
        # A result that an earlier version did not store is taken from the log.
        del page.store.results[lost.live.id]
        assert "1 lost" in (await page.fetch("/games")).text

    run(work())


def test_a_damaged_game_stays_in_the_list() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new()
        await page.move(game, "11-15")
        page.store.games[game.live.id] = ("{}", [])
        html = (await page.fetch("/games")).text
        assert f'data-game="{game.live.id}"' in html
        assert "Unreadable game" in html

    run(work())


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/games", b"{", 400),
        ("/api/games", b'{"rules": "chess"}', 404),
        ("/api/games", b'{"rules": {"width": 7}}', 422),
        ("/api/games", b" " * 300_000, 413),
        ("/api/games/load", b"nonsense", 422),
        ("/api/games/unknown/file", None, 404),
        ("/box?r=hostile", None, 400),
        ("/box?base=chess", None, 404),
        ("/nothing", None, 404),
    ],
)
def test_bad_requests_get_an_error_message(path: str, body: bytes | None, status: int) -> None:
    async def work() -> None:
        answer = await Page().fetch(path, body)
        assert answer.status == status
        assert json.loads(answer.text)["message"]

    run(work())


def test_urls_are_relative() -> None:
    assert url("/") == "index.html"
    assert url("/rules/dama64?game=x#p-start", "../") == "../rules/dama64.html?game=x#p-start"
    assert url("/game/x") == "game.html?game=x"
    assert url("/game/-?rules=american") == "game.html?rules=american"
    assert url("/box?r=abc") == "box.html?r=abc"
    assert url("/games?result=won") == "games.html?result=won"
    assert url("/box.svg?base=american") == "../boards/american.svg"
