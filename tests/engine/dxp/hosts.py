"""DXP engines that listen: our own, and scripted ones."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from damka import Board, Game, rules
from damka.engine import Analysis, Engine
from damka.engine.dxp import MARK, MAX_LENGTH, Service, Session
from damka.engine.transport import Connection, Link

__all__ = ["PATIENCE", "RESIGNS", "YES", "Quick", "damka_at", "engine_at", "scripted"]

PATIENCE = 20.0


@contextmanager
def engine_at(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve one client in a thread; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def visit() -> None:
            visitor = server.accept()[0]
            try:
                serve(visitor)
            except OSError:
                pass
            finally:
                visitor.close()

        thread = threading.Thread(target=visit)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}"
        finally:
            thread.join(PATIENCE)
            assert not thread.is_alive()


class Quick(Engine):
    """An engine that ignores its clock."""

    def search(self, game: Game | Board, **limits: Any) -> Analysis:
        return super().search(game, depth=3, moves=limits["moves"])


def damka_at(name: str, engine: type[Engine] = Quick) -> Callable[[socket.socket], None]:
    def serve(visitor: socket.socket) -> None:
        link = Link("visitor", Connection(visitor), MARK, MAX_LENGTH)
        session = Session(rules.load(name), "Host")
        try:
            Service(link, session, engine(hash_mb=1), patience=PATIENCE).follow()
        finally:
            link.close()

    return serve


def scripted(
    *answers: bytes, linger: float = 0.0, received: list[bytes] | None = None
) -> Callable[[socket.socket], None]:
    """Answer each message with the next of these bytes; then wait for the client to disconnect.
    Wait at most `linger` seconds, by default `PATIENCE`. Append the messages to `received`.
    """

    def serve(visitor: socket.socket) -> None:
        for answer in answers:
            message = b""
            while not message.endswith(MARK):
                byte = visitor.recv(1)
                if not byte:
                    return
                message += byte
            if received is not None:
                received.append(message)
            visitor.sendall(answer)
        visitor.settimeout(linger or PATIENCE)
        while visitor.recv(1000):
            pass

    return serve


YES = f"A{'Faulty':32}0\0".encode()
"""Acceptance of the requested game."""

RESIGNS = (YES + b"E10\0", b"")
"""Acceptance, immediate resignation, and no reply to the acknowledgement."""
