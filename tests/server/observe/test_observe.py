"""Metrics and the access log: counters, access control and log injection."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from starlette.datastructures import Headers

from damka.server.observe import AccessLog
from damka.server.observe.metrics import is_local
from tests.server.accounts.support import register
from tests.server.events.support import wait_for
from tests.server.programs import Program, new_token
from tests.server.support import Browser, Json, Server


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "access.log"
    access_log = AccessLog(str(file))
    yield file
    access_log.close()


def value(text: str, name: str) -> float:
    """Return the sum of a metric over its labels."""
    values = re.findall(rf"^{name}(?:{{[^}}]*}})? ([\d.e+-]+)$", text, re.MULTILINE)
    return sum(map(float, values))


def test_games_moves_requests_and_connections_are_counted(server: Server, browser: Browser) -> None:
    before = browser.http.get("/metrics").text
    game = browser.new_game(opponent="person")
    live = browser.live(game)
    live.state()
    live.play("23-19")
    during = browser.http.get("/metrics").text
    live.send("resign")
    live.state(lambda state: state["result"])
    browser.http.get("/nothing/here")
    # A request is counted after its response.
    not_found = 'method="GET",route="other",status="404"'
    after = wait_for(lambda: browser.http.get("/metrics").text, lambda text: not_found in text)
    for name, increase in (
        ("damka_games_begun_total", 1),
        ("damka_moves_total", 1),
        ("damka_games_finished_total", 1),
    ):
        assert value(after, name) == value(before, name) + increase, name
    assert value(during, "damka_live_connections") == 1
    assert value(during, "damka_games_open") >= 1
    assert 'damka_games_finished_total{reason="resignation"}' in after
    assert value(after, "damka_store_seconds_count") > 0
    assert "nothing" not in after, "the requested path is not a label"


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
def test_metrics_are_refused_through_a_proxy(browser: Browser, header: str) -> None:
    response = browser.http.get("/metrics", headers={header: "127.0.0.1"})
    assert response.status_code == 403
    assert "damka_" not in response.text


@pytest.mark.parametrize(
    ("client", "host", "local"),
    [
        ("127.0.0.1", "127.0.0.1:8077", True),
        ("::1", "[::1]:8077", True),
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "dama.example", False),
        ("10.0.0.5", "localhost", False),
        ("", "localhost", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
    ],
)
def test_local_clients_are_recognised(client: str, host: str, local: bool) -> None:
    assert is_local(client, Headers({"host": host})) is local


def test_every_response_has_a_unique_request_id(browser: Browser) -> None:
    ids = {
        browser.http.get("/livez", headers={"x-request-id": "mine"}).headers["x-request-id"]
        for _ in range(3)
    }
    assert len(ids) == 3
    assert all(re.fullmatch(r"[0-9a-f]{16}", id_) for id_ in ids)


def test_requests_and_connections_are_logged(server: Server, browser: Browser, log: Path) -> None:
    name = register(browser)
    token = new_token(browser)
    program = Program(server, token)
    game = program.game()
    response = program.post(f"/api/games/{game}/move", {"move": "23-19"})
    with program.live(game) as live:
        live.state()
    # The end of a connection of an earlier test may be logged first.
    entries = wait_for(
        lambda: _until(log, 5),
        lambda lines: any(each["method"] == "WEBSOCKET" and each["game"] == game for each in lines),
    )
    move = next(line for line in entries if line["route"] == "/api/games/{game_id}/move")
    assert move == {
        **move,
        "id": response.headers["x-request-id"],
        "address": "127.0.0.1",
        "method": "POST",
        "game": game,
        "status": 200,
        "account": name,
    }
    assert move["bytes"] == len(response.content)
    connection = next(
        line for line in entries if line["method"] == "WEBSOCKET" and line["game"] == game
    )
    assert connection["route"] == "/live/{game_id}"
    assert connection["status"] in {1000, 1001, 1005}


def test_no_secret_is_logged(server: Server, browser: Browser, log: Path) -> None:
    register(browser)
    token = new_token(browser)
    secrets = [token, token[6:], *browser.http.cookies.values()]
    program = Program(server, token)
    program.get("/api/account")
    program.get("/api/rules", access_token=token)
    program.get(f"/{token}")
    program.get(f"/x/{token[6:]}/y")
    browser.http.get(f"/account/reset/{token[6:]}")
    browser.http.get("/", headers={"referer": token, "user-agent": token})
    with program.live(program.game(), f"?access_token={token}") as live:
        live.closed_with()
    _until(log, 10)
    text = log.read_text("ascii")
    assert not [each for each in secrets if each in text]
    assert "[removed]" in text
    assert '"/account/reset/{token}"' in text


@pytest.mark.parametrize(
    "path",
    [
        '/x%0d%0a{"status":200,"forged":true}',
        "/x%1b[2J%1b]0;owned%07",
        "/x%00%7f%c2%9b31m%e2%80%ae",
        '/x","forged":"1',
        "/live/%0a%0dforged",
        "/api/games/%0aforged/pdn",
    ],
)
def test_requests_cannot_forge_log_lines(server: Server, log: Path, path: str) -> None:
    with socket.create_connection(server.host.split(":"), timeout=5) as connection:  # type: ignore[arg-type]
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n"
            'X-Forwarded-For: 1.2.3.4"\x1b[0m\r\n\r\n'.encode("latin-1")
        )
        while connection.recv(4096):
            pass
    entries = _until(log, 1)
    assert len(entries) == 1
    assert "forged" not in entries[0]
    assert entries[0]["status"] in {400, 404}
    raw = log.read_bytes()
    assert raw.count(b"\n") == 1
    assert all(32 <= byte < 127 for byte in raw.strip()), "only printable ASCII"


def test_a_renamed_log_is_reopened(browser: Browser, log: Path) -> None:
    browser.http.get("/livez")
    _until(log, 1)
    log.rename(log.with_suffix(".1"))
    browser.http.get("/livez")
    assert len(_until(log, 1)) == 1


def test_the_command_writes_a_log_and_serves_metrics(tmp_path: Path) -> None:
    """Run `damka serve` with both options in a process until SIGTERM."""
    file = tmp_path / "log" / "access.log"
    program = "import sys; from damka.cli import main; main()"
    arguments = ["serve", "--no-browser", "--port", "0", "--metrics", "0"]
    arguments += ["--access-log", str(file), "--database", f"sqlite:///{tmp_path / 'g.sqlite3'}"]
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        urls: dict[str, str] = {}
        for line in process.stdout:
            urls |= dict(re.findall(r"(Metrics|Damka) (?:are|is) at (\S+)", line))
            if "Damka" in urls:
                break
        with httpx.Client(trust_env=False) as client:
            ready = client.get(f"{urls['Damka']}readyz", headers={"x-forwarded-for": "203.0.113.9"})
            assert ready.status_code == 200
            with client.stream("GET", f"{urls['Damka']}livez"):
                pass
        with urlopen(urls["Metrics"], timeout=5) as response:  # noqa: S310  our own address
            assert b"damka_http_requests_total" in response.read()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) in {0, -signal.SIGTERM}
    entries = [json.loads(line) for line in file.read_text("ascii").splitlines()]
    assert entries[0]["address"] == "127.0.0.1", "no trusted proxy was configured"


def _until(file: Path, count: int) -> list[Json]:
    """Wait until the file has at least `count` lines."""
    deadline = time.monotonic() + 10
    while True:
        text = file.read_text("ascii") if file.exists() else ""
        if text.count("\n") >= count or time.monotonic() > deadline:
            return [json.loads(line) for line in text.splitlines()]
        time.sleep(0.01)
