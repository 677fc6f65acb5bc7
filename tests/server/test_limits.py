"""All client input is limited, and the server keeps running."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from damka.server.settings import Limits
from tests.server.support import Browser, Live, Server, serving


def still_alive(server: Server) -> None:
    with server.browser() as browser:
        assert browser.http.get("/healthz").json()["status"] == "ok"


def test_a_frame_too_large_closes_the_connection(server: Server, browser: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    live.connection.send("x" * 4097)
    assert live.closed_with() == 1009
    still_alive(server)


def test_a_message_in_many_fragments_is_as_large_as_the_whole(
    server: Server, browser: Browser
) -> None:
    live = browser.live(browser.new_game())
    live.state()
    with suppress(ConnectionClosed):  # the server may close it before the last fragment
        live.connection.send(["x" * 250] * 17)
    assert live.closed_with() == 1009
    still_alive(server)


def test_a_body_too_large_is_not_read(server: Server, browser: Browser) -> None:
    answer = browser.http.post("/api/games/load", content=b"x" * (256 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.json()["error"] == "too_large"

    def endless() -> object:
        for _ in range(300):
            yield b"x" * 1024

    answer = browser.http.post("/api/games/load", content=endless())  # type: ignore[arg-type]
    assert answer.status_code == 413
    still_alive(server)


def test_a_flood_of_messages_is_refused_and_then_cut_off(tmp_path: Path) -> None:
    limits = Limits(message_burst=5, message_rate=0.01, excess_messages=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        live = browser.live(browser.new_game())
        live.state()
        answers = [live.ask("ping") for _ in range(8)]
        assert [answer["t"] for answer in answers] == ["pong"] * 5 + ["error"] * 3
        assert answers[-1]["code"] == "too_fast"
        live.send("ping")
        assert live.closed_with() == 1008
        still_alive(server)


def test_posts_of_one_address_are_rate_limited(tmp_path: Path) -> None:
    limits = Limits(post_burst=3, post_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        answers = [browser.post("/api/games", {"rules": "dama64"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert answers[-1].json()["error"] == "too_many"
        still_alive(server)


def test_live_connections_are_limited_per_game_and_address(tmp_path: Path) -> None:
    limits = Limits(connections_per_game=2, connections_per_address=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        with server.browser() as player:
            one, two = player.new_game(), player.new_game()
        first = browser.live(one)
        first.state()
        browser.live(one).state()
        assert browser.live(one).closed_with() == 1013, "two watch one game"
        browser.live(two).state()
        assert browser.live(two).closed_with() == 1013, "three from one address"
        first.close()
        # The server decrements its count a moment after the answer.
        until = time.monotonic() + 10
        while (code := _seen_or_closed(browser.live(two))) is not None:
            assert code == 1013
            assert time.monotonic() < until, "there is no place for another one"
            time.sleep(0.1)


def _seen_or_closed(live: Live) -> int | None:
    """Return the close code of a connection that is closed at once; None if it shows the game."""
    try:
        live.state()
    except ConnectionClosed:
        return live.closed_with()
    return None


def test_reconnecting_is_rate_limited_too(tmp_path: Path) -> None:
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
        assert live.ask("move", ply=2, move="18x11x15")["code"] == "too_long"


def flood(live: Live) -> None:
    """Send until the server closes; the buffered amount depends on the machine."""
    enough = time.monotonic() + 60
    while time.monotonic() < enough:
        live.connection.send('{"t":"why","clicks":[22,21]}')


def test_a_slow_reader_is_dropped_and_the_others_play_on(tmp_path: Path) -> None:
    limits = Limits(outbox_frames=4, message_burst=1_000_000_000, send_seconds=0.5)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        slow, quick = browser.live(game), browser.live(game)
        quick.state()
        # Never read: the answers fill the socket buffers, then the outbox.
        with pytest.raises((ConnectionClosed, OSError)):
            flood(slow)
        quick.play("22-18")
        quick.play("11-15")
        still_alive(server)


def test_a_live_connection_from_another_site_is_refused(browser: Browser) -> None:
    game = browser.new_game()
    for origin in ("http://evil.example", "null", browser.url + ".evil.example"):
        with pytest.raises(InvalidStatus) as caught:
            browser.live(game, Origin=origin)
        assert caught.value.response.status_code == 403


def test_an_unknown_host_name_is_refused(server: Server, browser: Browser) -> None:
    answer = browser.http.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 421
    upgrade = {
        "host": "evil.example",
        "origin": "http://evil.example",
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert browser.http.get(f"/live/{browser.new_game()}", headers=upgrade).status_code == 403
