"""All client input is limited, and the server keeps running."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from damka.server.settings import Limits
from tests.server.support import Browser, Live, Server, serving


def check_alive(server: Server) -> None:
    with server.browser() as browser:
        assert browser.http.get("/healthz").json()["status"] == "ok"


def test_a_frame_that_is_too_large_closes_the_connection(server: Server, browser: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    live.connection.send("x" * 4097)
    assert live.closed_with() == 1009
    check_alive(server)


def test_the_size_limit_applies_to_all_fragments_together(server: Server, browser: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    with suppress(ConnectionClosed):  # the server may close it before the last fragment
        live.connection.send(["x" * 250] * 17)
    assert live.closed_with() == 1009
    check_alive(server)


def test_a_body_that_is_too_large_is_not_read(server: Server, browser: Browser) -> None:
    response = browser.http.post("/api/games/load", content=b"x" * (256 * 1024 + 1))
    assert response.status_code == 413
    assert response.json()["error"] == "too_large"

    def endless() -> object:
        for _ in range(300):
            yield b"x" * 1024

    response = browser.http.post("/api/games/load", content=endless())  # type: ignore[arg-type]
    assert response.status_code == 413
    check_alive(server)


def test_a_flood_of_messages_is_refused_and_then_disconnected(tmp_path: Path) -> None:
    limits = Limits(message_burst=5, message_rate=0.01, excess_messages=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        live = browser.live(browser.new_game())
        live.state()
        responses = [live.request("ping") for _ in range(8)]
        assert [response["t"] for response in responses] == ["pong"] * 5 + ["error"] * 3
        assert responses[-1]["code"] == "too_fast"
        live.send("ping")
        assert live.closed_with() == 1008
        check_alive(server)


def test_posts_of_one_address_are_rate_limited(tmp_path: Path) -> None:
    limits = Limits(post_burst=3, post_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        responses = [browser.post("/api/games", {"rules": "dama64"}) for _ in range(4)]
        assert [response.status_code for response in responses] == [201, 201, 201, 429]
        assert responses[-1].json()["error"] == "too_many"
        check_alive(server)


def test_live_connections_are_limited_per_game_and_address(tmp_path: Path) -> None:
    limits = Limits(connections_per_game=2, connections_per_address=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        with server.browser() as player:
            first_game, second_game = player.new_game(), player.new_game()
        first = browser.live(first_game)
        first.state()
        browser.live(first_game).state()
        assert browser.live(first_game).closed_with() == 1013, "two connections to one game"
        browser.live(second_game).state()
        assert browser.live(second_game).closed_with() == 1013, "three connections from one address"
        first.close()
        # The server decrements its count a moment after the close.
        deadline = time.monotonic() + 10
        while (code := _close_code_or_none(browser.live(second_game))) is not None:
            assert code == 1013
            assert time.monotonic() < deadline, "the closed connection was not released"
            time.sleep(0.1)


def _close_code_or_none(live: Live) -> int | None:
    """Return the close code of a connection that is refused; None if it receives the state."""
    try:
        live.state()
    except ConnectionClosed:
        return live.closed_with()
    return None


def test_reconnections_are_rate_limited(tmp_path: Path) -> None:
    limits = Limits(connect_burst=2, connect_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        for _ in range(2):
            live = browser.live(game)
            live.state()
            live.close()
        assert browser.live(game).closed_with() == 1013


def test_the_length_of_a_game_is_limited(tmp_path: Path) -> None:
    limits = Limits(events_per_game=2)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        live = browser.live(browser.new_game())
        live.state()
        live.play("22-18")
        live.play("11-15")
        assert live.request("move", ply=2, move="18x11x15")["code"] == "too_long"


def flood(live: Live) -> None:
    """Send messages until the connection fails; how many are buffered depends on the machine."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        live.connection.send('{"t":"why","clicks":[22,21]}')


def test_a_slow_reader_is_disconnected_and_others_continue(tmp_path: Path) -> None:
    limits = Limits(outbox_frames=4, message_burst=1_000_000_000, send_seconds=0.5)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        slow, fast = browser.live(game), browser.live(game)
        fast.state()
        # Never read: the answers fill the socket buffers, then the outbox.
        with pytest.raises((ConnectionClosed, OSError)):
            flood(slow)
        fast.play("22-18")
        fast.play("11-15")
        check_alive(server)


def test_a_live_connection_from_another_site_is_refused(browser: Browser) -> None:
    game = browser.new_game()
    for origin in ("http://evil.example", "null", browser.url + ".evil.example"):
        with pytest.raises(InvalidStatus) as error:
            browser.live(game, Origin=origin)
        assert error.value.response.status_code == 403


def test_an_unknown_host_name_is_refused(server: Server, browser: Browser) -> None:
    response = browser.http.get("/", headers={"host": "evil.example"})
    assert response.status_code == 421
    upgrade = {
        "host": "evil.example",
        "origin": "http://evil.example",
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert browser.http.get(f"/live/{browser.new_game()}", headers=upgrade).status_code == 403
