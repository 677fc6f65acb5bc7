"""A real server on loopback for tests, and its clients."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import uvicorn.server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from damka.server.app import create_app
from damka.server.serving import config, listen
from damka.server.settings import Limits, Settings

Json = dict[str, Any]


class _FastAsyncio:
    """asyncio with short sleeps for uvicorn, which polls for its shutdown."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / 20)


vars(uvicorn.server)["asyncio"] = _FastAsyncio()

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Loopback uses plain HTTP; loading certificates would take longer than a test."""

PATIENCE = 40.0
"""Timeout in seconds for expected events, on a busy machine."""

# Generous limits: tests of a limit set their own.
LIMITS = Limits(
    post_burst=100_000,
    event_join_burst=100_000,
    box_burst=100_000,
    course_burst=100_000,
    connect_burst=100_000,
    message_burst=10_000,
    excess_messages=10_000,
    connections_per_address=500,
    sockets_per_address=1_000,
    control_burst=10_000,
    # A busy machine responds late.
    silent_seconds=30.0,
    draw_offer_plies=4,
)


class Server:
    """A server in a thread; `wrap` puts an ASGI app around the server's own."""

    def __init__(
        self,
        folder: Path,
        *,
        address: str = "127.0.0.1",
        wrap: Callable[[Any], Any] | None = None,
        **settings: Any,
    ) -> None:
        settings = {"limits": LIMITS, "engine_workers": 1, "hint_level": 3, **settings}
        self.settings = Settings(
            database_url=f"sqlite:///{folder / 'games.sqlite3'}", engine_hash_mb=4, **settings
        )
        self.app = create_app(self.settings)
        self._listener = listen(address, 0)
        self.host = f"{address}:{self._listener.getsockname()[1]}"
        self.url = f"http://{self.host}"
        uvicorn_config = config(wrap(self.app) if wrap else self.app, self.settings)
        # Pings, including clients', use `random`, which Hypothesis would treat as part of a
        # strategy.
        uvicorn_config.ws_ping_interval = None
        self._uvicorn = uvicorn.Server(uvicorn_config)
        self._thread = threading.Thread(target=self._uvicorn.run, args=([self._listener],))

    def start(self) -> Self:
        self._thread.start()
        while not self._uvicorn.started:
            if not self._thread.is_alive():
                raise RuntimeError("the server did not start")
            threading.Event().wait(0.005)
        return self

    def stop(self) -> None:
        self.app.state.damka.stop_streams()
        self._uvicorn.should_exit = True
        self._thread.join()
        self._listener.close()

    def browser(self, **headers: str) -> Browser:
        return Browser(self.url, headers)

    @property
    def protocols(self) -> list[Any]:
        """uvicorn's protocols of the open connections."""
        return list(self._uvicorn.server_state.connections)


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(folder, **settings).start()
    try:
        yield server
    finally:
        server.stop()


class Browser:
    """A browser without pages: cookies, requests and live connections."""

    def __init__(self, url: str, headers: dict[str, str] | None = None) -> None:
        self.url = url
        self.http = httpx.Client(
            base_url=url,
            headers={"origin": url, **(headers or {})},
            trust_env=False,
            verify=NO_TLS,
            timeout=PATIENCE,
        )
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()
        self.http.close()

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        if body is not None:
            options["json"] = body
        return self.http.post(path, **options)

    def new_game(self, **options: Any) -> str:
        """Start a game; by default with two people and the first colour."""
        options = {"rules": "dama64", "opponent": "person", "colour": "first", **options}
        response = self.post("/api/games", options)
        assert response.status_code == 201, response.text
        game: str = response.json()["id"]
        return game

    def load_game(self, text: str, **options: Any) -> str:
        response = self.http.post("/api/games/load", content=text, params=options)
        assert response.status_code == 201, response.text
        game: str = response.json()["id"]
        return game

    def live(self, game: str, *, lang: str = "en", has: Json | None = None, **headers: str) -> Live:
        """Connect; a page that `has` a state ({} for none yet) receives only changes."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        have = (
            ""
            if has is None
            else f"&have={has['version']}.{len(has['history'])}"
            if has
            else "&have="
        )
        connection = connect(
            f"{self.url.replace('http', 'ws', 1)}/live/{game}?lang={lang}{have}",
            additional_headers={"Cookie": cookies, "Origin": self.url, **headers},
            max_size=2**22,
            compression=None,
            ping_interval=None,
        )
        return Live(self._open.enter_context(connection), has)


class Live:
    """A live connection to a game, with the last received state."""

    def __init__(self, connection: ClientConnection, has: Json | None = None) -> None:
        self.connection = connection
        self.current: Json = has or {}

    def close(self) -> None:
        self.connection.close()

    def send(self, t: str, **fields: Any) -> None:
        self.connection.send(json.dumps({"t": t, **fields}))

    def receive(self, *kinds: str) -> Json:
        """Return the next frame of these kinds; record the states before it."""
        while True:
            frame: Json = json.loads(self.connection.recv(timeout=PATIENCE))
            if frame["t"] == "delta":
                known = self.current["history"]
                assert frame["keep"] <= len(known)
                history = [*known[: frame["keep"]], *frame["add"]]
                frame = {**self.current, **frame["changes"], "history": history, "t": "state"}
            if frame["t"] == "state":
                self.current = frame
            if frame["t"] in kinds:
                return frame

    def state(self, until: Callable[[Json], object] | None = None) -> Json:
        """Return the next state, or wait until the current state meets the condition `until`.

        The current state may meet it already, because one state may contain several changes.
        """
        if until is not None and self.current and until(self.current):
            return self.current
        while True:
            state = self.receive("state")
            if until is None or until(state):
                return state

    def version(self, version: int) -> Json:
        """Return the state of this version or a later one."""
        return (
            self.current
            if self.current.get("version") == version
            else self.state(lambda state: state["version"] >= version)
        )

    def request(self, t: str, **fields: Any) -> Json:
        """Send a message and return its direct reply (not a state)."""
        self.send(t, **fields)
        return self.receive("error", "refusal", "allowed", "hint", "pong")

    def play(self, move: str, **fields: Any) -> Json:
        """Play a move and return the state after it."""
        ply = self.current["ply"]
        self.send("move", ply=ply, move=move, **fields)
        return self.state(lambda state: state["ply"] > ply)

    def closed_with(self) -> int:
        """Wait until the server closes the connection; return the close code."""
        with suppress(ConnectionClosed):
            while self.connection.recv(timeout=PATIENCE):
                pass
        code = self.connection.close_code
        assert code is not None
        return code
