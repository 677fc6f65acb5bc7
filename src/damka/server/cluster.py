"""Messages between the processes of one server; most servers have only one.

A topic is a short text such as "lobby" or "event:ID". A message reaches each subscriber of its
topic in any of the processes at most once and in no guaranteed order: it announces a change, and
receivers read the current state from the store.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, Protocol

from damka.server.fault_log import log_fault

__all__ = ["Cluster", "Receiver", "SingleProcess"]

log: Final = logging.getLogger(__name__)

Receiver = Callable[[bytes], None]
"""Message handler, called in the event loop's thread; it must not block."""


class Cluster(Protocol):
    """The processes of one server, as seen by one of them."""

    async def publish(self, topic: str, message: bytes) -> None:
        """Publish a message to all subscribers of the topic, in this process too."""

    def subscribe(self, topic: str, receive: Receiver) -> Callable[[], None]:
        """Subscribe `receive` to the topic; return a function that unsubscribes."""

    async def leads(self, task: str) -> bool:
        """Return whether this process is the leader for a task that only one process may run.

        Call it each time before the task: another process may have taken over.
        """


class SingleProcess:
    """A server with only one process."""

    def __init__(self) -> None:
        self._receivers: Final[dict[str, set[Receiver]]] = {}

    async def publish(self, topic: str, message: bytes) -> None:
        """Publish a message to all subscribers of the topic."""
        for receive in tuple(self._receivers.get(topic, ())):
            try:
                receive(message)
            except Exception as error:
                # The other subscribers still receive the message.
                log_fault(log, error, "a subscriber of %r failed", topic)

    def subscribe(self, topic: str, receive: Receiver) -> Callable[[], None]:
        """Subscribe `receive` to the topic; return a function that unsubscribes."""
        self._receivers.setdefault(topic, set()).add(receive)

        def unsubscribe() -> None:
            receivers = self._receivers.get(topic, set())
            receivers.discard(receive)
            if not receivers:
                self._receivers.pop(topic, None)

        return unsubscribe

    async def leads(self, task: str) -> bool:
        """Return True: the only process leads every task."""
        return True
