"""Unexpected text in every field of every route causes no server error, and few log lines.

The routes are the application's. The fields are recorded while a route serves plausible requests:
the keys that it reads from a form, a query or a JSON body.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import re
import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
import msgspec
import pytest
from starlette.datastructures import QueryParams
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from damka.live import messages, requests
from damka.server.accounts.admin import set_right
from damka.server.accounts.http import request
from damka.server.events.http import arbiter
from damka.server.settings import Limits
from tests.server.accounts.support import PASSWORD, register, store_of
from tests.server.events import support as event_support
from tests.server.online import code_of, create_invitation
from tests.server.support import PATIENCE, Browser, Server, serving
from tests.server.test_api_reference import routes

SHARDS: Final = 8
ODD_TEXTS: Final = {
    "letters": "ЖЖЖЖЖЖЖЖ",
    "signs": "\x1b[31m\r\nINFO all is well\r\nx: y",
    "nul": "a\0b",
    "digits": "٣９" + "9" * 40,
    "long": "x" * 200_000,
    "megabyte": "x" * 2**20,
    "nothing": "",
    "wide": "Ａ😀\u202e\u200b",
}
RAW_BODIES: Final = (
    b"\xff\xfe\xfd",
    b'{"name": "\\ud800"}',
    b"name=%ED%A0%80&code=%FF",
    b"[" * 5000,
)
MAX_ADDRESS_LENGTH: Final = 8_000
PLAUSIBLE: Final = {
    "name": "Ana", "arbiter": "Rossi", "rules": "dama64", "kind": "swiss", "rounds": "3",
    "password": "seven green men", "old": PASSWORD, "new": "eight green men", "reason": "other",
    "verdict": "dismissed", "round": "1", "board": "1", "outcome": "1-0", "sure": "1",
    "player": "1", "rating": "1500", "version": "1", "clock": "300+3", "pace": "auto",
    "label": "test", "scope": "read", "language": "en", "lang": "en", "room": "players",
    "text": "hello", "t": "resign", "opponent": "person", "colour": "first", "side": "B",
    "play": "online", "depth": "2", "fen": "W:W21:B1", "move": "22-18", "seconds": "1",
}  # fmt: skip
ACTIONS: Final = (*arbiter._ACTIONS, "settle", "none")
MAX_LOG_LINES: Final = 25
"""Maximum number of log lines per part of the routes."""

Fields = dict[str, set[str]]


class FieldRecorder:
    """Records the fields that each route reads."""

    def __init__(self) -> None:
        self.now = ""
        self.form: Final[Fields] = defaultdict(set)
        self.query: Final[Fields] = defaultdict(set)
        self.json: Final[Fields] = defaultdict(set)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        recorder = self

        class Form(dict[str, str]):
            def get(self, key: str, default: Any = None) -> Any:
                recorder.form[recorder.now].add(key)
                return super().get(key, default)

            def __contains__(self, key: object) -> bool:
                recorder.form[recorder.now].add(str(key))
                return super().__contains__(key)

            def __getitem__(self, key: str) -> str:
                recorder.form[recorder.now].add(key)
                return super().__getitem__(key)

        patch.setattr(request, "dict", Form, raising=False)
        original_get, original_read = QueryParams.get, requests.read

        def query(params: Any, key: Any, default: Any = None) -> Any:
            recorder.query[recorder.now].add(str(key))
            return original_get(params, key, default)

        def body(data: bytes, kind: Any) -> Any:
            kinds = getattr(kind, "__args__", (kind,))
            for each in kinds:
                with suppress(TypeError):
                    names = {field.encode_name for field in msgspec.structs.fields(each)}
                    recorder.json[recorder.now] |= names
            return original_read(data, kind)

        patch.setattr(QueryParams, "get", query)
        patch.setattr(requests, "read", body)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> FieldRecorder:
    recorder = FieldRecorder()
    recorder.install(monkeypatch)
    return recorder


@pytest.fixture(scope="module")
def unlimited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits or quotas."""
    fields = {each.name: each for each in dataclasses.fields(Limits)}
    bursts = {name: 10**7 for name in fields if name.endswith("_burst")}
    limits = Limits(**bursts, invitations_per_holder=10**6, streams_per_account=10**4)
    folder: Path = tmp_path_factory.mktemp("odd")
    with serving(folder, limits=limits) as server:
        yield server


class Visitor:
    """A user with all roles: member, operator, and arbiter of an event, with a game."""

    def __init__(self, server: Server) -> None:
        self.browser: Final = server.browser()
        name = register(self.browser)
        set_right(store_of(server)._engine, name, "operator")
        event = event_support.create_event(self.browser, server, arbiter="Rossi")
        event_support.act(self.browser, event, "add", name="Ben")
        waiting = self.browser.live(create_invitation(self.browser))
        waiting.state()
        self.known: Final = {
            "game_id": self.browser.new_game(),
            "event_id": event.rpartition("/")[2],
            "code": code_of(waiting),
            "name": name,
            "rules": "dama64",
            "kind": "trf",
            "what": "standings",
            "board": "1",
        }
        waiting.close()

    def send(self, method: str, path: str, **options: Any) -> int:
        """Send a request; return the status, without reading a stream."""
        with self.browser.http.stream(method, path, **options) as response:
            if "ndjson" not in response.headers.get("content-type", ""):
                response.read()
            return response.status_code


def parameters(path: str) -> list[str]:
    return re.findall(r"{(\w+)(?::\w+)?}", path)


def fill_path(path: str, values: dict[str, str]) -> str:
    """Fill in the parameters of a path."""

    def value(match: re.Match[str]) -> str:
        return quote(values.get(match[1], "1"), safe="")

    return re.sub(r"{(\w+)(?::\w+)?}", value, path)


def attempts(visitor: Visitor, recorder: FieldRecorder, method: str, path: str) -> Iterator[Any]:
    """Yield requests for one route, as options of `send`."""
    known = visitor.known
    address = fill_path(path, known)
    # The first fields that a route reads determine the next ones.
    for _ in range(3):
        form = {name: PLAUSIBLE.get(name, "1") for name in recorder.form[recorder.now]}
        body = {name: PLAUSIBLE.get(name, "1") for name in recorder.json[recorder.now]}
        query = {name: PLAUSIBLE.get(name, "1") for name in recorder.query[recorder.now]}
        yield {"path": address}
        yield {"path": address, "params": query, "data": form}
        yield {"path": address, "params": query, "json": body}
    for text in ODD_TEXTS.values():
        short = text[:MAX_ADDRESS_LENGTH]
        for name in parameters(path):
            yield {"path": fill_path(path, {**known, name: short or "%"})}
        for name in recorder.query[recorder.now]:
            yield {"path": address, "params": {**query, name: short}}
        if method == "GET":
            continue
        yield {"path": address, "content": text.encode()}
        for name in recorder.form[recorder.now]:
            content = urlencode({**form, name: text}).encode()
            kind = {"content-type": "application/x-www-form-urlencoded"}
            yield {"path": address, "content": content, "headers": kind}
        for name in recorder.json[recorder.now]:
            for value in (text, [text], {text[:100]: text[:100]}, 10**30, -1, None, 1.5):
                if text == ODD_TEXTS["letters"] or value == text:
                    yield {"path": address, "json": {**body, name: value}}
    if method != "GET":
        for raw in (
            b"\xff\xfe\xfd",
            b'{"name": "\\ud800"}',
            b"name=%ED%A0%80&code=%FF",
            b"[" * 5000,
        ):
            yield {"path": address, "content": raw}


@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_text_in_any_field_causes_a_server_error(
    unlimited_server: Server, recorder: FieldRecorder, caplog: pytest.LogCaptureFixture, shard: int
) -> None:
    all_routes = sorted(
        {each for each in routes(unlimited_server.app) if each[0] in {"GET", "POST"}}
    )
    assert len(all_routes) > 100
    parts = [
        (method, path, action)
        for method, path in all_routes
        for action in (ACTIONS if "{action}" in path else ("",))
    ]
    server_errors: list[tuple[str, str, int]] = []
    requests_sent = 0
    for method, path, action in parts[shard::SHARDS]:
        visitor = Visitor(unlimited_server)
        recorder.now = f"{method} {path} {action}"
        visitor.known["action"] = action
        with visitor.browser:
            for options in attempts(visitor, recorder, method, path):
                with suppress(httpx.RemoteProtocolError, httpx.WriteError, httpx.ReadError):
                    # A body that is too large may be refused before it is completely sent.
                    status = visitor.send(method, **options)
                    requests_sent += 1
                    if status >= 500:
                        server_errors.append((method, str(options)[:300], status))
        recorder.now = ""
    assert server_errors == []
    assert requests_sent > 400
    if ("POST", "/events/{event_id}/seat", "") in parts[shard::SHARDS]:
        assert "code" in recorder.form["POST /events/{event_id}/seat "]
    records = [each for each in caplog.records if each.name.startswith(("damka", "uvicorn"))]
    assert not [each for each in records if each.exc_info], caplog.text[:5000]
    assert len(records) <= MAX_LOG_LINES, caplog.text[:5000]
    assert not any(
        "all is well" in line for each in records for line in each.getMessage().split("\n")[1:]
    )


def test_no_live_message_causes_a_server_error(
    unlimited_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    visitor = Visitor(unlimited_server)
    with visitor.browser:
        for kind in messages.ClientMessage.__args__:
            names = [field.encode_name for field in msgspec.structs.fields(kind)]
            live = visitor.browser.live(visitor.known["game_id"])
            odd_values: list[Any] = [*ODD_TEXTS.values(), None, -1, 10**30, [], {}]
            for text in odd_values:
                for name in names or ["x"]:
                    frame = json.dumps({"t": kind.__struct_config__.tag, name: text})
                    if len(frame) < 4000:
                        with suppress(ConnectionClosed):
                            live.connection.send(frame)
            live.close()
        for path in ("/lobby/live", f"/live/event/{visitor.known['event_id']}"):
            with open_connection(visitor.browser, path) as connection, suppress(ConnectionClosed):
                for text in ("", "null", "[]", '{"t":"ЖЖ"}', '{"t":"went","id":"\\u0000"}', "\0"):
                    connection.send(text)
    records = [each for each in caplog.records if each.name.startswith(("damka", "uvicorn"))]
    assert not [each for each in records if each.exc_info], caplog.text[:5000]
    assert len(records) <= MAX_LOG_LINES


def open_connection(browser: Browser, path: str) -> Any:
    """Open a live connection to the lobby or an event."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    return connect(
        f"{browser.url.replace('http', 'ws', 1)}{path}",
        additional_headers={"Cookie": cookies, "Origin": browser.url},
        compression=None,
    )


def send_bytes(opening: socket.socket, data: bytes) -> None:
    with suppress(OSError):
        opening.sendall(data)
        opening.recv(1000)


def test_invalid_http_is_logged_in_one_line(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    host, port = server.host.split(":")
    for data in (b"\xff\xfe\r\n\r\n", b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n") * 20:
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as opening:
            send_bytes(opening, data)
    assert len([each for each in caplog.records if each.levelno >= logging.WARNING]) <= 3
