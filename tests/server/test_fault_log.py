"""The log is rate limited, and expected errors have no traceback."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from damka.errors import DamkaError
from damka.server import fault_log
from damka.server.fault_log import BoundedLog, LineLimit, log_closed, log_fault
from damka.server.limits import Bucket
from damka.server.settings import Limits
from damka.server.store import StoreError
from tests.server.events import support as event_support
from tests.server.support import PATIENCE, Browser, serving

LOG = logging.getLogger("damka.server.test")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    fault_log.limit.clock = clock
    return clock


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_an_outage_logs_one_line_per_minute(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    error = raised(StoreError("the database failed: connection refused\n\tIs the server running?"))
    for _ in range(400):
        log_fault(LOG, error, "game %s: database unavailable", "x" * 22)
        clock.now += 0.25
    assert caplog.messages == [
        f"game {'x' * 22}: database unavailable: "
        "the database failed: connection refused Is the server running?",
        f"game {'x' * 22}: database unavailable: "
        "the database failed: connection refused Is the server running?"
        " (239 more since the last line)",
    ]
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("error", [KeyError("x"), DamkaError("a log cannot be read")])
def test_an_unexpected_error_has_a_traceback(
    error: Exception, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(10):
        log_fault(LOG, raised(error), "tournament %s: cannot continue for now", "e")
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    clock.now += fault_log.SECONDS
    log_fault(LOG, raised(error), "tournament %s: cannot continue for now", "e")
    assert caplog.messages[-1].endswith("(9 more since the last line)")
    assert caplog.records[-1].exc_info is not None


def test_different_errors_at_one_place_are_both_logged(caplog: pytest.LogCaptureFixture) -> None:
    log_fault(LOG, raised(KeyError("x")), "it failed")
    log_fault(LOG, raised(ValueError("x")), "it failed")
    assert len(caplog.records) == 2


def test_closed_connections_are_logged_once_per_network(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(500):
        log_closed(LOG, f"2001:db8:1:2::{number:x}", "too many messages")
    log_closed(LOG, "192.0.2.1", "too many messages")
    assert caplog.messages == [
        "2001:db8:1:2::/64: a connection was closed: too many messages",
        "192.0.2.1: a connection was closed: too many messages",
    ]


def test_closed_connections_have_a_global_limit(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(5000):
        log_closed(LOG, f"10.0.{number // 250}.{number % 250}", "too many messages")
    assert len(caplog.records) <= 20
    clock.now += fault_log.SECONDS
    log_closed(LOG, "192.0.2.1", "too many messages")
    assert len(caplog.records) <= 21


def test_the_server_log_is_bounded(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    logger = logging.getLogger("uvicorn.test")
    logger.addFilter(BoundedLog())
    for _ in range(1000):
        logger.warning("Invalid HTTP request received.")
        logger.error("Exception in ASGI application\n", exc_info=raised(RuntimeError("x")))
        logger.error("Exception in ASGI application\n", exc_info=raised(StoreError("gone")))
    logger.info("started")
    assert [bool(record.exc_info) for record in caplog.records] == [False, True, False, False]
    assert caplog.messages[2:] == ["Exception in ASGI application: gone", "started"]


def test_only_recent_kinds_of_lines_are_remembered() -> None:
    limit = LineLimit(kinds=10, clock=Clock())
    for number in range(100):
        limit.admit(number)
    assert limit.admit(99) is None
    assert limit.admit(0) == 0


@pytest.mark.parametrize("kind", ["game", "lobby", "event"])
def test_a_flood_logs_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str) -> None:
    limits = Limits(message_burst=5, message_rate=0.01, excess_messages=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        if kind == "event":
            event = event_support.create_event(browser, server)
            path = event.replace("/events/", "/live/event/")
        else:
            path = "/lobby/live" if kind == "lobby" else f"/live/{browser.new_game()}"
        for _ in range(10):
            flood(browser, path)
    records = [record for record in caplog.records if record.name.startswith(("damka", "uvicorn"))]
    assert not [record for record in records if record.exc_info], caplog.text
    warnings = [record for record in records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warnings] == [
        "127.0.0.1: a connection was closed: too many messages"
    ]


def flood(browser: Browser, path: str) -> None:
    """Send messages until the server closes the connection."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    headers = {"Cookie": cookies, "Origin": browser.url}
    url = f"{browser.url.replace('http', 'ws', 1)}{path}"
    with connect(url, additional_headers=headers, compression=None) as connection:
        with suppress(ConnectionClosed):
            for _ in range(300):
                connection.send('{"t":"ping"}')
        with suppress(ConnectionClosed):
            while connection.recv(timeout=PATIENCE):
                pass
        # Data still in transit may reset the connection before the close frame is read.
        assert connection.close_code in {1008, 1006}


def test_a_bucket_uses_the_given_clock() -> None:
    clock = Clock()
    bucket = Bucket(1, 1.0, clock)
    assert bucket.take()
    assert not bucket.take()
    clock.now += 1
    assert bucket.take()
