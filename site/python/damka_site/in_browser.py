"""Adapters to the browser's store and searches, in Pyodide; `worker.js` calls `start`."""

from __future__ import annotations

import json
from typing import Any

import damka_page
from pyodide.ffi import JsException, to_js

from damka.live.problems import Problem
from damka_site.games import Game, Games
from damka_site.requests import Requests
from damka_site.search import SearchFailedError, StoppedError
from damka_site.store import FullError, NewerVersionError, StorageError, StoredElsewhereError

__all__ = ["answer", "join", "receive"]


class _Store:
    async def create(self, game_id: str, record: str, previous: str | None) -> str:
        stored_id: str = await _translate_errors(damka_page.create(game_id, record, previous))
        return stored_id

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        stored = await _translate_errors(damka_page.load(game_id))
        if not stored:
            return None
        return stored.record, tuple(stored.events), stored.next or None

    async def append(self, game_id: str, seq: int, event: str, result: str | None) -> None:
        await _translate_errors(damka_page.append(game_id, seq, event, result))

    async def list(self) -> str:
        rows: str = await _translate_errors(damka_page.list())
        return rows

    async def change_listing(self, game_id: str, change: str) -> str:
        listing: str = await _translate_errors(damka_page.changeListing(game_id, change))
        return listing

    async def load_rest(self) -> None:
        await damka_page.loadRest()

    async def save_shown(self, game_id: str, shown: str) -> None:
        await damka_page.saveShown(game_id, shown)


async def _translate_errors(promise: Any) -> Any:
    try:
        return await promise
    except JsException as error:
        match getattr(error, "name", ""):
            case "ConstraintError":
                raise StoredElsewhereError("another window has changed the game") from error
            case "QuotaExceededError":
                raise FullError(str(error)) from error
            case "VersionError":
                raise NewerVersionError(str(error)) from error
        raise StorageError(str(error)) from error


class _Searcher:
    async def search(self, rules: bytes, weights: str | None, task: bytes) -> bytes:
        try:
            output = await damka_page.search(to_js(rules), weights, to_js(task))
        except JsException as error:
            raise SearchFailedError(str(error)) from error
        if not output:
            raise StoppedError
        data: bytes = output.to_bytes()
        return data

    def stop(self) -> None:
        damka_page.stop()


_games = Games(_Store(), _Searcher())
_requests = Requests(_games)
_open: list[Game] = []


async def answer(path: str, body: Any, kind: str, language: str) -> Any:
    """Handle a request; return [status, text, type, name]."""
    data = None if body is None else body.to_bytes()
    reply = await _requests.answer(path, data, kind, language)
    return to_js([reply.status, reply.text, reply.type, reply.name])


async def join(game_id: str, language: str) -> Any:
    """Open a game for this page; return [status, text] as in `answer`."""
    _open.clear()
    try:
        _open.append(await _games.open(game_id, language, damka_page.sendFrame))
    except Problem as problem:
        return to_js([problem.status, json.dumps(problem.body(language))])
    return to_js([200, ""])


async def receive(frame: str) -> None:
    """Handle a message for the open game."""
    for game in _open:
        await game.receive(frame)
