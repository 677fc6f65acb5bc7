"""Metrics of one process, for Prometheus.

Labels have few values: routes are templates, methods and statuses are known ones. No input becomes
a label.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, Literal

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
    start_http_server,
)

from damka.live.events import Event, Moved
from damka.server.settings import VERSION

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from damka.live.live_game import LiveGame
    from damka.live.setup import GameSetup

__all__ = ["CONTENT_TYPE_LATEST", "AnalysisSource", "Metrics", "is_local"]

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS", "WEBSOCKET"})
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})


AnalysisSource = Literal["searched", "shared", "stored", "table"]
"""A new search, another viewer's, a stored result, or the endgame tables."""


class Metrics:
    """Counters and gauges of a process, and their endpoint."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        info = Gauge("damka_info", "Version of Damka.", ["version"], registry=self.registry)
        info.labels(VERSION).set(1)
        self._requests: Final = Counter(
            "damka_http_requests",
            "Completed requests and closed live connections.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds: Final = Histogram(
            "damka_http_request_seconds",
            "Response time, without streams.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._store: Final = Histogram(
            "damka_store_seconds",
            "Duration of database calls, including the wait in the queue.",
            ["kind"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._moves: Final = Counter("damka_moves", "Moves played.", registry=self.registry)
        self._games_begun: Final = Counter(
            "damka_games_begun", "Games started.", registry=self.registry
        )
        self._finished: Final = Counter(
            "damka_games_finished", "Games finished.", ["reason"], registry=self.registry
        )

        self._analyses: Final = Counter(
            "damka_analyses",
            "Analyses for viewers, by the source of the result.",
            ["source"],
            registry=self.registry,
        )
        self._reviews: Final = Counter(
            "damka_reviews",
            "Reviews for viewers, by the source of the result.",
            ["source"],
            registry=self.registry,
        )
        self._nodes: Final = Counter(
            "damka_analysis_nodes", "Nodes searched for analyses.", registry=self.registry
        )

    def gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Add a gauge whose value `read`, called from any thread, returns."""
        Gauge(f"damka_{name}", about, registry=self.registry).set_function(read)

    def count_response(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a response; `seconds` is None if it is not timed."""
        method_label = method if method in _METHODS else "other"
        self._requests.labels(method_label, route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    def count_analysis(self, source: AnalysisSource) -> None:
        """Count an analysis for a viewer."""
        self._analyses.labels(source).inc()

    def count_review(self, source: AnalysisSource) -> None:
        """Count a review for a viewer."""
        self._reviews.labels(source).inc()

    def count_nodes(self, nodes: int) -> None:
        """Count the nodes of an analysis or a review."""
        self._nodes.inc(nodes)

    def game_created(self, game_setup: GameSetup) -> None:
        """Count a new game."""
        self._games_begun.inc()

    def entry_committed(self, live: LiveGame, event: Event, was_over: bool) -> None:
        """Count a log entry of a game."""
        if isinstance(event, Moved):
            self._moves.inc()
        if live.result is not None and not was_over:
            self._finished.labels(live.result[1]).inc()

    def timed(self, kind: str) -> AbstractContextManager[object]:
        """Time a database call."""
        return self._store.labels(kind).time()

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self.registry)

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Serve `GET /metrics` at a separate address; return its port and a function that stops it.

        Raises OSError when the address cannot be opened.
        """
        server, thread = start_http_server(port, host, self.registry)

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return int(server.server_port), stop


def is_local(client: str, headers: Headers) -> bool:
    """Return whether a request was made on this machine, and not forwarded by a proxy on it."""
    try:
        loopback = ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False
    host = headers.get("host", "").lower()
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host
    name = name if name.startswith("[") else name.partition(":")[0]
    return loopback and name in _LOOPBACK_NAMES and not any(sign in headers for sign in _FORWARDED)
