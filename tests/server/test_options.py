"""Options for hosts, origins, proxies and limits, and their effect."""

from __future__ import annotations

import dataclasses
import io
import queue
import re
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from typer.main import get_command
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from damka.cli import app
from damka.server import serving as serving_
from damka.server.options import host_of, limits_of, listener_of, origin_of, proxy_of
from damka.server.settings import Limits
from tests.cli.inside import run_main
from tests.server.support import PATIENCE, Browser, serving

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "server-options.md"


def test_limits_are_set_by_name() -> None:
    limits = limits_of(["connections=50", " post_rate = 0.5 "])
    assert (limits.connections, limits.post_rate) == (50, 0.5)
    assert limits_of([]) == Limits()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("conections=5", "Did you mean 'connections'?"),
        ("", "unknown limit ''"),
        ("connections", "a whole number above 0"),
        ("connections=1.5", "a whole number above 0"),
        ("connections=-1", "a whole number above 0"),
        ("post_rate=fast", "a number above 0"),
        ("post_rate=nan", "a number above 0"),
        ("post_rate=inf", "a number above 0"),
    ],
)
def test_an_invalid_limit_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("?", r"\?")):
        limits_of([text])


@pytest.mark.parametrize(
    "text", ["", "a b", "dama.example:80", "http://dama.example", "-a", "[::1"]
)
def test_an_invalid_host_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a host name without port"):
        host_of(text)


def test_host_names_and_addresses_are_normalised() -> None:
    assert [host_of(text) for text in ("Dama.Example ", "[::1]", "*", "a")] == [
        *("dama.example", "[::1]", "*", "a")
    ]
    texts = ("10.0.0.5", "0:0::1", "10.0.0.0/8", "fd00::/8")
    assert [proxy_of(text) for text in texts] == ["10.0.0.5", "::1", "10.0.0.0/8", "fd00::/8"]
    for invalid in ("proxy.example", "10.0.0.5/8", ""):
        with pytest.raises(ValueError, match="an IP address"):
            proxy_of(invalid)


def test_an_address_for_metrics_is_parsed() -> None:
    texts = ("9100", "10.0.0.5:9100", "[::1]:0")
    assert [listener_of(text) for text in texts] == [
        *(("127.0.0.1", 9100), ("10.0.0.5", 9100), ("::1", 0))
    ]
    for invalid in ("", "host:9100", "127.0.0.1:99999", "127.0.0.1:", "127.0.0.1"):
        with pytest.raises(ValueError, match="ADDRESS:PORT"):
            listener_of(invalid)


@pytest.mark.parametrize(
    "text", ["", "dama.example", "ftp://a", "https://a/x", "https://u@a", "https://a:x", "null"]
)
def test_an_invalid_origin_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected an origin"):
        origin_of(text)


def test_origins_are_normalised_as_browsers_write_them() -> None:
    texts = ("https://Dama.example/", "http://a:80", "https://a:8443", "http://[::1]:80/")
    expected = ["https://dama.example", "http://a", "https://a:8443", "http://[::1]"]
    assert [origin_of(text) for text in texts] == expected


def test_only_allowed_hosts_and_origins_are_accepted(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, hosts=("dama.example",), origins=("https://other.example",)) as server:
        browser = Browser(server.url, {"host": "dama.example"})
        with browser:
            assert browser.http.get("/").status_code == 200
            assert browser.http.get("/", headers={"host": "127.0.0.1"}).status_code == 421
            for origin, status in (
                ("http://dama.example", 201),
                ("https://other.example", 201),
                ("https://third.example", 403),
            ):
                response = browser.post(
                    "/api/games", {"rules": "dama64"}, headers={"origin": origin}
                )
                assert response.status_code == status


def test_health_and_metrics_accept_any_host_name(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("dama.example",)) as server, Browser(server.url) as operator:
        for path in ("/livez", "/readyz", "/healthz", "/metrics"):
            assert operator.http.get(path).status_code == 200, path
        for host in ("10.0.0.5:8077", "dama.example"):
            ready = operator.http.get("/readyz", headers={"host": host})
            assert (host, ready.status_code) == (host, 200)
            metrics = operator.http.get("/metrics", headers={"host": host})
            assert (host, metrics.status_code) == (host, 403)
        forwarded = operator.http.get("/metrics", headers={"x-forwarded-for": "203.0.113.9"})
        assert forwarded.status_code == 403
        assert operator.http.get("/api/rules").status_code == 421


def test_a_live_connection_needs_an_origin(browser: Browser) -> None:
    game = browser.new_game()
    with pytest.raises(InvalidStatus) as error:
        connect(f"{browser.url.replace('http', 'ws', 1)}/live/{game}")
    assert error.value.response.status_code == 403


@pytest.mark.parametrize(
    ("proxies", "created"),
    [(("127.0.0.1",), 2), (("127.0.0.0/8",), 2), (("10.0.0.0/8",), 1), ((), 1)],
)
def test_only_a_trusted_proxy_may_forward_client_addresses(
    tmp_path: Path, proxies: tuple[str, ...], created: int
) -> None:
    limits = Limits(post_burst=1, post_rate=0.001)
    with serving(tmp_path, limits=limits, proxies=proxies) as server, server.browser() as browser:
        responses = [
            browser.post("/api/games", {"rules": "dama64"}, headers={"x-forwarded-for": address})
            for address in ("10.0.0.1", "10.0.0.2")
        ]
    assert [response.status_code for response in responses].count(201) == created


@pytest.mark.parametrize(
    "arguments",
    [
        ("--limit", "conections=5"),
        ("--allow-host", "a b"),
        ("--allow-origin", "dama.example"),
        ("--trusted-proxy", "proxy.example"),
    ],
)
def test_the_command_names_the_invalid_option(arguments: tuple[str, str]) -> None:
    errors = io.StringIO()
    command = ("serve", "--no-browser", *arguments)
    assert run_main(*command, typed="", output=io.StringIO(), errors=errors) == 2
    assert arguments[0] in errors.getvalue()


@pytest.mark.parametrize("allowed", [(), ("dama.example", "127.0.0.1"), ("dama.example",)])
def test_the_server_prints_only_reachable_addresses(
    tmp_path: Path, allowed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [part for name in allowed for part in ("--allow-host", name)]
    options = ["--host", "0.0.0.0", "--port", "0", *names]  # noqa: S104
    options += ["--database", f"sqlite:///{tmp_path / 'games.sqlite3'}"]
    opened_urls: queue.Queue[str] = queue.Queue()
    running: queue.Queue[uvicorn.Server] = queue.Queue()
    monkeypatch.setattr(serving_, "network_addresses", lambda: ["192.168.1.20"])
    monkeypatch.setattr(webbrowser, "open", opened_urls.put)
    start = serving_._Server.startup

    async def startup(server: Any, sockets: Any = None) -> None:
        await start(server, sockets)
        running.put(server)

    monkeypatch.setattr(serving_._Server, "startup", startup)
    output = io.StringIO()
    with ThreadPoolExecutor(1) as thread:
        status = thread.submit(
            run_main, "serve", *options, typed="", output=output, errors=io.StringIO()
        )
        server = running.get(timeout=PATIENCE)
        lines = output.getvalue().splitlines(keepends=True)
        assert "Damka is at http://127.0.0.1:" in lines[1]
        if allowed != ("dama.example",):
            assert opened_urls.get(timeout=PATIENCE) == lines[1].split()[3]
        server.should_exit = True
        assert status.result(PATIENCE) == 0
    if allowed:
        assert lines[0] == f"Accepting only these host names: {', '.join(allowed)}\n"
    else:
        assert lines[0].startswith("Accepting any host name")
    assert any("192.168.1.20" in line for line in lines) == (not allowed)
    assert opened_urls.empty()


def test_the_documentation_lists_every_limit_and_its_value() -> None:
    page = PAGE.read_text("utf-8")
    listed: dict[str, str] = {}
    row = r"^\| (`\w+`(?:, `\w+`)*) \| ([\d., ]+) \|"
    for names, values in re.findall(row, page, re.MULTILINE):
        listed |= zip(names.replace("`", "").split(", "), values.split(", "), strict=True)
    limits = dataclasses.asdict(Limits())
    assert listed == {name: str(value).removesuffix(".0") for name, value in limits.items()}


def test_the_documentation_lists_every_option_of_the_command() -> None:
    page = PAGE.read_text("utf-8")
    options = {max(each.opts, key=len) for each in get_command(app).commands["serve"].params}  # type: ignore[attr-defined]
    missing = {option for option in options if f"`{option}" not in page}
    assert not missing
