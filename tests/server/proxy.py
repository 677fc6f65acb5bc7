"""A loopback proxy between browser and server that delays or drops bytes."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

__all__ = ["Delay"]

_POLL_SECONDS = 0.02
_SEND_SECONDS = 5.0

InTransit = list[tuple[float, int, bytes]]
"""Data in transit: due time, sequence number, data."""


def _is_pong(frame: bytes) -> bool:
    return frame[0] == 0x8A


def _frames(data: bytes) -> Iterator[bytes]:
    """Split a client's bytes, with payloads below 64 KiB, into frames."""
    while data:
        size = data[1] & 0x7F if len(data) > 1 else 0
        end = 8 + int.from_bytes(data[2:4]) if size == 126 else 6 + size
        yield data[:end]
        data = data[end:]


class Delay:
    """A loopback proxy that delays bytes in both directions."""

    def __init__(self, host: str, seconds: float = 0.0, *, source: str = "127.0.0.1") -> None:
        self._target = host.split(":")
        self._source = source
        """Source address of connections to the server, which may trust it as a proxy's."""
        self.seconds = seconds
        self.hold_pongs = 0.0
        """Additional delay of pongs in seconds; other data overtakes them."""
        self.pongs = 0
        """Number of pongs delivered to the server."""
        self.cut = False
        """Network down: connections break, and new ones fail."""
        self.black_hole = False
        """Black hole: all data is lost silently."""
        self._numbers = count()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(_POLL_SECONDS)
        self.host = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._ended = False
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while not self._ended:
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            if self.cut:
                client.close()
                continue
            address = self._target[0], int(self._target[1])
            server = socket.create_connection(address, source_address=(self._source, 0))
            for sock in (client, server):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.settimeout(_SEND_SECONDS)
            thread = threading.Thread(target=self._pass_on, args=(client, server))
            thread.start()
            self._threads.append(thread)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            in_transit: dict[socket.socket, InTransit] = {client: [], server: []}
            other = {client: server, server: client}
            try:
                while not (self._ended or self.cut or self.black_hole):
                    if not self._pass_once(client, in_transit, other):
                        return
                while self.black_hole and not self._ended:
                    time.sleep(_POLL_SECONDS)
            except OSError:
                return

    def _pass_once(
        self,
        client: socket.socket,
        in_transit: dict[socket.socket, InTransit],
        other: dict[socket.socket, socket.socket],
    ) -> bool:
        """Forward due data and receive new data; return False at the end of a connection."""
        now = time.monotonic()
        for sock, waiting in in_transit.items():
            while waiting and waiting[0][0] <= now:
                _, _, data = heappop(waiting)
                other[sock].sendall(data)
                self.pongs += sock is client and _is_pong(data)
        due_times = [waiting[0][0] for waiting in in_transit.values() if waiting]
        wait = max(0.0, min(due_times) - now) if due_times else _POLL_SECONDS
        ready, _, _ = select.select(list(in_transit), [], [], min(wait, _POLL_SECONDS))
        for sock in ready:
            data = sock.recv(65536)
            if not data:
                return False
            due = time.monotonic() + self.seconds
            for part in _frames(data) if sock is client else [data]:
                delay = self.hold_pongs if sock is client and _is_pong(part) else 0.0
                heappush(in_transit[sock], (due + delay, next(self._numbers), part))
        return True

    def close(self) -> None:
        """Close all connections, and join the threads."""
        self._ended = True
        for thread in self._threads:
            thread.join()
        self._listener.close()
