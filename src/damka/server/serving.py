"""Running the server: its port, the browser, and a clean shutdown."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from damka.errors import DamkaError
from damka.rules import Rules
from damka.server import garbage
from damka.server.addresses import network_addresses
from damka.server.app import create_app
from damka.server.external_engines import ConfiguredEngine
from damka.server.observe import AccessLog
from damka.server.protocols import Config
from damka.server.settings import (
    DEFAULT_PORT,
    Limits,
    Settings,
    default_database_url,
    default_hosts,
    listens_everywhere,
)
from damka.tablebase import default_folder

if sys.platform != "win32":
    import resource

__all__ = ["PortError", "run"]

PORTS_TRIED: Final = 20
GRACE_SECONDS: Final = 3
_BACKLOG: Final = 2048
"""Maximum number of connections that wait to be accepted.

All clients reconnect at once after an interruption, and a rejected client retries only after one
second, three and seven.
"""
_OTHER_FILES: Final = 128
"""File descriptors reserved for the store, engines and endgame tables."""


class PortError(DamkaError, OSError):
    """The server cannot listen on an address; the message has the reason."""


def run(  # noqa: PLR0913  each is an optional setting
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    database_url: str | None = None,
    open_browser: bool = True,
    *,
    hosts: tuple[str, ...] | None = None,
    origins: tuple[str, ...] = (),
    proxies: tuple[str, ...] | None = None,
    boxes: tuple[Rules, ...] = (),
    engines: tuple[ConfiguredEngine, ...] = (),
    engine_seconds: float = 1.0,
    limits: Limits | None = None,
    ray: str | None = None,
    broker_url: str | None = None,
    peer_host: str = "127.0.0.1",
    access_log: str | None = None,
    metrics: tuple[str, int] | None = None,
    say: Callable[[str], object] | None = None,
) -> None:
    """Serve until stopped (Ctrl-C or SIGTERM), after printing the address.

    `port` 0 means any free port. On loopback, a port in use is replaced by the next free one, but
    not with a broker: a proxy is then configured with the port. `database_url` is an SQLAlchemy
    URL; the default is a file in the user's data folder. `hosts`, `origins`, `boxes`, `engines`,
    `engine_seconds`, `limits`, `ray`, `broker_url` and `peer_host` are as in `Settings`, and so is
    `proxies`, which is empty by default. `access_log` is the file of the access log, "-" for
    standard output; `metrics` is a separate address for the metrics. `say` receives the messages;
    by default they are printed.

    Raises PortError when the address cannot be used, StoreError when the database cannot,
    BrokerError for an invalid broker address, ClusterError for an invalid Ray cluster address.
    """
    log_line = say or _print
    settings = Settings(
        database_url=database_url or default_database_url(),
        broker_url=broker_url or None,
        peer_host=peer_host,
        listens_on=host,
        hosts=default_hosts(host) if hosts is None else hosts,
        origins=origins,
        proxies=proxies or (),
        boxes=boxes,
        engines=engines,
        engine_seconds=engine_seconds,
        limits=limits or Limits(),
        tablebases=default_folder(),
        kernel=Path(kernel) if (kernel := os.environ.get("DAMKA_KERNEL")) else None,
        ray=ray,
    )
    if "*" in settings.hosts:
        log_line("Accepting any host name; use --allow-host to accept only yours.")
    elif hosts is not None:
        log_line(f"Accepting only these host names: {', '.join(settings.hosts)}")
    # With several processes, a proxy is configured with their ports.
    listener = listen(host, port, log_line, exactly=settings.broker_url is not None)
    with listener, ExitStack() as stack:
        if access_log is not None:
            stack.callback(_access_log(access_log).close)
        app = create_app(settings)
        if metrics is not None:
            stack.callback(_serve_metrics(app, metrics, log_line))
        actual: int = listener.getsockname()[1]
        _raise_descriptor_limit(2 * settings.limits.connections + _OTHER_FILES)
        networks = [_address(each, actual) for each in _networks(host) if settings.answers(each)]
        address = _address(host, actual)
        should_open = open_browser and settings.answers(_local_host(host))
        server = _Server(
            config(app, settings), address, log_line, should_open, networks, stack.close
        )
        # Ctrl-C is the normal way to stop the server.
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def config(app: Any, settings: Settings) -> Config:
    """Return uvicorn's configuration for one of our apps."""
    limits = settings.limits
    # Without free descriptors not even the store works.
    connections = min(2 * limits.connections, max(16, _descriptor_limit() - _OTHER_FILES))
    return Config(
        app,
        settings,
        connections,
        backlog=_BACKLOG,
        ws_max_size=limits.frame_bytes,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=connections,
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=32 * 1024,
    )


def _access_log(target: str) -> AccessLog:
    try:
        return AccessLog(target)
    except OSError as error:
        raise PortError(f"cannot write the access log {target}: {_reason(error)}") from error


def _serve_metrics(
    app: FastAPI, address: tuple[str, int], log_line: Callable[[str], object]
) -> Callable[[], None]:
    """Serve the metrics at a separate address; return a function that stops it."""
    host, port = address
    try:
        actual, stop = app.state.damka.metrics.serve(host, port)
    except OSError as error:
        raise PortError(f"cannot listen on {host} port {port}: {_reason(error)}") from error
    log_line(f"Metrics are at {_address(host, actual)}metrics")
    stop_metrics: Callable[[], None] = stop
    return stop_metrics


def _descriptor_limit() -> int:
    """Return this process's limit of file descriptors."""
    if sys.platform == "win32":
        return 2**20
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**20 if soft == resource.RLIM_INFINITY else soft


def _raise_descriptor_limit(count: int) -> None:
    """Raise the limit of file descriptors to `count`, as far as the system allows."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


class _Server(uvicorn.Server):
    """Server that reports its address when it is ready."""

    def __init__(
        self,
        config: uvicorn.Config,
        address: str,
        log_line: Callable[[str], object],
        open_browser: bool,
        networks: Sequence[str],
        at_end: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._networks = networks
        self._at_end = at_end
        self._address = address
        self._log_line = log_line
        self._open_browser = open_browser
        self._garbage: asyncio.Task[None] | None = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streaming responses, then shut down."""
        if isinstance(app := self.config.app, FastAPI):
            app.state.damka.stop_streams()
        await super().shutdown(sockets)
        if self._garbage is not None:
            self._garbage.cancel()
        # A signal ends the process right after this.
        self._at_end()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then report the address."""
        await super().startup(sockets)
        if not self.started:
            return
        self._garbage = asyncio.get_running_loop().create_task(garbage.run())
        self._log_line(f"Damka is at {self._address} (stop with Ctrl-C)")
        for address in self._networks:
            self._log_line(f"On your network it is at {address}")
        if self._open_browser:
            # Opening a browser may block, and the server must respond meanwhile.
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, self._address)


def listen(
    host: str,
    port: int,
    log_line: Callable[[str], object] = lambda _: None,
    *,
    exactly: bool = False,
) -> socket.socket:
    """Return a listening socket; on loopback, on the next free port if `port` is in use.

    With `exactly`, only `port` is tried. Raises PortError when no port is available.
    """
    may_change = not exactly and host in {"127.0.0.1", "localhost", "::1"}
    last = port + PORTS_TRIED if may_change and port else port
    for candidate in range(port, min(last, 65535) + 1):
        try:
            listener = _bind(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or candidate == min(last, 65535):
                raise PortError(f"cannot listen on {host} port {port}: {_reason(error)}") from error
            continue
        if candidate != port:
            log_line(f"Port {port} is taken; using {candidate} instead.")
        return listener
    raise AssertionError("every candidate returns or raises")


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    # With an explicit protocol, asyncio disables Nagle's algorithm, which can delay a response by
    # 40 ms.
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            # Otherwise a stopped server would block its port for a minute.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _reason(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another program uses it; choose another with --port"
    return error.strerror or str(error)


def _address(host: str, port: int) -> str:
    return f"http://{_local_host(host)}:{port}/"


def _local_host(host: str) -> str:
    """Return the host name under which this machine reaches a server bound to `host`."""
    return "127.0.0.1" if host in {"0.0.0.0", ""} else "[::1]" if host in {"::", "::1"} else host  # noqa: S104


def _networks(host: str) -> list[str]:
    """Return the network addresses of a server bound to all interfaces."""
    return network_addresses() if listens_everywhere(host) else []


def _print(text: str) -> None:
    print(text, flush=True)
